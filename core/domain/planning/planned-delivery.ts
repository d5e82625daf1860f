import type { DeliveryPlan } from "../delivery/delivery-plan.ts";
import type { Recipient } from "../people/recipient.ts";
import type { Gate } from "../rules/grouping.ts";

/** What holds an event: a silence's id or `FLAPPING`. `until`: in milliseconds. `says`: who is notified silently of the hold. */
export type Hold = { heldBy: string; until: number; says?: readonly Recipient[] | undefined };

/** A group or threshold that decides whether the event pages. `rule`: the rule's index in the plan. */
export type GateOfRule = { rule: number; gate: Gate };

/** `called`: how many notifications the rules ask for, even if none is sent. `overBudget`: rules too expensive to decide. */
export type PlannedDelivery = {
  plan: DeliveryPlan;
  called: number;
  needsAck: boolean;
  hold?: Hold | undefined;
  overBudget: readonly string[];
  gates: readonly GateOfRule[];
};
