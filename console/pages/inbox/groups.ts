import type { Answers } from "../../app/types.ts";

type ListedEvent = Answers["EventPage"]["items"][number];

/** An open event. `card`: null if the event is shown as a row. */
export type OpenEvent = {
  id: string;
  title: string;
  eventKey: string;
  priority: ListedEvent["priority"];
  at: string;
  rules: readonly { id: string; name: string }[];
  card: NonNullable<ListedEvent["card"]> | null;
};

export const CARDS_MAX = 20;

/** Equally urgent events of a rule, newest first. */
export type EventGroup = { key: string; name: string; events: [OpenEvent, ...OpenEvent[]] };

/**
 * Groups open events in the list's order. An event belongs to its first rule, or to its event key if the rule is unknown. Each
 * priority is a separate group, so that urgent events come first.
 */
export const groupByRule = (open: readonly OpenEvent[]): EventGroup[] => {
  const groups = new Map<string, EventGroup>();
  for (const one of open) {
    const { id, name } = one.rules[0] ?? { id: one.eventKey, name: one.eventKey };
    const key = `${id}-${one.priority}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { key, name, events: [one] });
    else group.events.push(one);
  }
  return [...groups.values()];
};
