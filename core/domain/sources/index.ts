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

type Source = {
  adapter: Adapter;
  /** True if the tool sends a request again after status 503, but not after status 429. */
  repeatsOnServerErrorsOnly: boolean;
};

/** Returns the source of an adapter. By default, the tool retries only after a server error, as most tools do. */
const createSource = (adapter: Adapter, repeatsOnServerErrorsOnly = true): Source => ({
  adapter,
  repeatsOnServerErrorsOnly,
});

/** The sources by name (a part of request paths). Only the clients of Opsgenie and PagerDuty also retry after status 429. */
export const sources = {
  alertmanager: createSource(alertmanager),
  grafana: createSource(grafana),
  cloudwatch: createSource(cloudwatch),
  sentry: createSource(sentry),
  github: createSource(github),
  "uptime-kuma": createSource(uptimeKuma),
  opsgenie: createSource(opsgenie, false),
  pagerduty: createSource(pagerduty, false),
  gitlab: createSource(gitlab),
  zabbix: createSource(zabbix),
  datadog: createSource(datadog),
  "azure-monitor": createSource(azureMonitor),
  "google-cloud-monitoring": createSource(googleCloudMonitoring),
} as const satisfies Record<ToolName, Source>;
