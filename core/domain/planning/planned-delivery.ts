import type { DeliveryPlan } from "../delivery/delivery-plan.ts";
import type { Recipient } from "../people/recipient.ts";
import type { Gate } from "../rules/grouping.ts";

/**
 * What holds an event back: a silence (its id) or `FLAPPING`. `until`: when the hold ends (milliseconds), unless
 * somebody changes the silence. `says`: people who are silently notified now that the event is held.
 */
export type Hold = { heldBy: string; until: number; says?: readonly Recipient[] | undefined };

/** The group or threshold of a rule, with the rule's index in the plan. */
export type GateOfRule = { rule: number; gate: Gate };

/**
 * A plan, with how many notifications its rules call for (held back or not), whether the event wants an
 * acknowledgement, what holds the event back if people are notified afterwards, the rules that fired undecided, and
 * the gates still to pass (groups and thresholds of rules that would notify somebody).
 */
export type PlannedDelivery = {
  plan: DeliveryPlan;
  called: number;
  needsAck: boolean;
  hold?: Hold | undefined;
  overBudget: readonly string[];
  gates: readonly GateOfRule[];
};
