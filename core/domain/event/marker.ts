import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import { Handoff } from "../escalation/handoff.ts";

/** A marker of unfinished work on an event, such as a part of its plan, an escalation step, or a handoff. */
export const MarkerRef = v.object({
  ws: WorkspaceId,
  eventId: v.string(),
  /** When the work is due, in milliseconds; part of the marker's key. */
  due: v.number(),
  part: v.optional(v.number()),
  step: v.optional(v.object({ rule: v.number(), cursor: v.number() })),
  /** A temporary acknowledgement, which the acknowledger is asked to extend (`ask`) or which ends (`end`). */
  term: v.optional(v.object({ work: v.picklist(["ask", "end"]), until: v.number() })),
  /** The handoff at the end of the acknowledger's shift, when the people on call next are notified. */
  hand: v.optional(Handoff),
  /** A person's own notification step, which pages at `due`. The person is a recipient of the pack `packId`. */
  ring: v.optional(v.object({ packId: v.string() })),
});
export type MarkerRef = v.InferOutput<typeof MarkerRef>;

/** The part number of the marker for an event's repeats. No part of a plan has so high a number. */
export const REPEATS = 999_999;

/** A stored marker. `since`: when the work began (milliseconds). `tries`: how often the sweeper has sent the work again. */
export const Marker = v.object({ ...MarkerRef.entries, since: v.number(), tries: v.number() });
export type Marker = v.InferOutput<typeof Marker>;
