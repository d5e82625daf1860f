import * as v from "valibot";

/** The source of any other tool: the key says where its messages have what. */
export const MAPPED = "mapped";

/** The tools whose messages are taken as they are, by their names in paths. */
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
 * The tools that sign what they send, with the header that has the signature: the HMAC-SHA256 of the body, in hex, by a
 * secret that the tool has made.
 * https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
 */
export const signatureHeaders: Readonly<Partial<Record<SourceName, string>>> = { sentry: "Sentry-Hook-Signature" };

export const isSource = (name: string): name is SourceName => v.is(SourceName, name);
