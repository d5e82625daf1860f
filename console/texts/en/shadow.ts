import type { Catalogue } from "../catalogue.ts";
import { formatNumber } from "../numbers.ts";

export const texts = {
  shadow: {
    lead: "During a shadow, the service determines whom it would notify, but notifies nobody. Use a shadow while your old service still notifies people, and compare both services.",
    until: "Ends at",
    untilHint: "In your time zone, at most 14 days from now. Owners are notified a day and an hour before the end.",
    begin: "Begin shadow",
    change: "Change end",
    begun: (until: string) => `Shadow until ${until}. Nobody is notified of new events.`,
    comparison: "Comparison",
    span: (since: string, until: string) => `Events from ${since} to ${until}.`,
    empty:
      "No shadow yet. Once a shadow has begun, each event appears here, with the people whom the old service notified and whom this service would have notified.",
    noEvents: "No events during this shadow. Let your tools send to both services.",
    noMatch: "No event on this page has this result.",
    result: "Result",
    counted: (result: string, n: number) => `${result}: ${formatNumber(n)}`,
    allResults: "All",
    event: "Event",
    theirs: "Old service",
    ours: "This service",
    nobody: "nobody",
    results: {
      nobody: "Nobody",
      "other person": "Other person",
      later: "Later",
      earlier: "Earlier",
      "more people": "More people",
      same: "Same",
      unknown: "Not reported",
    },
    hints:
      "“Nobody”: only the old service notified somebody. “Not reported”: the old service has not reported whom it notified.",
    older: "Earlier events",
    newest: "Newest events",
    pages: "Pages",
  },
};
export type Texts = Catalogue<typeof texts>;
