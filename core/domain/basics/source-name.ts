import * as v from "valibot";

/** The source for any other tool: the key's mapping says where its messages have the fields. */
export const MAPPED = "mapped";

/** The tools whose own messages are accepted, by their names in paths. */
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
/** A tool whose format is known. */
export type ToolName = Exclude<SourceName, typeof MAPPED>;

/**
 * The tools that sign what they send, with the header that has the signature: the HMAC-SHA256 of the body, in hex,
 * with a secret that the tool has created.
 * https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
 */
export const signatureHeaders: Readonly<Partial<Record<SourceName, string>>> = { sentry: "Sentry-Hook-Signature" };

export const isSource = (name: string): name is SourceName => v.is(SourceName, name);
