import type { Api } from "../../app/api.ts";
import type { OpenEvent } from "./groups.ts";

export type OpenList = { open: OpenEvent[]; total: number; urgencies: Readonly<Record<OpenEvent["priority"], number>> };

/** The number of events on a page: the API's maximum. */
const LIMIT = 500;
const NONE = { LOW: 0, NORMAL: 0, HIGH: 0, URGENT: 0 };

/** Returns a page (from 1) of open events, the most urgent first, then the newest. `isShared`: also events that did not notify the reader. */
export const readOpenPage = async (api: Api, isShared: boolean, page = 1): Promise<OpenList> => {
  const query = { state: "open", order: "urgency", user: isShared ? undefined : "me", limit: LIMIT, page };
  const { items, total, urgencies = NONE } = await api("events/list-events", { query });
  const open = items.map(
    ({ id, title, eventKey, priority, urgency = priority, receivedAt, rules = [], card = null }) => {
      return { id, title, eventKey, priority: urgency, at: receivedAt, rules, card };
    },
  );
  return { open, total, urgencies };
};

export const readAllOpenEvents = async (api: Api, isShared: boolean): Promise<OpenEvent[]> => {
  const all: OpenEvent[] = [];
  for (let page = 1; ; page += 1) {
    const { open, total } = await readOpenPage(api, isShared, page);
    all.push(...open);
    if (open.length === 0 || all.length >= total) return all;
  }
};

/** The number of notifications that are read: the API's maximum. */
const NOTIFICATIONS_MAX = 200;

/** Returns the names of people whom the events notified, but reads only the most urgent notifications. */
export const readNotifiedNames = async (api: Api, eventIds: ReadonlySet<string>): Promise<string[]> => {
  const query = { state: "open", order: "urgency", limit: NOTIFICATIONS_MAX };
  const notifications = await api("notifications/list-notifications", { query });
  const own = notifications.filter(({ event }) => eventIds.has(event.id));
  return [...new Set(own.map(({ user }) => (user.name === "" ? user.id : user.name)))];
};
