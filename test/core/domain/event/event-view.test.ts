import { describe, expect, it } from "vitest";
import {
  findLeadingEvent,
  type Outcome,
  judgeOutcome,
  toEventListItem,
  toFlappingView,
} from "../../../../core/domain/event/event-view.ts";
import type { NotificationStatus } from "../../../../core/domain/basics/notification-status.ts";

const notificationsOf = (...statuses: NotificationStatus[]) =>
  statuses.map((status) => ({ status, failedReason: null, added: null }));
const needless = {
  status: "FAILED" as const,
  failedReason: "Not sent: the event was acknowledged before this escalation step was sent",
  added: null,
};
const flappingReport = {
  status: "SENT" as const,
  failedReason: null,
  added: { because: "flapping" as const, by: null, note: null },
};

describe("the outcome of an event", () => {
  it.each([
    ["pending", "its rules are not matched yet", undefined, []],
    ["no_match", "no rule matched", 0, []],
    ["no_recipient", "a rule matched, but it notifies nobody", 1, []],
    ["pending", "a notification is still queued", 1, notificationsOf("SENT", "QUEUED", "FAILED")],
    ["delivered", "every notification was sent", 1, notificationsOf("SENT", "DELIVERED", "OPENED", "ACKNOWLEDGED")],
    ["partial", "one notification was sent and another one failed", 2, notificationsOf("SENT", "FAILED")],
    ["all_failed", "all notifications failed", 1, notificationsOf("FAILED", "FAILED")],
    [
      "delivered",
      "an acknowledgement made the only failed notification needless",
      1,
      [...notificationsOf("ACKNOWLEDGED"), needless],
    ],
    ["no_recipient", "only a report about flapping was sent", 1, [flappingReport]],
    [
      "all_failed",
      "a report about flapping was sent, but all other notifications failed",
      1,
      [flappingReport, ...notificationsOf("FAILED")],
    ],
  ] as const)("is %s if %s", (outcome, _when, matchedRules, notifications) => {
    const plan =
      matchedRules === undefined ? undefined : { matched: matchedRules, silence: undefined, groups: undefined };
    expect(judgeOutcome(plan, notifications)).toBe(outcome);
  });
});

describe("the outcome of an event whose notifications were suppressed", () => {
  const into = { rule: 1, key: "g", into: "evt_0" };
  const below = { rule: 0, key: "g", below: { count: 1, of: 2 } };
  const paged = { rule: 0, key: "h" };
  const page = { rule: 0, step: 0, userId: "usr_ann", at: 0, devices: [] };

  it.each<[Outcome, string, Partial<Parameters<typeof judgeOutcome>[0] & object>]>([
    ["flapping", "its alert flaps, and its notifications are held", { flapping: { until: 5, held: [1] } }],
    ["no_recipient", "its alert flaps, but no notification is held", { flapping: { until: 5 } }],
    ["grouped", "one of its groups already paged for an earlier event", { groups: [paged, below, into] }],
    ["below_threshold", "no group paged before, and one is below its threshold", { groups: [paged, below] }],
    ["no_recipient", "its group suppresses nothing", { groups: [paged] }],
    ["shadow", "a shadow suppresses pages", { shadow: { asks: false, pages: [page], omitted: 0 } }],
    ["no_recipient", "a shadow has no page to suppress", { shadow: { asks: false, pages: [], omitted: 0 } }],
  ])("is %s if %s", (outcome, _when, plan) => {
    expect(judgeOutcome({ matched: 1, ...plan }, [])).toBe(outcome);
  });

  it("is delivered if one rule notified somebody, even if grouping suppressed all other notifications", () => {
    expect(judgeOutcome({ matched: 2, groups: [into] }, notificationsOf("SENT"))).toBe("delivered");
  });
});

describe("an event whose group paged for an earlier event", () => {
  const content = { eventKey: "order.failed", title: "Order failed", priority: "HIGH" as const };
  const groups = [
    { rule: 0, key: "h" },
    { rule: 1, key: "g", into: "evt_0" },
  ];
  const rule = (...userIds: string[]) => ({ recipients: userIds.map((userId) => ({ userId, reason: {} })) });
  const createListItem = (body: unknown, notifications = 0) =>
    toEventListItem(
      { eventId: "evt_1", receivedAt: 0, notifications, content, plan: { groups, body: body as never } },
      "open",
    ).groupedInto;

  it("names that earlier event if its own rules notify nobody", () => {
    expect(findLeadingEvent({ groups })).toBe("evt_0");
    expect(findLeadingEvent({})).toBeNull();
    expect(createListItem({ rules: [rule(), rule()] })).toBe("evt_0");
    expect(createListItem({ rules: [rule(), rule("usr_ann")] })).toBeNull();
  });

  it("with a plan of several parts names that earlier event until it has a notification itself", () => {
    expect(createListItem("plan_1", 0)).toBe("evt_0");
    expect(createListItem("plan_1", 1)).toBeNull();
  });
});

it("an event whose alert flaps shows until when it is held back, and how many people are not notified", () => {
  expect(toFlappingView({ flapping: { until: 1_795_262_400_000, held: [2, 1] } })).toEqual({
    until: "2026-11-21T12:00:00.000Z",
    recipients: 3,
  });
  expect([toFlappingView({}), toFlappingView(undefined)]).toEqual([null, null]);
});

it("the outcome of an event during a silence is silenced if a rule matches, and no_match if none does", () => {
  const plan = { silence: { id: "sil_1", name: "Quiet", recipients: 1 }, groups: undefined };

  expect(judgeOutcome({ ...plan, matched: 1 }, notificationsOf("SENT"))).toBe("silenced");
  expect(judgeOutcome({ ...plan, matched: 0 }, [])).toBe("no_match");
});

it("the outcome of an event is delivered if its raised priority notified somebody, even after a silence or no match", () => {
  const raised = {
    status: "SENT" as const,
    failedReason: null,
    added: { because: "raised" as const, by: null, note: null },
  };
  const silence = { id: "sil_1", name: "Quiet", recipients: 1 };

  expect(judgeOutcome({ matched: 0, silence: undefined, groups: undefined }, [raised])).toBe("delivered");
  expect(judgeOutcome({ matched: 1, silence, groups: undefined }, [raised])).toBe("delivered");
});

it("an event is listed with its number of notifications", () => {
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
