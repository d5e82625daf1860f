import type { Firsts } from "../../app/grouped.ts";
import type { Answers } from "../../app/types.ts";

type ListedEvent = Answers["EventPage"]["items"][number];

/**
 * Replaces the events of a group by one row, in the place of the group's newest event. If the event that notified people is not
 * loaded, the newest event represents the group.
 */
export const foldGroups = (items: readonly ListedEvent[], firsts: Firsts): ListedEvent[] => {
  const byId = new Map(items.map((item) => [item.id, item]));
  const heads = new Map<string, ListedEvent>();
  for (const item of items) {
    const head = item.groupedInto ?? item.id;
    if (!heads.has(head)) heads.set(head, byId.get(head) ?? firsts.get(head) ?? item);
  }
  return [...heads.values()];
};
