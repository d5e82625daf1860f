import type { FrozenPlan } from "../delivery/delivery-plan.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Incumbent } from "./incumbent.ts";
import type { Repeats } from "./repeats.ts";
import type { AcceptedEvent } from "./event.ts";

/** An event without a plan is not matched yet. */
export type StoredEvent = AcceptedEvent & {
  seq: number;
  plan: FrozenPlan | undefined;
  life: Lifecycle;
  repeats?: Repeats | undefined;
  incumbent?: readonly Incumbent[] | undefined;
  /** The number of notifications, including those of escalation steps. */
  notifications: number;
};

export type PlannedEvent = StoredEvent & { plan: FrozenPlan };
