import type { Catalogue } from "../catalogue.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";

export const texts = {
  statistics: {
    empty:
      "No statistics yet. Statistics count events and show how quickly people acknowledge events. They are updated about once an hour.",
    by: "Statistics of",
    byOptions: { workspace: "Workspace", rule: "Rules", group: "Groups" },
    weeks: "Weeks",
    span: (n: number) => `The last ${n} weeks`,
    week: "Week from",
    soFar: (day: string) => `${day}, so far`,
    byWeek: "Week by week",
    parts: { rule: "Rule", group: "Group" },
    caption: (by: string, week: string) => `${by}, week from ${week}`,
    nobody: "No rule matched an event this week.",
    none: "none",
    events: "Events",
    acknowledged: "Acknowledged",
    of: (n: number, all: number) => `${formatNumber(n)} of ${formatNumber(all)}`,
    toAcknowledge: "Time to acknowledge",
    toResolve: "Time to resolve",
    drawn: (what: string) => `${what}, week by week`,
    medianAndMost:
      "The bar is the median, or the mean if there are fewer than 20 values. The line is the 90th percentile.",
    took: (half: string, most: string) => `50 % within ${half}, 90 % within ${most}`,
    meanOf: (n: number) => `mean of ${count(n, "value", "values")}`,
    export: "Export as CSV",
    p90: (duration: string) => `90 % within ${duration}`,
    notifications: "Notifications",
    atNight: "Paged at night",
    saved: "Notifications avoided by grouping",
    howCounted:
      "Times in bold are medians, or means if there are fewer than 20 values. A week starts on Monday at 00:00 UTC and covers the events received that week. Night is 22:00 to 07:00 in the time zone of the schedule. Updated about once an hour.",
  },
};
export type Texts = Catalogue<typeof texts>;
