import { describe, expect, it } from "vitest";
import {
  notificationCount,
  notificationIdOf,
  packIdsOf,
  packsOfPlan,
  type PlannedRule,
} from "../../../../core/domain/delivery/delivery-plan.ts";

const crowd = (size: number) => Array.from({ length: size }, (_, index) => ({ userId: `usr_${index}`, reason: {} }));
const planned = (size: number): PlannedRule => ({
  rule: { id: "rule_1", version: 1, name: "Orders" },
  requiresAck: false,
  priority: "NORMAL",
  priorityFrom: "event",
  recipients: crowd(size),
});
const planOf = (...sizes: number[]) => ({ at: 1, rulesVersion: 0, peopleVersion: 0, rules: sizes.map(planned) });

describe("the packs of a plan", () => {
  it("hold up to 16 recipients of one rule each, in order", () => {
    const packs = packsOfPlan(planOf(33, 0, 1), 5);

    expect(packs.map(({ packId }) => packId)).toEqual([
      "00000000100000000500000000",
      "00000000100000000500000001",
      "00000000100000000500000002",
      "00000000100000000502000000",
    ]);
    expect(packs.map(({ recipients }) => recipients.length)).toEqual([16, 16, 1, 1]);
    expect(packs[1]?.recipients[0]?.userId).toBe("usr_16");
    expect(packs[2]?.recipients[0]?.userId).toBe("usr_32");
  });

  it("know the rule by which their recipients are told", () => {
    const plan = planOf(1);

    expect(packsOfPlan(plan, 5)[0]?.planned).toBe(plan.rules[0]);
  });

  it.each([
    [0, []],
    [16, [16]],
    [17, [16, 1]],
  ])("of %i recipients have the sizes %j", (size, sizes) => {
    expect(packsOfPlan(planOf(size), 5).map(({ recipients }) => recipients.length)).toEqual(sizes);
  });

  it("have ids that say when, of which event and rule, by which step, and which they are", () => {
    expect(packIdsOf({ at: 1, seq: 2, rule: 3, cursor: 4 }, 2)).toEqual([
      "00000000100000000203004000",
      "00000000100000000203004001",
    ]);
  });
});

describe("a user's notification", () => {
  const place = { at: 1, seq: 2, rule: 3, cursor: 4 };

  it.each([
    ["usr_0", "ntf_000000001000000002030040000"],
    ["usr_15", "ntf_00000000100000000203004000f"],
    ["usr_16", "ntf_000000001000000002030040010"],
    ["usr_33", "ntf_000000001000000002030040021"],
  ])("of %s is found by the user's place among the recipients: %s", (userId, id) => {
    expect(notificationIdOf(crowd(40), userId, place)).toBe(id);
  });

  it("does not exist for somebody who is not told", () => {
    expect(notificationIdOf(crowd(40), "usr_40", place)).toBeUndefined();
  });

  it("is counted over all rules", () => {
    expect(notificationCount(planOf(33, 0, 2))).toBe(35);
  });
});
