import type { Api } from "../../app/api.ts";
import type { Answers } from "../../app/types.ts";

export type Notification = Answers["Notification"];

/** As many as the API gives at once. */
const NOTIFICATIONS_MAX = 200;
const EVENTS_MAX = 100;

/** Whether an event is among those that are open; of one older than those that were listed nobody knows, and it stays. */
const isOpenIn = ({ items, total }: Answers["EventPage"]): ((notification: Notification) => boolean) => {
  const ids = new Set(items.map(({ id }) => id));
  const oldest = items.at(-1)?.receivedAt ?? "";
  return ({ event, createdAt }) => ids.has(event.id) || (total > items.length && createdAt < oldest);
};

/** The notifications that wait for an acknowledgement: one person's, or everybody's. */
export const readOpen = async (api: Api, userId: string | undefined): Promise<Notification[]> => {
  const [all, open] = await Promise.all([
    api("notifications/list-notifications", { query: { limit: NOTIFICATIONS_MAX } }),
    api("events/list-events", { query: { state: "open", limit: EVENTS_MAX } }),
  ]);
  const isOpen = isOpenIn(open);
  return all.filter(
    (one) =>
      one.requiresAck &&
      one.status !== "ACKNOWLEDGED" &&
      isOpen(one) &&
      (userId === undefined || one.user.id === userId),
  );
};
