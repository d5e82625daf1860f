import * as v from "valibot";
import { adapter, fields, first, listed, maybe, part, priorityOf, type Draft } from "./draft.ts";

const list = v.fallback(v.array(v.unknown()), []);
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
  /** As responders were called first. */
  teams: list,
};
const Alert = part({ ...entries, alertId: maybe });

const CREATE_OR_CLOSE =
  "action must be create or close: here people acknowledge, note, assign and snooze, signed in to the console or the app.";
/** A webhook of Opsgenie tells of whatever happens, so its other actions are no mistake of the sender. */
const isOurs = ({ action, alert }: { action?: string | undefined; alert?: object | null | undefined }): boolean =>
  (alert ?? undefined) !== undefined || action === undefined || /^(?:create|close)$/i.test(action);

const Payload = v.pipe(
  v.object({ ...entries, action: maybe, identifier: maybe, alert: Alert }),
  v.check(
    ({ message, alias, identifier, alert }) =>
      first(message, alias, identifier, alert?.message, alert?.alias) !== undefined,
    "message must be there to create an alert, or alias to close one.",
  ),
  v.forward(
    v.check((call) => isOurs(call), CREATE_OR_CLOSE),
    ["action"],
  ),
);

const Responder = v.object({ type: maybe, id: maybe, name: maybe, username: maybe });

/** `team:NOC`, `user:ann@acme.example`, by the name or the id that was sent. */
const responderOf =
  (assumed: string) =>
  (value: unknown): string | undefined => {
    const read = v.safeParse(Responder, value);
    if (!read.success) return undefined;
    const { type = assumed, id, name, username } = read.output;
    const called = first(name, username, id);
    return called === undefined ? undefined : `${type.toLowerCase()}:${called}`;
  };

/** Opsgenie assumes P3 for an alert without a priority. */
const ASSUMED = "P3";

/** Opsgenie's calls that create and close an alert, and its webhooks, which have the alert inside `alert`. */
export const opsgenie = adapter(Payload, ({ action, identifier, alert: inner, ...outer }): Draft[] => {
  const alert = inner ?? outer;
  const message = first(alert.message);
  const alias = first(alert.alias, identifier, inner?.alertId);
  const word = action?.toLowerCase() ?? (message === undefined ? "close" : "create");
  if (word !== "create" && word !== "close") return [];
  const isClosed = word === "close";
  const title = message ?? alias ?? "Alert";
  const priority = first(alert.priority) ?? ASSUMED;
  return [
    {
      action: isClosed ? "resolved" : "firing",
      title: isClosed ? `Resolved: ${title}` : title,
      body: first(isClosed ? alert.note : undefined, alert.description, title) ?? title,
      priority: priorityOf(priority) ?? "NORMAL",
      data: {
        alias,
        ...(isClosed ? {} : { priority }),
        description: first(alert.description),
        details: alert.details,
        tags: listed(alert.tags),
        responders: listed([...alert.responders.map(responderOf("user")), ...alert.teams.map(responderOf("team"))]),
        entity: alert.entity,
        source: alert.source,
        user: alert.user,
      },
      key: alias,
    },
  ];
});
