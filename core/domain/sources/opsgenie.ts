import * as v from "valibot";
import { toResolvedTitle } from "../event/event.ts";
import { createAdapter, fields, findText, list, joinNames, maybe, partSchema, type Draft } from "./draft.ts";

const entries = {
  message: maybe,
  alias: maybe,
  description: maybe,
  priority: maybe,
  entity: maybe,
  source: maybe,
  user: maybe,
  note: maybe,
  tags: list,
  details: fields,
  responders: list,
  /** The old name of the field `responders`. */
  teams: list,
};
const Alert = partSchema({ ...entries, alertId: maybe });

const OURS =
  "action must be create, close or delete. People acknowledge, note, assign and snooze in the console or the app.";
type Request = { action?: string | undefined; alert?: object | null | undefined };

/** Returns whether the body is a webhook (with `alert`), or a request to create, close or delete an alert. */
const mayCreateEvent = ({ action, alert }: Request): boolean =>
  (alert ?? undefined) !== undefined || action === undefined || /^(?:create|close|delete)$/i.test(action);

const Payload = v.pipe(
  v.object({ ...entries, action: maybe, identifier: maybe, alert: Alert }),
  v.check(
    ({ message, alias, identifier, alert }) =>
      findText(message, alias, identifier, alert?.message, alert?.alias) !== undefined,
    "message is required to create an alert, alias to close an alert.",
  ),
  v.forward(
    v.check((call) => mayCreateEvent(call), OURS),
    ["action"],
  ),
);

const Responder = v.object({ type: maybe, id: maybe, name: maybe, username: maybe });

/** Returns a function that formats a responder with its type, such as `team:NOC`; for another value, it returns undefined. */
const formatResponder =
  (defaultType: string) =>
  (value: unknown): string | undefined => {
    const read = v.safeParse(Responder, value);
    if (!read.success) return undefined;
    const { type = defaultType, id, name, username } = read.output;
    const called = findText(name, username, id);
    return called === undefined ? undefined : `${type.toLowerCase()}:${called}`;
  };

const OPSGENIE_DEFAULT_PRIORITY = "P3";

const isUrl = (text: string | undefined): boolean => /^https?:\/\/\S+$/.test(text ?? "");

const ends = ["close", "delete"];

/** Reads requests that create or close an alert, and webhooks, which have the alert in `alert`. */
export const opsgenie = createAdapter(Payload, ({ action, identifier, alert: inner, ...outer }): Draft[] => {
  const alert = inner ?? outer;
  const { details, note, source } = alert;
  const message = findText(alert.message);
  const alias = findText(alert.alias, identifier, inner?.alertId);
  const word = action?.toLowerCase() ?? (message === undefined ? "close" : "create");
  if (word !== "create" && !ends.includes(word)) return [];
  const isOver = word !== "create";
  const title = message ?? alias ?? "Alert";
  const priority = findText(alert.priority) ?? OPSGENIE_DEFAULT_PRIORITY;
  return [
    {
      action: isOver ? "resolved" : "firing",
      title: isOver ? toResolvedTitle(title) : title,
      untitled: isOver && message === undefined,
      body: findText(isOver ? note : undefined, alert.description, title) ?? title,
      severity: [priority],
      links: {
        Runbook: findText(details["runbook_url"], details["runbook"], details["Runbook"]),
        Source: isUrl(source) ? source : undefined,
      },
      data: {
        alias,
        ...(isOver ? {} : { priority, note }),
        description: findText(alert.description),
        details,
        tags: joinNames(alert.tags),
        responders: joinNames([
          ...alert.responders.map(formatResponder("user")),
          ...alert.teams.map(formatResponder("team")),
        ]),
        entity: alert.entity,
        source,
        user: alert.user,
      },
      key: alias,
    },
  ];
});
