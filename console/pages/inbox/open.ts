import type { Api } from "../../app/api.ts";
import type { Answers } from "../../app/types.ts";

type Notification = Answers["Notification"];

/** An event that waits, and whom it waits for: an acknowledgement takes it as a whole. `id` is the event's. */
export type Open = { id: string; first: Notification; names: readonly string[]; rules: readonly string[] };

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Notifications by their event, in the order in which they came. */
const byEvent = (notifications: readonly Notification[]): Open[] =>
  [...Map.groupBy(notifications, ({ event }) => event.id)].flatMap(([id, some]) => {
    const [first] = some;
    if (first === undefined) return [];
    const names = unique(some.map(({ user }) => (user.name === "" ? user.id : user.name)));
    return { id, first, names, rules: unique(some.map(({ rule }) => rule.name)) };
  });

/** As many as the API gives at once. */
const NOTIFICATIONS_MAX = 200;
const EVENTS_MAX = 100;

/** Whether an event is among those that are open; of one older than those that were listed nobody knows, and it stays. */
const isOpenIn = ({ items, total }: Answers["EventPage"]): ((notification: Notification) => boolean) => {
  const ids = new Set(items.map(({ id }) => id));
  const oldest = items.at(-1)?.receivedAt ?? "";
  return ({ event, createdAt }) => ids.has(event.id) || (total > items.length && createdAt < oldest);
};

/** What waits for an acknowledgement by one person, or by anybody. */
export const readOpen = async (api: Api, userId: string | undefined): Promise<Open[]> => {
  const [all, open] = await Promise.all([
    api("notifications/list-notifications", { query: { limit: NOTIFICATIONS_MAX } }),
    api("events/list-events", { query: { state: "open", limit: EVENTS_MAX } }),
  ]);
  const isOpen = isOpenIn(open);
  const waiting = all.filter(
    (one) =>
      one.requiresAck &&
      one.status !== "ACKNOWLEDGED" &&
      isOpen(one) &&
      (userId === undefined || one.user.id === userId),
  );
  return byEvent(waiting);
};
