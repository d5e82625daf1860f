import type { Catalogue } from "../catalogue.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";

export const texts = {
  load: {
    inMonth: (month: string) => `Load in ${month}`,
    inMonthHint: "Hours on call in all groups; the end of each bar shows the weekend hours.",
    ofPerson: (hours: number, weekend: number) =>
      `${count(hours, "hour", "hours")}, ${formatNumber(weekend)} of them on weekends`,
    hours: (n: number) => `${formatNumber(n)} h`,
    by: "Load of",
    byOptions: { person: "Person", group: "Group" },
    empty: "Nobody was on call in these three months. Set up a schedule to see how many hours each person is on call.",
    nobody: "Nobody was on call.",
    soFar: (month: string) => `${month}, so far`,
    total: "Hours",
    nights: "Night hours",
    weekends: "Weekend hours",
    holidays: "Holiday hours",
    pages: "Pages",
    pagesAtNight: "Pages at night",
    toResolve: "Mean time to resolve",
    minutes: (minutes: number) => `${formatNumber(minutes)} min`,
    shortRests: "Short rests",
    covers: "Shifts given away / taken over",
    pay: "Pay",
    drawn: "Night and weekend hours",
    drawnHint: "Each bar shows night hours first, then weekend hours.",
    said: (night: string, weekend: string) => `${night} night hours, ${weekend} weekend hours`,
    csv: "Download CSV",
    csvOf: (month: string) => `Download CSV: ${month}`,
    howCounted:
      "Months are in UTC. Night is 22:00 to 07:00 in the time zone of the schedule. A month closes 24 hours after its end and then stays unchanged.",
  },
};
export type Texts = Catalogue<typeof texts>;
