import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import { Handoff } from "../escalation/handoff.ts";

/**
 * The name of a marker of unfinished work: of an event, of one part of its plan, of its repeats, of one step of a rule's
 * escalation, of the lease of its acknowledgement, of the acknowledger's shift, or of a later notification step of some
 * recipients.
 */
export const MarkerRef = v.object({
  ws: WorkspaceId,
  eventId: v.string(),
  /** When the sweeper picks it up, in milliseconds; part of its key. */
  due: v.number(),
  part: v.optional(v.number()),
  step: v.optional(v.object({ rule: v.number(), cursor: v.number() })),
  /** The acknowledgement that ends at `until`: its holder is to be asked, or it is to end. */
  term: v.optional(v.object({ work: v.picklist(["ask", "end"]), until: v.number() })),
  /** The acknowledger: at the end of that person's shift the next people are notified. */
  hand: v.optional(Handoff),
  /** The pack of which somebody is paged at `due` by their own steps. */
  ring: v.optional(v.object({ packId: v.string() })),
});
export type MarkerRef = v.InferOutput<typeof MarkerRef>;

/** Used in place of a part's number for what follows from repeats of the event. No plan has more parts. */
export const REPEATS = 999_999;

/** Adds when the work began (milliseconds) and how often the sweeper has sent it again. */
export const Marker = v.object({ ...MarkerRef.entries, since: v.number(), tries: v.number() });
export type Marker = v.InferOutput<typeof Marker>;
