import * as v from "valibot";
import { adapter, fields, first, maybe, part, priorityOf, type Draft } from "./draft.ts";

const entries = {
  message: maybe,
  alias: maybe,
  description: maybe,
  priority: maybe,
  entity: maybe,
  source: maybe,
  user: maybe,
  note: maybe,
  tags: v.fallback(v.array(v.unknown()), []),
  details: fields,
};
const Alert = part({ ...entries, alertId: maybe });
const Payload = v.pipe(
  v.object({ ...entries, action: maybe, identifier: maybe, alert: Alert }),
  v.check(
    ({ message, alias, identifier, alert }) =>
      first(message, alias, identifier, alert?.message, alert?.alias) !== undefined,
    "message must be there to create an alert, or alias to close one.",
  ),
);

/** Opsgenie's calls that create and close an alert, and its webhooks, which have the alert inside `alert`. */
export const opsgenie = adapter(Payload, ({ action, identifier, alert: inner, ...outer }): Draft[] => {
  const alert = inner ?? outer;
  const message = first(alert.message);
  const alias = first(alert.alias, identifier, inner?.alertId);
  const word = action?.toLowerCase() ?? (message === undefined ? "close" : "create");
  if (word !== "create" && word !== "close") return [];
  const isClosed = word === "close";
  const title = message ?? alias ?? "Alert";
  return [
    {
      action: isClosed ? "resolved" : "firing",
      title: isClosed ? `Resolved: ${title}` : title,
      body: first(isClosed ? alert.note : undefined, alert.description, title) ?? title,
      // Opsgenie assumes P3 for an alert without a priority.
      priority: priorityOf(alert.priority) ?? "NORMAL",
      data: { details: alert.details, tags: alert.tags, entity: alert.entity, source: alert.source, user: alert.user },
      key: alias,
    },
  ];
});
