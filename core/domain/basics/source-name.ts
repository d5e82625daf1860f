import * as v from "valibot";

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
] as const;

export const SourceName = v.picklist(sourceNames, `source must be one of ${sourceNames.join(", ")}.`);
export type SourceName = v.InferOutput<typeof SourceName>;

export const isSource = (name: string): name is SourceName => v.is(SourceName, name);
