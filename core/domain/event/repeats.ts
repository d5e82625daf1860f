import * as v from "valibot";
import { Priority } from "../basics/priority.ts";

/** The repeats of an event. Times in milliseconds. */
export const Repeats = v.object({
  count: v.number(),
  /** When the last repeat arrived, and the id of the request that stored it. */
  at: v.number(),
  by: v.string(),
  /** The time of the last repeat that made the matcher evaluate the repeats. */
  asked: v.number(),
  /** The priorities to which repeats have raised the event, in ascending order. */
  raised: v.array(v.object({ priority: Priority, at: v.number() })),
  /** The last known acknowledgement, and how many repeats had arrived before it. */
  acknowledged: v.optional(v.object({ at: v.number(), count: v.number() })),
});
export type Repeats = v.InferOutput<typeof Repeats>;
