import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../core/domain/event-view.ts";
import type { NotificationStatus } from "../../../core/domain/notification.ts";

const all = (...statuses: NotificationStatus[]) => statuses.map((status) => ({ status, failedReason: null }));
const needless = {
  status: "FAILED" as const,
  failedReason: "Not sent: the event was acknowledged before this escalation step was sent",
};

describe("the outcome of an event", () => {
  it.each([
    ["pending", undefined, []],
    ["no_match", 0, []],
    ["no_recipient", 1, []],
    ["pending", 1, all("SENT", "QUEUED", "FAILED")],
    ["delivered", 1, all("SENT", "DELIVERED", "OPENED", "ACKNOWLEDGED")],
    ["partial", 2, all("SENT", "FAILED")],
    ["all_failed", 1, all("FAILED", "FAILED")],
    ["delivered", 1, [...all("ACKNOWLEDGED"), needless]],
  ] as const)("is %s with %s matched rules and these notifications: %j", (outcome, matchedRules, notifications) => {
    expect(outcomeOf(matchedRules, notifications)).toBe(outcome);
  });
});
