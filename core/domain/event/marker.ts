import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import { Handoff } from "../escalation/handoff.ts";

/**
 * Unfinished work of an event, a part of its plan, its repeats, an escalation step, an acknowledgement's lease, the
 * acknowledger's shift (handoff), or later notification steps.
 */
export const MarkerRef = v.object({
  ws: WorkspaceId,
  eventId: v.string(),
  /** In milliseconds; part of the marker's key. */
  due: v.number(),
  part: v.optional(v.number()),
  step: v.optional(v.object({ rule: v.number(), cursor: v.number() })),
  /** `work`: whether the holder must be asked or the acknowledgement must be ended. */
  term: v.optional(v.object({ work: v.picklist(["ask", "end"]), until: v.number() })),
  /** At the end of the acknowledger's shift, the people on call next are notified. */
  hand: v.optional(Handoff),
  /** The pack has a person whose own steps page at `due`. */
  ring: v.optional(v.object({ packId: v.string() })),
});
export type MarkerRef = v.InferOutput<typeof MarkerRef>;

/** Marks an event's repeats instead of a part. No plan has this many parts. */
export const REPEATS = 999_999;

/** `since`: when the work began (milliseconds). `tries`: how often the sweeper has repeated it. */
export const Marker = v.object({ ...MarkerRef.entries, since: v.number(), tries: v.number() });
export type Marker = v.InferOutput<typeof Marker>;
