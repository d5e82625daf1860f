import type { DeliveryPlan } from "../delivery/delivery-plan.ts";
import type { Recipient } from "../people/recipient.ts";
import type { Gate } from "../rules/grouping.ts";

/**
 * The hold of an event. `heldBy`: the id of a silence, or `FLAPPING`. `until`: when the hold ends (milliseconds),
 * unless somebody changes the silence. `says`: people who are silently notified now that the event is held.
 */
export type Hold = { heldBy: string; until: number; says?: readonly Recipient[] | undefined };

/** The group or threshold of a rule, with the rule's index in the plan. */
export type GateOfRule = { rule: number; gate: Gate };

/**
 * A plan. `called`: how many notifications its rules call for, held back or not. `needsAck`: whether the event requires
 * an acknowledgement. `hold`: set if people are notified after a hold. `overBudget`: the rules that count as
 * matching, because their conditions cost too much. `gates`: the groups and thresholds that must still decide.
 */
export type PlannedDelivery = {
  plan: DeliveryPlan;
  called: number;
  needsAck: boolean;
  hold?: Hold | undefined;
  overBudget: readonly string[];
  gates: readonly GateOfRule[];
};
