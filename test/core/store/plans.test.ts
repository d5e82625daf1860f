import { expect, it } from "vitest";
import type { DeliveryPlan } from "../../../core/domain/delivery/delivery-plan.ts";
import { splitPlan, toFrozenPlan } from "../../../core/domain/delivery/delivery-plan.ts";
import { computePlanId, putPlanPart, readPlannedRule, readPlannedRules } from "../../../core/store/events/plans.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();

const planOf = (name: string): DeliveryPlan => ({
  at: 1,
  rulesVersion: 1,
  peopleVersion: 1,
  rules: [1030, 1].map((people, rule) => ({
    rule: { id: `rule_${rule}`, version: 1, name },
    requiresAck: false,
    priority: "LOW",
    priorityFrom: "event",
    recipients: Array.from({ length: people }, (_, index) => ({ userId: `usr_${index}`, reason: {} })),
  })),
});

/** Stores a plan in parts, and returns its event with the head of the plan. */
const storePlan = async (plan: DeliveryPlan) => {
  const parts = splitPlan(plan);
  const id = computePlanId(parts);
  const event = { workspaceId: "ws_1" as const, eventId: "evt_1", seq: 1 };
  for (const [index, part] of parts.entries()) await putPlanPart(stand, event, id, index, part);
  const starts = parts.map(({ rule, pack }) => ({ rule, pack }));
  const { rules, ...head } = plan;
  return { ...event, plan: toFrozenPlan({ ...head, matched: rules.length, id, parts: starts }) };
};

it("a plan of several parts is read unchanged, even if another plan of the same event is stored", async () => {
  const one = await storePlan(planOf("One"));
  const other = await storePlan(planOf("Other"));

  // The stored rule that continues in the next part also has its total number of packs.
  const withPackTotal = ({ rules: [long, short] }: DeliveryPlan) => [{ ...long, packs: 65 }, short];
  expect(await readPlannedRules(stand, one)).toEqual(withPackTotal(planOf("One")));
  expect(await readPlannedRules(stand, other)).toEqual(withPackTotal(planOf("Other")));
});

it("a rule in a plan that is stored in several parts is read by its index", async () => {
  const event = await storePlan(planOf("One"));

  expect((await readPlannedRule(stand, event, 0))?.recipients).toHaveLength(1024);
  expect(await readPlannedRule(stand, event, 1)).toEqual(planOf("One").rules[1]);
  expect(await readPlannedRule(stand, event, 2)).toBeUndefined();
});

it("equal plans are stored under the same name, and different plans under different names", () => {
  expect(computePlanId(splitPlan(planOf("One")))).toBe(computePlanId(splitPlan(planOf("One"))));
  expect(computePlanId(splitPlan(planOf("One")))).not.toBe(computePlanId(splitPlan(planOf("Two"))));
});
