import type { Mutants } from "../mutant.ts";

const CHANGES = "test/core/flow/on-call-changes.test.ts";
const WATCHES = "test/core/flow/watches.test.ts";

/** Mutants of what is noticed on behalf of webhooks: who comes on call, and what is recorded. */
export const watchMutants: Mutants = {
  "trail-beyond-the-head": {
    takes: "the end of what a look tells of the trail, behind which it has not seen who is on call",
    at: ["core/flow/deliver/check-workspace.ts", "enqueueTrail"],
    cuts: ".filter((one) => one.seq <= head)",
    caughtBy: { test: WATCHES },
  },
  "told-without-a-watch": {
    takes: "the watch that is asked for before a webhook is written that needs one",
    at: ["core/store/delivery/webhooks.ts", "askFor"],
    cuts: "if (needsWatch(types)) await askWatch(deps, ws);",
    caughtBy: { test: WATCHES },
  },
  "trail-seen-before-it-is-in-line": {
    takes: "the order in which entries of the trail are in line before they count as seen",
    at: ["core/flow/deliver/check-workspace.ts", "enqueueTrail"],
    from: "const views = await viewsOf(deps, ws, entries);",
    to: "const views = await viewsOf(deps, ws, entries);\n    const end = entries.at(-1);\n    if (end !== undefined) await setSeen(deps, ws, end);",
    caughtBy: { scenario: "watched" },
  },
  "edits-unseen": {
    takes: "the sweeper's comparison of the trail's head with what was seen",
    at: ["core/flow/sweep/sweep-watches.ts", "sweepWatches"],
    from: "(counts.get(ws) ?? 0) > seen.seq",
    to: "(counts.get(ws) ?? 0) < 0",
    caughtBy: { test: WATCHES },
  },
  "shifts-unseen": {
    takes: "the time at which the next shift begins, by which the sweeper has a workspace looked at",
    at: ["core/flow/deliver/check-workspace.ts", "checkWorkspace"],
    from: "look?.next ?? now + DAY_MS",
    to: "now + DAY_MS",
    caughtBy: { scenario: "watched" },
  },
  "change-told-before-it-is-written": {
    takes: "the condition that a group's story is still the one that was read",
    at: ["core/store/schedules/on-call-timelines.ts", "writeOnCallTimeline"],
    from: "before === undefined ? {} : asRead(before)",
    to: `before === undefined ? {} : { condition: "attribute_exists(pk)" }`,
    caughtBy: { test: CHANGES },
  },
  "noted-as-told-first": {
    takes: "the order in which changes of who is on call are in line before they are noted as told",
    at: ["core/flow/deliver/on-call-changes.ts", "noticeOnCallChanges"],
    from: "if (story.untold.length > 0) await notify(story, people);",
    to: "await setOnCallReported(deps, ws, story);\n    if (story.untold.length > 0) await notify(story, people);",
    caughtBy: { scenario: "watched" },
  },
  "trail-to-any-manager": {
    takes: "the check that only owners have a webhook told of the audit trail, which only they read",
    at: ["core/flow/admin/webhooks.ts", "updateWebhook"],
    from: ", { expected, allow: allowed(deps, ws) }",
    to: ", { expected }",
    caughtBy: { test: "test/interface/trail-to-webhooks.test.ts" },
  },
  "watch-ended-too-soon": {
    takes: "the quarter of an hour for which a watch stays that somebody may be about to need",
    at: ["core/flow/deliver/check-workspace.ts", "endWatch"],
    from: "deps.now() > until",
    to: "deps.now() > watch.askedAt",
    caughtBy: { test: WATCHES },
  },
};
