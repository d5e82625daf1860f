import { describe, expect, it } from "vitest";
import { computeConfirmationCheckTime, mustFireEarly } from "../../../../core/domain/escalation/early-steps.ts";

const steps = [1, 2].map((delayMinutes) => ({ delayMinutes, targets: [] }));
const plan = { repeat: 1, steps };
const asking = { ...plan, confirmWithinSeconds: 60 };
const after = (seconds: number) => ({ sinceMs: 0, nowMs: seconds * 1000 });
const first = { fired: 0, next: 1 };

describe("an escalation step that may fire before its time", () => {
  it.each([
    ["fires early if all notifications have failed", plan, first, ["FAILED", "FAILED"], 0, true],
    ["does not fire early if one notification was sent", plan, first, ["FAILED", "SENT"], 0, false],
    ["does not fire early if one notification has not been sent yet", plan, first, ["FAILED", "QUEUED"], 0, false],
    ["fires early if no device confirms in time", asking, first, ["SENT", "FAILED"], 60, true],
    ["does not fire early while there is time left to confirm", asking, first, ["SENT"], 59, false],
    ["does not fire early if one notification was confirmed", asking, first, ["SENT", "DELIVERED"], 60, false],
    ["does not fire early if one notification was opened", asking, first, ["SENT", "OPENED"], 60, false],
    ["does not fire early if one notification was acknowledged", asking, first, ["SENT", "ACKNOWLEDGED"], 60, false],
    ["does not fire early if the policy waits for no confirmation", plan, first, ["SENT"], 9999, false],
    ["fires early if it is the second step of the repeat", plan, { fired: 1, next: 2 }, ["FAILED"], 0, true],
    ["does not fire early if it would begin another repeat", plan, { fired: 2, next: 3 }, ["FAILED"], 0, false],
  ] as const)("%s", (_, policy, steps, statuses, seconds, early) => {
    expect(mustFireEarly(policy, steps, statuses, after(seconds))).toBe(early);
  });
});

it("confirmations are checked when the time to confirm ends, unless the next escalation step is due by then", () => {
  expect(computeConfirmationCheckTime(asking, 1000, 300_000)).toBe(61_000);
  expect(computeConfirmationCheckTime(asking, 1000, 61_000)).toBeUndefined();
  expect(computeConfirmationCheckTime(plan, 1000, 300_000)).toBeUndefined();
});
