import * as v from "valibot";

/** The source of tools without an adapter. The API key's mapping says where messages contain the fields of an event. */
export const MAPPED = "mapped";

export const sourceNames = [
  "alertmanager",
  "grafana",
  "cloudwatch",
  "sentry",
  "github",
  "uptime-kuma",
  "opsgenie",
  "pagerduty",
  "gitlab",
  "zabbix",
  "datadog",
  "azure-monitor",
  "google-cloud-monitoring",
  MAPPED,
] as const;

export const SourceName = v.picklist(sourceNames, `source must be one of ${sourceNames.join(", ")}.`);
export type SourceName = v.InferOutput<typeof SourceName>;
export type ToolName = Exclude<SourceName, typeof MAPPED>;

/**
 * Sentry's signature is the HMAC-SHA256 of the body, in hex, with a secret from Sentry.
 * https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
 */
export const signatureHeaders: Readonly<Partial<Record<SourceName, string>>> = { sentry: "Sentry-Hook-Signature" };

export const isSource = (name: string): name is SourceName => v.is(SourceName, name);
