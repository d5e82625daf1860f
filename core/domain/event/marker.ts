import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import { Handoff } from "../escalation/handoff.ts";

/**
 * The name of a marker of unfinished work: of an event, of one part of its plan, of its repeats, of one step of a
 * rule's escalation, of the lease of its acknowledgement, of the acknowledger's shift (handoff), or of a later
 * notification step of some recipients.
 */
export const MarkerRef = v.object({
  ws: WorkspaceId,
  eventId: v.string(),
  /** When the sweeper processes the marker, in milliseconds; part of the marker's key. */
  due: v.number(),
  part: v.optional(v.number()),
  step: v.optional(v.object({ rule: v.number(), cursor: v.number() })),
  /** The acknowledgement that ends at `until`. `work`: whether its holder must be asked or it must be ended. */
  term: v.optional(v.object({ work: v.picklist(["ask", "end"]), until: v.number() })),
  /** The acknowledger, at the end of whose shift the people on call next are notified. */
  hand: v.optional(Handoff),
  /** The pack with a person whose own steps page at `due`. */
  ring: v.optional(v.object({ packId: v.string() })),
});
export type MarkerRef = v.InferOutput<typeof MarkerRef>;

/** The part number of a marker for an event's repeats. No plan has this many parts. */
export const REPEATS = 999_999;

/** A marker with the time when its work began (milliseconds) and how often the sweeper has repeated it. */
export const Marker = v.object({ ...MarkerRef.entries, since: v.number(), tries: v.number() });
export type Marker = v.InferOutput<typeof Marker>;
