import type { Answers } from "../../app/types.ts";
import type { Source } from "../../parts/tools.ts";
import { texts as all } from "../../page-texts/integrations.ts";

const { sources: texts } = all;

/** `url`: contains the key in its path. */
export type Endpoint = { origin: string; key: string; url: string };

/** `where`: the place in the tool; `pieces`: the texts to paste. */
export type Configuration = { where: string; pieces: readonly (readonly [name: string, text: string])[] };

type ListPieces = (endpoint: Endpoint) => readonly (readonly [name: string, text: string])[];

const listUrlOnly: ListPieces = ({ url }) => [[texts.address, url]];

/** Datadog fills in the variables. docs/sources.md contains the same payload. */
const DATADOG_PAYLOAD = `{
  "id": "$ID",
  "title": "$EVENT_TITLE",
  "text": "$TEXT_ONLY_MSG",
  "alert_id": "$ALERT_ID",
  "alert_transition": "$ALERT_TRANSITION",
  "alert_priority": "$ALERT_PRIORITY",
  "alert_scope": "$ALERT_SCOPE",
  "alert_metric": "$ALERT_METRIC",
  "alert_query": "$ALERT_QUERY",
  "event_type": "$EVENT_TYPE",
  "hostname": "$HOSTNAME",
  "tags": "$TAGS",
  "link": "$LINK",
  "snapshot": "$SNAPSHOT",
  "date": "$DATE",
  "org_name": "$ORG_NAME"
}
`;

const pieces: Readonly<Record<Source, ListPieces>> = {
  alertmanager: ({ origin, key }) => [
    [
      "alertmanager.yml",
      `receivers:
  - name: alerts
    webhook_configs:
      - url: ${origin}/v1/events/from/alertmanager
        send_resolved: true
        max_alerts: 0
        http_config:
          authorization:
            credentials: ${key}
`,
    ],
  ],
  grafana: listUrlOnly,
  cloudwatch: ({ url }) => [
    [
      texts.commandLine,
      `aws sns subscribe --protocol https --topic-arn "$TOPIC_ARN" \\
  --notification-endpoint '${url}'
`,
    ],
  ],
  sentry: listUrlOnly,
  github: listUrlOnly,
  "uptime-kuma": listUrlOnly,
  opsgenie: ({ origin, key }) => [
    [texts.address, `${origin}/v1/events/from/opsgenie`],
    [texts.key, key],
  ],
  pagerduty: ({ origin, key }) => [
    [texts.address, `${origin}/v1/events/from/pagerduty`],
    [texts.routingKey, key],
  ],
  gitlab: listUrlOnly,
  zabbix: listUrlOnly,
  datadog: ({ url }) => [
    [texts.address, url],
    [texts.payload, DATADOG_PAYLOAD],
  ],
  "azure-monitor": listUrlOnly,
  "google-cloud-monitoring": listUrlOnly,
  mapped: listUrlOnly,
};

export const buildConfiguration = (source: Source, endpoint: Endpoint): Configuration => ({
  where: texts.where[source],
  pieces: pieces[source](endpoint),
});

/** Returns the resource in the event keys of a tool: the tool's name, or what the key's mapping says. */
export const findEventKeyPrefix = ({
  source,
  mapping,
}: Pick<Answers["ApiKey"], "source" | "mapping">): string | undefined =>
  source === "mapped" ? mapping?.resource : source?.replaceAll("-", "_");

/** Returns "off" without a key, "waiting" until one of the keys is used, then "on". */
export const findToolState = (keys: readonly Answers["ApiKey"][]): "off" | "waiting" | "on" => {
  if (keys.length === 0) return "off";
  return keys.some(({ lastUsedAt }) => lastUsedAt !== null) ? "on" : "waiting";
};
