import type { FrozenPlan } from "../delivery/delivery-plan.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Incumbent } from "./incumbent.ts";
import type { Repeats } from "./repeats.ts";
import type { AcceptedEvent } from "./event.ts";

/** An event as stored. An event without a plan has not been matched yet. */
export type StoredEvent = AcceptedEvent & {
  seq: number;
  plan: FrozenPlan | undefined;
  life: Lifecycle;
  /** The repeats of the event; absent if none arrived. */
  repeats?: Repeats | undefined;
  /** The actions that the old service reported for the alert; absent if it reported none. */
  incumbent?: readonly Incumbent[] | undefined;
  /** How many notifications the event created, including escalation. */
  notifications: number;
};

/** An event that has been matched. */
export type PlannedEvent = StoredEvent & { plan: FrozenPlan };
