import type { Api } from "../../app/api.ts";
import type { Answers } from "../../app/types.ts";

type Notification = Answers["Notification"];

/** An open event, and whom it waits for: an acknowledgement is for the whole event. `id` is the event's. */
export type Open = { id: string; first: Notification; names: readonly string[]; rules: readonly string[] };

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Notifications grouped by event, in the order in which they came. */
const byEvent = (notifications: readonly Notification[]): Open[] => {
  const found = new Map<string, [Notification, ...Notification[]]>();
  for (const one of notifications) {
    const some = found.get(one.event.id);
    if (some === undefined) found.set(one.event.id, [one]);
    else some.push(one);
  }
  return [...found].map(([id, some]) => {
    const [first] = some;
    const names = unique(some.map(({ user }) => (user.name === "" ? user.id : user.name)));
    return { id, first, names, rules: unique(some.map(({ rule }) => rule.name)) };
  });
};

/** The most that the API returns at once; the rest follow when these are acknowledged. */
const NOTIFICATIONS_MAX = 200;

/** What waits for an acknowledgement by the reader, or by anybody. */
export const readOpen = async (api: Api, whose: "mine" | "everyones"): Promise<Open[]> =>
  byEvent(
    await api("notifications/list-notifications", {
      query: { state: "open", user: whose === "mine" ? "me" : undefined, limit: NOTIFICATIONS_MAX },
    }),
  );
