import { alertmanager } from "./alertmanager.ts";
import { azureMonitor } from "./azure-monitor.ts";
import { cloudwatch } from "./cloudwatch.ts";
import type { ToolName } from "../basics/source-name.ts";
import { datadog } from "./datadog.ts";
import type { Adapter } from "./draft.ts";
import { grafana } from "./grafana.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { googleCloudMonitoring } from "./google-cloud-monitoring.ts";
import { opsgenie } from "./opsgenie.ts";
import { pagerduty } from "./pagerduty.ts";
import { sentry } from "./sentry.ts";
import { uptimeKuma } from "./uptime-kuma.ts";
import { zabbix } from "./zabbix.ts";

/** A tool that sends messages in its own format. */
type Source = {
  adapter: Adapter;
  /** Whether the tool gives up after status 429 but retries after 503. */
  repeatsOnServerErrorsOnly: boolean;
};

const source = (adapter: Adapter, repeatsOnServerErrorsOnly = true): Source => ({ adapter, repeatsOnServerErrorsOnly });

/** The adapters, by their names in the path. The clients of Opsgenie and PagerDuty retry after 429. */
export const sources = {
  alertmanager: source(alertmanager),
  grafana: source(grafana),
  cloudwatch: source(cloudwatch),
  sentry: source(sentry),
  github: source(github),
  "uptime-kuma": source(uptimeKuma),
  opsgenie: source(opsgenie, false),
  pagerduty: source(pagerduty, false),
  gitlab: source(gitlab),
  zabbix: source(zabbix),
  datadog: source(datadog),
  "azure-monitor": source(azureMonitor),
  "google-cloud-monitoring": source(googleCloudMonitoring),
} as const satisfies Record<ToolName, Source>;
