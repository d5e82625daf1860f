import { describe, expect, it } from "vitest";
import { findPlanFaults, findHoldFaults, compareWithPlan } from "../../../../core/domain/delivery/ledger.ts";
import type { PackRecipient } from "../../../../core/domain/delivery/pack.ts";
import { aPack, aRecipient, NOON } from "../support.ts";

const accepted = { dev_1: { outcome: "accepted", tries: 1, unknowns: 0 } } as const;
const ann = aRecipient({ attempts: accepted });
const bob = aRecipient({
  userId: "usr_bob",
  status: "FAILED",
  failedReason: "No registered devices for user",
  attempts: {},
});
const cat = aRecipient({ userId: "usr_cat", status: "QUEUED" });

const other = aPack({ packId: "o", recipients: [] });
const ledger = (userIds: string[], recipients: PackRecipient[], finished = false) =>
  compareWithPlan([{ packId: "p", userIds }], [other, aPack({ packId: "p", recipients })], { silenced: 2, finished });

describe("the notification ledger of an event", () => {
  it("lists each recipient once: as notified, failed, silenced or pending", () => {
    expect(ledger(["usr_ann", "usr_bob", "usr_cat"], [ann, bob, cat])).toEqual({
      recipients: 5,
      told: 1,
      failed: 1,
      silenced: 2,
      pending: 1,
      faults: [],
    });
    expect(ledger(["usr_ann"], [ann])).toMatchObject({ told: 1, failed: 0 });
    expect(compareWithPlan([{ packId: "q", userIds: ["usr_ann"] }], [], { finished: false })).toMatchObject({
      pending: 1,
    });
  });

  it.each([
    ["a recipient is missing", ["usr_ann", "usr_bob"], [ann], "p does not have usr_bob at position 1"],
    ["it has a person whom no rule notifies", ["usr_ann"], [ann, bob], "p has usr_bob, whom no rule or step notifies"],
    ["it has another person in place of a recipient", ["usr_ann"], [bob], "p does not have usr_ann at position 0"],
    [
      "a recipient is pending although the work is finished",
      ["usr_cat"],
      [cat],
      "1 recipients are pending, but the work is finished",
    ],
    [
      "it is empty although the work is finished",
      ["usr_ann"],
      [],
      "1 recipients are pending, but the work is finished",
    ],
    [
      "a recipient counts as notified although no device accepted the push",
      ["usr_ann"],
      [aRecipient({ attempts: {} })],
      "ntf_1 is SENT, but no device accepted it",
    ],
    [
      "a recipient counts as failed although a device accepted the push",
      ["usr_bob"],
      [{ ...bob, attempts: accepted }],
      "ntf_1 is FAILED, but a device accepted it",
    ],
    [
      "a recipient has failed without a reason",
      ["usr_bob"],
      [{ ...bob, failedReason: undefined }],
      "ntf_1 is FAILED without a reason",
    ],
  ])("is reported as wrong if %s", (_, userIds, recipients, fault) => {
    expect(ledger(userIds, recipients, true).faults).toEqual([fault]);
  });

  it("reports no fault while a person's notification steps postpone the first page, and a fault once the page is overdue", () => {
    const rings = [{ at: NOON + 300_000, ways: ["push" as const] }];
    const faultsAt = (rangAt: number | undefined) =>
      compareWithPlan(
        [{ packId: "p", userIds: ["usr_cat"] }],
        [aPack({ packId: "p", recipients: [{ ...cat, rings }], rangAt })],
        { finished: true },
      ).faults;

    expect(faultsAt(undefined)).toEqual([]);
    expect(faultsAt(NOON + 299_999)).toEqual([]);
    expect(faultsAt(NOON + 300_000)).toHaveLength(1);
    // Ann's notification steps postpone her page, but Cat's missing page must be reported.
    const early = { ...ann, status: "ACKNOWLEDGED" as const, attempts: undefined, rings };
    expect(ledger(["usr_cat", "usr_ann"], [cat, early], true).faults).toHaveLength(1);
  });
});

describe("before delivery, the notification ledger of an event's plan", () => {
  const notifyingRule = (...userIds: string[]) => ({
    rule: { id: "rule_1", version: 1, name: "Rule" },
    requiresAck: true,
    priority: "NORMAL" as const,
    priorityFrom: "event" as const,
    recipients: userIds.map((userId) => ({ userId, reason: {} })),
  });
  const silence = { id: "sil_1", name: "Release", recipients: 2 };
  const escalation = { id: "pol_1", name: "Ladder", repeat: 0, steps: [] };

  it("lists each recipient of the rules once, as to be notified or as silenced", () => {
    expect(findPlanFaults(2, { rules: [notifyingRule("usr_ann", "usr_bob")] })).toEqual([]);
    expect(findPlanFaults(2, { rules: [notifyingRule()], silence })).toEqual([]);
    expect(findPlanFaults(2, { rules: [notifyingRule("usr_ann")] })).toEqual([
      "the rules name 2 people, but the plan notifies 1, holds back 0 and groups 0",
    ]);
    expect(findPlanFaults(3, { rules: [notifyingRule()], silence })).toHaveLength(1);
  });

  it("lists recipients who are held back by flapping, or who were notified by an earlier event of the group", () => {
    const flapping = { until: NOON, held: [2, 1] };
    const groups = [
      { rule: 0, key: "g", into: "evt_1", recipients: 3 },
      { rule: 1, key: "h" },
    ];

    expect(findPlanFaults(5, { rules: [notifyingRule()], silence, flapping })).toEqual([]);
    expect(findPlanFaults(4, { rules: [notifyingRule("usr_ann")], groups })).toEqual([]);
    expect(findPlanFaults(2, { rules: [notifyingRule("usr_ann")], groups })).toHaveLength(1);
  });

  it("is reported as wrong if a silenced event notifies somebody, at once or by an escalation step", () => {
    expect(findHoldFaults({ rules: [notifyingRule("usr_ann")] })).toEqual([]);
    expect(findHoldFaults({ rules: [notifyingRule()], silence })).toEqual([]);
    expect(findHoldFaults({ rules: [notifyingRule("usr_ann")], silence })).toEqual([
      "1 notifications are planned although sil_1 holds the event back",
    ]);
    expect(findHoldFaults({ rules: [{ ...notifyingRule(), escalation }], silence })).toEqual([
      "1 rules escalate although sil_1 holds the event back",
    ]);
    expect(findHoldFaults({ rules: [notifyingRule("usr_ann")], flapping: { until: NOON, held: [1] } })).toEqual([
      "1 notifications are planned although its flapping holds the event back",
    ]);
  });
});
