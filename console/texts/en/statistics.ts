import type { Catalogue } from "../catalogue.ts";
import { number } from "../numbers.ts";

/** What the statistics say. */
export const texts = {
  statistics: {
    empty: "No numbers yet. They are counted about once an hour, from the events that came in.",
    by: "Numbers of",
    byOptions: { workspace: "Workspace", rule: "Rules", group: "Groups" },
    weeks: "Weeks",
    span: (n: number) => `The last ${n}`,
    week: "Week from",
    soFar: (day: string) => `${day}, so far`,
    byWeek: "Week by week",
    parts: { rule: "Rule", group: "Group" },
    caption: (by: string, week: string) => `${by}, week from ${week}`,
    nobody: "No rule matched an event in this week.",
    none: "none",
    events: "Events",
    acknowledged: "Acknowledged",
    of: (n: number, all: number) => `${number(n)} of ${number(all)}`,
    toAcknowledge: "Time to acknowledge",
    toResolve: "Time to resolve",
    drawn: (what: string) => `${what}, week by week`,
    medianAndMost: "Bar: half of them. Line: 90 %.",
    took: (half: string, most: string) => `half within ${half}, 90 % within ${most}`,
    p90: (duration: string) => `90 % within ${duration}`,
    notifications: "Notifications",
    atNight: "Woken at night",
    saved: "Saved by grouping",
    howCounted:
      "Times in bold are medians. A week begins on Monday at 00:00 UTC and has what became of the events that came in then. Night is from 22:00 to 07:00 by the clock of the schedule that people are told by. Counted about once an hour.",
  },
};
export type Texts = Catalogue<typeof texts>;
