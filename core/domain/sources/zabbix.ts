import * as v from "valibot";
import type { Priority } from "../basics/priority.ts";
import { toResolvedTitle } from "../event/event.ts";
import { createAdapter, findText, mapStates, type Draft } from "./draft.ts";
import { readNamedTexts, parseNestedJson, createTextReader } from "./paths.ts";

/** The parameters of the media type in docs/examples/zabbix, and usual names of parameters in custom media types. */
const parameters = {
  id: ["event_id"],
  source: ["event_source"],
  value: ["event_value"],
  update: ["event_update_status"],
  name: ["event_name"],
  level: ["event_nseverity"],
  severity: ["event_severity", "severity"],
  host: ["host_name", "host"],
  ip: ["host_ip"],
  operationalData: ["event_opdata", "opdata"],
  tags: ["event_tags"],
  trigger: ["trigger_id"],
  description: ["trigger_description"],
  zabbix: ["zabbix_url"],
  url: ["url", "trigger_url"],
  subject: ["alert_subject", "subject", "Subject"],
  message: ["alert_message", "message", "Message"],
} as const;

/** Matches a macro that Zabbix did not replace. */
const MACRO = /^(?:\{[{$A-Z].*\}|\*UNKNOWN\*)$/s;

const actions = mapStates({ 1: "firing", 0: "resolved" });

/** The priorities, by the number of a severity from "not classified" to "disaster": users can rename severities. */
const levels: readonly Priority[] = ["LOW", "LOW", "NORMAL", "NORMAL", "HIGH", "URGENT"];

/** Zabbix's numbers of the sources that send problems: triggers and services. All other sources send information. */
const PROBLEMS = ["0", "4"];

/** Parses `[{"tag": "scope", "value": "capacity"}]` to an object of values by tag. Returns any other text unchanged. */
const parseTags = (text: string | undefined): unknown => {
  const tags = parseNestedJson(text);
  if (!Array.isArray(tags)) return text;
  const pairs = tags.map(
    (tag: unknown) => [createTextReader(tag)("tag") ?? "", createTextReader(tag)("value") ?? ""] as const,
  );
  return Object.fromEntries(
    pairs.map(([name]) => [name, pairs.flatMap(([other, value]) => (other === name ? [value] : [])).join(", ")]),
  );
};

const SENT = "event_value must be 1 or 0, as the media type in this service's documentation sends it.";

/** The media type in docs/examples/zabbix reports problems, their ends, and information. */
export const zabbix = createAdapter(
  v.pipe(
    v.looseObject({}),
    v.check(
      (payload) =>
        createTextReader(payload)(...parameters.id, ...parameters.value, ...parameters.subject) !== undefined,
      SENT,
    ),
  ),
  (payload): Draft[] => {
    const read = readNamedTexts(payload, parameters, MACRO);
    // Updates, such as comments and acknowledgements, create no event.
    if (read("update") === "1") return [];
    const isTest = createTextReader(payload)("event_id") === "{EVENT.ID}";
    const known = PROBLEMS.includes(read("source") ?? "0") ? actions.get(read("value")) : undefined;
    const action = isTest ? "test" : (known ?? "info");
    const [id, host, url, trigger] = [read("id"), read("host"), read("zabbix"), read("trigger")];
    const level = levels[Number(read("level") ?? NaN)];
    const name = findText(read("name"), read("subject")) ?? "Zabbix";
    const title = host === undefined || name.includes(host) ? name : `${host}: ${name}`;
    const texts = [read("message"), read("operationalData"), read("description"), read("subject")];
    const query = trigger === undefined ? undefined : `triggerid=${trigger}&eventid=${id ?? ""}`;
    return [
      {
        action,
        title: action === "resolved" ? toResolvedTitle(title) : title,
        body: findText(...texts) ?? title,
        priority: level,
        severity: level === undefined ? [read("severity")] : [],
        url: url && query ? `${url.replace(/\/$/, "")}/tr_events.php?${query}` : read("url"),
        data: {
          host,
          ip: read("ip"),
          severity: read("severity"),
          trigger,
          operationalData: read("operationalData"),
          description: read("description"),
          tags: parseTags(read("tags")),
        },
        key: id === undefined ? undefined : `event:${id}`,
        once: action === "resolved" && id !== undefined ? `event:${id}:resolved` : undefined,
      },
    ];
  },
);
