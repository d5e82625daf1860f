import type { Api } from "../../app/api.ts";
import type { Answers } from "../../app/types.ts";

type Notification = Answers["Notification"];

/** An open event, and whom it waits for: an acknowledgement is for the whole event. `id` is the event's. */
export type Open = {
  id: string;
  title: string;
  eventKey: string;
  priority: Notification["priority"];
  at: string;
  /** Who was told, and by which rules: of the newest notifications only. */
  names: readonly string[];
  rules: readonly string[];
  escalationStep: number;
  /** How many notifications there are of it. */
  told: number;
  /** What became of the newest notification. */
  status: Notification["status"] | undefined;
};
/** `more`: how many are open that are not in the list; for the reader's own, whether there are any. */
export type OpenList = { open: Open[]; more: number };

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

const nameOf = ({ user }: Pick<Notification, "user">): string => (user.name === "" ? user.id : user.name);

/** The most urgent first: of more than fit, the least urgent are left out. */
const MOST_URGENT = { state: "open", order: "urgency" };

/** Notifications grouped by event, in the order in which they came. */
const byEvent = (notifications: readonly Notification[]): Map<string, Notification[]> => {
  const found = new Map<string, Notification[]>();
  for (const one of notifications) found.set(one.event.id, [...(found.get(one.event.id) ?? []), one]);
  return found;
};

const notifiedOf = (some: readonly Notification[]): Pick<Open, "names" | "rules" | "escalationStep" | "status"> => ({
  names: unique(some.map(nameOf)),
  rules: unique(some.map(({ rule }) => rule.name)),
  escalationStep: some[0]?.escalationStep ?? 0,
  status: some[0]?.status,
});

/** The most that the API returns at once. */
const NOTIFICATIONS_MAX = 200;
const EVENTS_MAX = 100;

const listNotifications = (api: Api, user?: "me") =>
  api("notifications/list-notifications", { query: { ...MOST_URGENT, user, limit: NOTIFICATIONS_MAX } });

/** What waits for an acknowledgement by the reader, the most urgent first, then the newest. */
export const readMine = async (api: Api): Promise<OpenList> => {
  const notifications = await listNotifications(api, "me");
  const open = [...byEvent(notifications)].flatMap(([id, some]): Open[] => {
    const [first] = some;
    if (first === undefined) return [];
    const { event, priority, createdAt } = first;
    const { title, eventKey } = event;
    return [{ id, title, eventKey, priority, at: createdAt, told: some.length, ...notifiedOf(some) }];
  });
  return { open, more: notifications.length === NOTIFICATIONS_MAX ? 1 : 0 };
};

/** Everything that is open, whoever was told: events may have more notifications than are read at once. */
export const readEveryones = async (api: Api): Promise<OpenList> => {
  const [events, notifications] = await Promise.all([
    api("events/list-events", { query: { ...MOST_URGENT, limit: EVENTS_MAX } }),
    listNotifications(api),
  ]);
  const notified = byEvent(notifications);
  const open = events.items.map((item): Open => {
    const { id, title, eventKey, receivedAt, _count } = item;
    const some = notified.get(id) ?? [];
    const priority = some[0]?.priority ?? item.priority;
    return { id, title, eventKey, priority, at: receivedAt, told: _count.notifications, ...notifiedOf(some) };
  });
  return { open, more: Math.max(0, events.total - open.length) };
};

/** Who was told of some events, of the newest notifications. */
export const readNotified = async (api: Api, ids: readonly string[]): Promise<string[]> => {
  const notifications = await listNotifications(api);
  return unique(notifications.filter(({ event }) => ids.includes(event.id)).map(nameOf));
};
