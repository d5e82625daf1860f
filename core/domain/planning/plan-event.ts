import type { EventContent } from "../event/event.ts";
import type { People } from "../people/people.ts";
import type { RuleSet } from "../rules/rule-set.ts";
import { notificationCount, type DeliveryPlan } from "../delivery/delivery-plan.ts";
import { needsAck, silencePlan, toDeliveryPlan } from "./plan-delivery.ts";

/**
 * A plan, how many notifications its rules call for (silenced or not), whether somebody has to acknowledge the event,
 * and the rules that fired undecided.
 */
export type PlannedDelivery = {
  plan: DeliveryPlan;
  called: number;
  needsAck: boolean;
  overBudget: readonly string[];
};

/** What an event leads to at a moment (milliseconds): whom each rule tells, or which silence covers the event. */
export const planEvent = (
  rules: RuleSet,
  people: People,
  event: { content: EventContent; receivedAt: number },
  versions: { rulesVersion: number; peopleVersion: number },
  at: number,
): PlannedDelivery => {
  const { content, receivedAt } = event;
  const { matched, overBudget } = rules.compiled.match(content);
  const matching = matched.flatMap((id) => rules.byId.get(id) ?? []);
  const plan = toDeliveryPlan(matching, content, people, versions, at);
  const urgent = [content, ...plan.rules].some(({ priority }) => priority === "URGENT");
  const silence = plan.rules.length === 0 ? undefined : rules.silenceOf({ ...content, receivedAt, urgent });
  // An event that a silence covers still needs its acknowledgement.
  return {
    plan: silence === undefined ? plan : silencePlan(plan, silence),
    called: notificationCount(plan),
    needsAck: needsAck(plan),
    overBudget,
  };
};
