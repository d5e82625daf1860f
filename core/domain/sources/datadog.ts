import * as v from "valibot";
import { PRIORITIES, type Priority } from "../basics/priority.ts";
import { toResolvedTitle } from "../event/event.ts";
import { createAdapter, severityToPriority, type Draft } from "./draft.ts";
import { readNamedTexts, createTextReader } from "./paths.ts";

/** The names of fields in payload templates, the documented name first. Some templates have fields in an object `alert`. */
const fields = {
  id: ["id", "event_id"],
  title: ["event_title", "title", "alert_title", "alert.title"],
  text: ["text", "text_only_msg", "message", "body", "event_msg"],
  monitor: ["alert_id", "alert.id", "alert.alert_id"],
  transition: ["alert_transition", "transition", "alert.transition", "alert.alert_transition"],
  priority: ["alert_priority", "priority", "alert.priority", "alert.alert_priority"],
  scope: ["alert_scope", "scope", "alert.scope", "alert.alert_scope"],
  group: ["aggreg_key", "aggregation_key", "alert.aggreg_key"],
  metric: ["alert_metric", "metric", "alert.metric", "alert.alert_metric"],
  query: ["alert_query", "query", "alert.query", "alert.alert_query"],
  host: ["hostname", "host"],
  link: ["link", "alert.link"],
  snapshot: ["snapshot"],
  date: ["date", "last_updated"],
  tags: ["tags"],
  type: ["event_type"],
  organization: ["org_name", "org.name", "org"],
} as const;

/** Datadog's value for an empty or unknown variable. */
const EMPTY = /^(?:null|None|N\/A|\$[A-Z_]+)$/;

type Transition = "triggered" | "warned" | "no data" | "recovered";
const transitions: readonly [Transition, RegExp][] = [
  ["recovered", /\brecovered$/i],
  ["no data", /^(?:re-)?no data$/i],
  ["warned", /^(?:re-)?warn(?:ing)?$/i],
  ["triggered", /^(?:(?:re-)?triggered|alert|renotify)$/i],
];
const parseTransition = (word = ""): Transition | undefined => transitions.find(([, known]) => known.test(word))?.[0];

/** Splits titles such as `[P1] [Triggered on {host:db-1}] CPU is high` into name, words and scope. */
const splitTitle = (title: string): { name: string; words: string[]; scope: string | undefined } => {
  const {
    word = "",
    scope,
    name = "",
  } = /^\s*\[(?<word>[^\]{]*?)(?:\s+on\s+\{(?<scope>[^}]*)\})?\]\s*(?<name>.+)/s.exec(title)?.groups ?? {};
  if (!/^(?:P[1-5]|TEST)$/.test(word) && parseTransition(word) === undefined)
    return { name: title, words: [], scope: undefined };
  const rest = splitTitle(name);
  return { name: rest.name, words: [word, ...rest.words], scope: scope ?? rest.scope };
};

/** Returns the next lower priority, for a warning. If the warning later becomes an alert, the event's priority is raised. */
const lowerPriority = (priority: Priority): Priority => PRIORITIES[PRIORITIES.indexOf(priority) - 1] ?? "LOW";

const SENT = "title is missing. Use the webhook payload of this service's documentation.";
const Payload = v.pipe(
  v.looseObject({}),
  v.check((payload) => createTextReader(payload)(...fields.title, ...fields.monitor) !== undefined, SENT),
);

/** Accepts the payload in docs/sources.md, Datadog's default payload, and similar payloads. */
export const datadog = createAdapter(Payload, (payload): Draft[] => {
  const read = readNamedTexts(payload, fields, EMPTY);
  const { name, words, scope: shown } = splitTitle(read("title") ?? "Datadog");
  const written = parseTransition(read("transition"));
  const transition = written ?? words.map(parseTransition).find((known) => known !== undefined);
  const scope = (read("scope") ?? shown)
    ?.split(/\s*,\s*/)
    .toSorted()
    .join(", ");
  const titled = scope === undefined || scope === "*" || name.includes(scope) ? name : `${name} on ${scope}`;
  const title = transition === "no data" ? `No data: ${titled}` : titled;
  const priority = severityToPriority(read("priority") ?? words.find((word) => word.startsWith("P"))) ?? "HIGH";
  const [id, monitor, date = ""] = [read("id"), read("monitor"), read("date")];
  const resolved = transition === "recovered";
  return [
    {
      action: words.includes("TEST") ? "test" : resolved ? "resolved" : transition === undefined ? "info" : "firing",
      title: resolved ? toResolvedTitle(title) : title,
      body:
        read("text")
          ?.replaceAll(/^\s*%%%\s*$/gm, "")
          .trim() ?? title,
      priority: transition === undefined || transition === "triggered" ? priority : lowerPriority(priority),
      links: { Event: read("link"), Graph: read("snapshot") },
      data: {
        monitor,
        transition: read("transition") ?? words.find((word) => parseTransition(word) !== undefined),
        scope,
        host: read("host"),
        metric: read("metric"),
        query: read("query"),
        tags: read("tags")?.replaceAll(/\s*,\s*/g, ", "),
        eventType: read("type"),
        organization: read("organization"),
      },
      changedAt: /^\d{12,}$/.test(date) ? Number(date) : undefined,
      key: monitor === undefined ? (read("group") ?? titled) : `monitor:${monitor}:${scope ?? ""}`,
      once: id === undefined ? undefined : `event:${id}`,
    },
  ];
});
