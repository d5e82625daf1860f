import type { DeliveryPlan } from "../delivery/delivery-plan.ts";
import type { Recipient } from "../people/recipient.ts";
import type { Gate } from "../rules/grouping.ts";

/**
 * `heldBy`: the id of a silence, or `FLAPPING`. `until`: when the hold ends (milliseconds), unless somebody changes the
 * silence. `says`: people who are silently informed of the hold now.
 */
export type Hold = { heldBy: string; until: number; says?: readonly Recipient[] | undefined };

/** `rule`: the rule's index in the plan. */
export type GateOfRule = { rule: number; gate: Gate };

/**
 * `called`: the notifications that the rules call for, held back or not. `overBudget`: the rules that count as
 * matching, because their conditions cost too much. `gates`: the groups and thresholds that have not decided yet.
 */
export type PlannedDelivery = {
  plan: DeliveryPlan;
  called: number;
  needsAck: boolean;
  hold?: Hold | undefined;
  overBudget: readonly string[];
  gates: readonly GateOfRule[];
};
