import type { Mutants } from "../mutant.ts";

/** Mutants of what keeps deletion by time to live behind the edge up to which nothing is shown. */
export const retentionMutants: Mutants = {
  "deleted-while-shown": {
    takes: "the days between the edge and the deletion of what it has passed",
    at: ["core/domain/workspace/retention.ts", "keptUntil"],
    from: " + 1 + SPARE_DAYS",
    to: " - SPARE_DAYS",
    caughtBy: { test: "test/core/flow/retention.test.ts" },
  },
  "edge-not-noted": {
    takes: "the note of each day's last number",
    at: ["core/flow/sweep/sweep.ts", "auditWorkspace"],
    drops: "await part(() => setLastNumber(deps, ws, dayOf(deps.now()), control.seq));",
    caughtBy: { test: "test/core/flow/retention-edge.test.ts" },
  },
  "edge-ignored-by-the-judge": {
    takes: "the edge before which no number is missing",
    at: ["core/flow/sweep/sweep.ts", "auditNumbers"],
    from: "Math.max(checked, edge) + 1",
    to: "Math.max(checked, Math.min(edge, 0)) + 1",
    caughtBy: { test: "test/core/flow/retention-edge.test.ts" },
  },
  "lost-behind-the-edge": {
    takes: "the lost numbers behind the edge, which do not count",
    at: ["core/domain/event/number-page.ts", "totalOf"],
    from: "(lost - past)",
    to: "(lost - 0 * past)",
    caughtBy: { test: "test/core/domain/event/number-page.test.ts" },
  },
  "edge-falls": {
    takes: "the earlier plan's days for the events that came under it",
    at: ["core/domain/workspace/retention.ts", "withDays"],
    from: "before: { days: fewest, till: now + SPARE_DAYS * DAY_MS }",
    to: "before: { days: fewest, till: now - 400 * DAY_MS }",
    caughtBy: { test: "test/core/domain/workspace/retention.test.ts" },
  },
  "site-behind-the-edge": {
    takes: "the edge from a site's list",
    at: ["core/store/events/sites.ts", "positionsUpTo"],
    from: "if (edge === 0) return 0;",
    to: "if (edge >= 0) return 0;",
    caughtBy: { test: "test/core/store/sites.test.ts" },
  },
  "course-without-end": {
    takes: "the end of an event's course",
    at: ["core/store/events/progress.ts", "changeProgress"],
    from: "const { ttl } = own;",
    to: "const { ttl } = { ...own, ttl: undefined };",
    caughtBy: { test: "test/core/flow/retention.test.ts" },
  },
};
