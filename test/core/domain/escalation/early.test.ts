import { describe, expect, it } from "vitest";
import { confirmBy, firesEarly } from "../../../../core/domain/escalation/early.ts";

const steps = [1, 2].map((delayMinutes) => ({ delayMinutes, targets: [] }));
const plan = { repeat: 1, steps };
const asking = { ...plan, confirmWithinSeconds: 60 };
const at = (seconds: number) => ({ sinceMs: 0, nowMs: seconds * 1000 });
const first = { fired: 0, next: 1 };

describe("an escalation step that may fire early", () => {
  it.each([
    ["all have failed", plan, first, ["FAILED", "FAILED"], 0, true],
    ["one was sent", plan, first, ["FAILED", "SENT"], 0, false],
    ["one is not sent yet", plan, first, ["FAILED", "QUEUED"], 0, false],
    ["nothing is confirmed in time", asking, first, ["SENT", "FAILED"], 60, true],
    ["there is time left to confirm", asking, first, ["SENT"], 59, false],
    ["one is confirmed", asking, first, ["SENT", "DELIVERED"], 60, false],
    ["one was opened", asking, first, ["SENT", "OPENED"], 60, false],
    ["one acknowledged", asking, first, ["SENT", "ACKNOWLEDGED"], 60, false],
    ["the policy asks for nothing", plan, first, ["SENT"], 9999, false],
    ["it is the second step of the round", plan, { fired: 1, next: 2 }, ["FAILED"], 0, true],
    ["it would begin a new round", plan, { fired: 2, next: 3 }, ["FAILED"], 0, false],
  ] as const)("does not fire early if %s", (_, policy, steps, statuses, seconds, early) => {
    expect(firesEarly(policy, steps, statuses, at(seconds))).toBe(early);
  });
});

it("an early step is checked when the time to confirm is over, unless the step is due by then", () => {
  expect(confirmBy(asking, 1000, 300_000)).toBe(61_000);
  expect(confirmBy(asking, 1000, 61_000)).toBeUndefined();
  expect(confirmBy(plan, 1000, 300_000)).toBeUndefined();
});
