import type { Catalogue } from "../catalogue.ts";
import { formatCount as count } from "../numbers.ts";

export const texts = {
  preview: {
    result: "Who would be on call",
    changes: "On-call changes",
    noChanges: "In the next two weeks, the same people stay on call.",
    moreChanges: (n: number) => `and ${count(n, "more change", "more changes")}`,
    nights: (weeks: number) => `Nights in the next ${weeks} weeks`,
    sameNights: "Each person has as many nights as before.",
    nightsOf: (name: string, before: number, after: number) => `${name}: ${before} → ${after}`,
    gaps: "Gaps",
    noGaps: "No gaps in the next two weeks.",
    clocks: "Clock changes",
    clockChange: (at: string, minutes: number, names: readonly string[]) =>
      `${at}: the clocks go ${minutes > 0 ? "forward" : "back"}; the shift${names.length === 0 ? "" : ` of ${names.join(", ")}`} is ${Math.abs(minutes)} minutes ${minutes > 0 ? "shorter" : "longer"}.`,
    clocksRule: (zone: string) => `Handoffs follow local time in ${zone} all year.`,
  },
};
export type Texts = Catalogue<typeof texts>;
