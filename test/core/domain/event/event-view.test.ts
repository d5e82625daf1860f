import { describe, expect, it } from "vitest";
import { outcomeOf, toEventListItem } from "../../../../core/domain/event/event-view.ts";
import type { NotificationStatus } from "../../../../core/domain/basics/notification-status.ts";

const all = (...statuses: NotificationStatus[]) =>
  statuses.map((status) => ({ status, failedReason: null, added: null }));
const needless = {
  status: "FAILED" as const,
  failedReason: "Not sent: the event was acknowledged before this escalation step was sent",
  added: null,
};
const line = {
  status: "SENT" as const,
  failedReason: null,
  added: { because: "flapping" as const, by: null, note: null },
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
    ["no_recipient", 1, [line]],
    ["all_failed", 1, [line, ...all("FAILED")]],
  ] as const)("is %s with %s matched rules and these notifications: %j", (outcome, matchedRules, notifications) => {
    const plan =
      matchedRules === undefined ? undefined : { matched: matchedRules, silence: undefined, groups: undefined };
    expect(outcomeOf(plan, notifications)).toBe(outcome);
  });
});

it("a silence keeps people from being told of what rules matched, and of nothing else", () => {
  const plan = { silence: { id: "sil_1", name: "Quiet", recipients: 1 }, groups: undefined };

  expect(outcomeOf({ ...plan, matched: 1 }, all("SENT"))).toBe("silenced");
  expect(outcomeOf({ ...plan, matched: 0 }, [])).toBe("no_match");
});

it("lists an event with how many notifications it has made", () => {
  const content = { eventKey: "order.failed", title: "Order failed", priority: "HIGH" as const };

  expect(
    toEventListItem({ eventId: "evt_1", receivedAt: 1_795_262_400_000, notifications: 3, content }, "open"),
  ).toEqual({
    id: "evt_1",
    eventKey: "order.failed",
    title: "Order failed",
    priority: "HIGH",
    receivedAt: "2026-11-21T12:00:00.000Z",
    state: "open",
    groupedInto: null,
    _count: { notifications: 3 },
  });
});
