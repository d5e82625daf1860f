import type { DeliveryPlan } from "../delivery/delivery-plan.ts";
import type { AcceptedEvent } from "./event.ts";

/** An event as it is kept. Without a plan it has not been matched yet. */
export type StoredEvent = AcceptedEvent & {
  seq: number;
  plan: DeliveryPlan | undefined;
  /** Notifications that were created for it, escalation included. */
  notifications: number;
};
