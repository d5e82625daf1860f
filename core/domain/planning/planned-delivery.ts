import type { DeliveryPlan } from "../delivery/delivery-plan.ts";
import type { Recipient } from "../people/recipient.ts";
import type { Gate } from "../rules/grouping.ts";

/**
 * `heldBy`: a silence's id or `FLAPPING`. `until`: when the hold ends (milliseconds), if the silence does not change. `says`:
 * people who are now informed silently of the hold.
 */
export type Hold = { heldBy: string; until: number; says?: readonly Recipient[] | undefined };

/** `rule`: the rule's index in the plan. */
export type GateOfRule = { rule: number; gate: Gate };

/**
 * `called`: the number of notifications that rules ask for, including held notifications. `overBudget`: rules that count as
 * matching because their conditions were too expensive. `gates`: groups and thresholds that are not decided yet.
 */
export type PlannedDelivery = {
  plan: DeliveryPlan;
  called: number;
  needsAck: boolean;
  hold?: Hold | undefined;
  overBudget: readonly string[];
  gates: readonly GateOfRule[];
};
