import type { DeliveryPlan } from "../delivery/delivery-plan.ts";
import type { Recipient } from "../people/recipient.ts";
import type { Gate } from "../rules/grouping.ts";

/**
 * What holds an event back: a silence by its id, until it ends, which is at `until` (milliseconds) unless somebody changes
 * it; or `FLAPPING`, until then. `says`: the people who are notified now, silently, that it is held.
 */
export type Hold = { heldBy: string; until: number; says?: readonly Recipient[] | undefined };

/** The rules of a plan that have a gate, by their indexes in it. */
export type GateOfRule = { rule: number; gate: Gate };

/**
 * A plan, how many notifications its rules call for (held back or not), whether somebody has to acknowledge the event,
 * what holds it back if people are notified afterwards, the rules that fired undecided, and the gates that the event must
 * still pass: groups and thresholds of rules that would notify somebody.
 */
export type PlannedDelivery = {
  plan: DeliveryPlan;
  called: number;
  needsAck: boolean;
  hold?: Hold | undefined;
  overBudget: readonly string[];
  gates: readonly GateOfRule[];
};
