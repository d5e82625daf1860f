import { alertmanager } from "./alertmanager.ts";
import { cloudwatch } from "./cloudwatch.ts";
import type { ToolName } from "../basics/source-name.ts";
import type { Adapter } from "./draft.ts";
import { grafana } from "./grafana.ts";
import { github } from "./github.ts";
import { opsgenie } from "./opsgenie.ts";
import { pagerduty } from "./pagerduty.ts";
import { sentry } from "./sentry.ts";
import { uptimeKuma } from "./uptime-kuma.ts";

/** A tool that sends its own format. */
type Source = {
  adapter: Adapter;
  /** Whether the tool gives up after the answer 429 but repeats after 503. */
  repeatsOnServerErrorsOnly: boolean;
};

const source = (adapter: Adapter, repeatsOnServerErrorsOnly = true): Source => ({ adapter, repeatsOnServerErrorsOnly });

/** By their names in the path. The clients of Opsgenie and PagerDuty repeat after 429. */
export const sources = {
  alertmanager: source(alertmanager),
  grafana: source(grafana),
  cloudwatch: source(cloudwatch),
  sentry: source(sentry),
  github: source(github),
  "uptime-kuma": source(uptimeKuma),
  opsgenie: source(opsgenie, false),
  pagerduty: source(pagerduty, false),
} as const satisfies Record<ToolName, Source>;
