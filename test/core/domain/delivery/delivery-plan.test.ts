import { describe, expect, it } from "vitest";
import {
  countHeldByFlapping,
  isFlapping,
  isHeldByGroup,
  isNotifiedAfterHold,
  countNotifications,
  findNotificationId,
  listPackIds,
  buildPacks,
  listPacksOfPart,
  findPartIndex,
  splitPlan,
  findRuleRange,
  toFrozenPlan,
  type DeliveryPlan,
  type PlannedRule,
} from "../../../../core/domain/delivery/delivery-plan.ts";

const createRecipients = (size: number) =>
  Array.from({ length: size }, (_, index) => ({ userId: `usr_${index}`, reason: {} }));
const aRule = (size: number): PlannedRule => ({
  rule: { id: "rule_1", version: 1, name: "Orders" },
  requiresAck: false,
  priority: "NORMAL",
  priorityFrom: "event",
  recipients: createRecipients(size),
});
const packsOfPlan = (plan: DeliveryPlan, seq: number) =>
  splitPlan(plan).flatMap((part) => listPacksOfPart(part, { at: plan.at, seq, spread: false }));
const planOf = (...sizes: number[]) => ({ at: 1, rulesVersion: 0, peopleVersion: 0, rules: sizes.map(aRule) });

describe("the packs of a delivery plan", () => {
  it("contain up to 16 recipients of one rule each, in order", () => {
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

  it("name the rule that notifies their recipients", () => {
    const plan = planOf(1);

    expect(packsOfPlan(plan, 5)[0]?.planned).toEqual(plan.rules[0]);
  });

  it.each([
    [0, "no pack", []],
    [16, "one pack of 16", [16]],
    [17, "packs of 16 and 1", [16, 1]],
  ])("with %i recipients are: %s", (size, _, sizes) => {
    expect(packsOfPlan(planOf(size), 5).map(({ recipients }) => recipients.length)).toEqual(sizes);
  });

  it("have ids that contain the event's time and id, and the positions of rule, step and pack", () => {
    expect(listPackIds({ at: 1, seq: 2, spread: false, rule: 3, cursor: 4, pack: 0 }, 2)).toEqual([
      "00000000100000000203004000",
      "00000000100000000203004001",
    ]);
  });
});

const headOf = (plan: DeliveryPlan) => {
  const parts = splitPlan(plan).map(({ rule, pack }) => ({ rule, pack }));
  return toFrozenPlan({ at: 1, rulesVersion: 0, peopleVersion: 0, matched: plan.rules.length, id: "p", parts });
};

describe("the parts of a delivery plan", () => {
  it.each([
    ["one rule of 1,024 recipients", [1024], 1],
    ["one rule of 1,025 recipients", [1025], 2],
    ["64 rules of one recipient each", Array.from({ length: 64 }, () => 1), 1],
    ["65 rules of one recipient each", Array.from({ length: 65 }, () => 1), 2],
    ["65 rules without recipients", Array.from({ length: 65 }, () => 0), 2],
    ["one rule of 2,048 recipients", [2048], 2],
    ["no rules", [], 1],
  ])("that has %s are $2 in number", (_, sizes, count) => {
    expect(splitPlan(planOf(...sizes))).toHaveLength(count);
  });

  it("continue a rule where the previous part ended, with the same pack ids as in an undivided plan", () => {
    const parts = splitPlan(planOf(16, 1030, 1));

    expect(parts.map(({ rule, pack, rules }) => [rule, pack, rules.map((each) => each.recipients.length)])).toEqual([
      [0, 0, [16, 1008]],
      [1, 63, [22, 1]],
    ]);
    expect(listPacksOfPart(parts[1]!, { at: 1, seq: 2, spread: false }).map(({ packId }) => packId)).toEqual([
      "0000000010000000020100001z",
      "00000000100000000201000020",
      "00000000100000000202000000",
    ]);
  });

  it("each contain the total number of packs of a rule that is divided among parts", () => {
    expect(splitPlan(planOf(16 * 130)).map(({ rules }) => rules[0]?.packs)).toEqual([130, 130, 130]);
  });

  it("contain fewer rules if the rules have very long names", () => {
    const long = { ...aRule(1), rule: { id: "rule_1", version: 1, name: "x".repeat(40_000) } };

    expect(splitPlan({ rules: [long, long, long] }).map(({ rules }) => rules.length)).toEqual([2, 1]);
  });

  it("are found by a rule's number, which leads to the part in which the rule begins", () => {
    const head = headOf(planOf(16, 1030, 1));

    expect([0, 1, 2].map((rule) => findPartIndex(head, rule))).toEqual([0, 0, 1]);
    expect(
      findPartIndex(
        {
          parts: [
            { rule: 0, pack: 0 },
            { rule: 2, pack: 0 },
          ],
        },
        1,
      ),
    ).toBe(0);
    expect([0, 1].map((part) => findRuleRange(head, part))).toEqual([
      { from: 0, to: 1 },
      { from: 2, to: 2 },
    ]);
  });
});

describe("a delivery plan", () => {
  it("of one part is stored with its event; one of several parts is stored separately, and the event has the plan's id", () => {
    const plan = planOf(1, 0);
    const { rules, ...head } = plan;

    expect(toFrozenPlan(plan)).toEqual({
      ...head,
      matched: 2,
      parts: [{ rule: 0, pack: 0 }],
      body: { rule: 0, pack: 0, rules },
    });
    expect(headOf(planOf(2048))).toMatchObject({ body: "p", matched: 1, parts: { length: 2 } });
    expect(headOf(planOf(2048))).not.toHaveProperty("id");
  });

  it("stores the number of a rule's packs with the rule's first pack, even if the other packs are in the next part", () => {
    const [first, second] = splitPlan(planOf(1030));
    const packTotalsIn = (part: typeof first) =>
      listPacksOfPart(part!, { at: 1, seq: 2, spread: false }).flatMap(({ packs }) => packs ?? []);

    expect([packTotalsIn(first), packTotalsIn(second)]).toEqual([[65], []]);
    expect(packsOfPlan(planOf(17), 5).map(({ packs }) => packs)).toEqual([2, undefined]);
  });

  it.each<[string, Pick<DeliveryPlan, "after" | "flapping">, { held: number; isHeld: boolean; afterwards: boolean }]>([
    ["that was never held is not held now", {}, { held: 0, isHeld: false, afterwards: false }],
    [
      "after a silence notifies people whom the silence held back",
      { after: { id: "sil_1", name: "Night" } },
      { held: 0, isHeld: false, afterwards: true },
    ],
    [
      "after flapping notifies people whom the flapping held back",
      { flapping: { until: 5 } },
      { held: 0, isHeld: false, afterwards: true },
    ],
    [
      "during flapping holds people back, and counts them",
      { flapping: { until: 5, held: [2, 3] } },
      { held: 5, isHeld: true, afterwards: false },
    ],
  ])("%s", (_, plan, { held, isHeld, afterwards }) => {
    expect(countHeldByFlapping(plan)).toBe(held);
    expect(isFlapping(plan)).toBe(isHeld);
    expect(isNotifiedAfterHold(plan)).toBe(afterwards);
  });

  it("counts the packs of an escalation step separately from those of its rule", () => {
    const step = { ...aRule(17), packs: 65 };
    const first = { at: 1, seq: 2, spread: false, rule: 3, cursor: 4, pack: 0 };

    expect(buildPacks(step, step.recipients, first).map(({ packs }) => packs)).toEqual([2, undefined]);
    expect(buildPacks(step, step.recipients, { ...first, cursor: 0, pack: 1 }).map(({ packs }) => packs)).toEqual([
      undefined,
      undefined,
    ]);
    expect(buildPacks(step, step.recipients, { ...first, cursor: 0 })[0]?.packs).toBe(65);
  });

  it.each([
    ["joined no group and reached any threshold", {}, false, "does not hold back"],
    ["joined a group", { into: "evt_1" }, true, "holds back"],
    ["is below a threshold", { below: { count: 1, of: 2 } }, true, "holds back"],
  ])("$3 recipients of an event that %s", (_, grouped, held, _verb) => {
    expect(isHeldByGroup({ rule: 0, key: "g", ...grouped })).toBe(held);
  });
});

describe("the notification of one recipient", () => {
  const first = { at: 1, seq: 2, spread: false, rule: 3, cursor: 4, pack: 0 };

  it.each([
    ["usr_0", "ntf_000000001000000002030040000"],
    ["usr_15", "ntf_00000000100000000203004000f"],
    ["usr_16", "ntf_000000001000000002030040010"],
    ["usr_33", "ntf_000000001000000002030040021"],
  ])("has an id that contains the position of %s among the recipients: %s", (userId, id) => {
    expect(findNotificationId(createRecipients(40), userId, first)).toBe(id);
  });

  it("has no id if the person is not notified", () => {
    expect(findNotificationId(createRecipients(40), "usr_40", first)).toBeUndefined();
  });

  it("is counted once in the plan's total number of notifications", () => {
    expect(countNotifications(planOf(33, 0, 2))).toBe(35);
  });
});
