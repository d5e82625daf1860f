import * as v from "valibot";
import { Priority } from "../basics/priority.ts";

/** The repeats of an event. Times are in milliseconds. */
export const Repeats = v.object({
  count: v.number(),
  /** The time of the last repeat. `by`: the request that stored the repeat. */
  at: v.number(),
  by: v.string(),
  /** When a repeat last caused the event to be matched again. */
  asked: v.number(),
  /** The repeats that raised the priority, in ascending order. */
  raised: v.array(v.object({ priority: Priority, at: v.number() })),
  /** `count`: the number of repeats before the last known acknowledgement. */
  acknowledged: v.optional(v.object({ at: v.number(), count: v.number() })),
});
export type Repeats = v.InferOutput<typeof Repeats>;
