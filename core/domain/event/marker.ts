import * as v from "valibot";

/** Names a marker of unfinished work: of an event, of one part of its plan, or of one step of a rule's escalation. */
export const MarkerRef = v.object({
  ws: v.string(),
  eventId: v.string(),
  /** When the sweeper picks it up, in milliseconds; part of its key. */
  due: v.number(),
  part: v.optional(v.number()),
  step: v.optional(v.object({ rule: v.number(), cursor: v.number() })),
});
export type MarkerRef = v.InferOutput<typeof MarkerRef>;

/** Adds when the work began (milliseconds) and how often the sweeper has sent it again. */
export const Marker = v.object({ ...MarkerRef.entries, since: v.number(), tries: v.number() });
export type Marker = v.InferOutput<typeof Marker>;
