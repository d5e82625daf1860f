import * as v from "valibot";
import { AcceptedEvent } from "../domain/event/event.ts";
import { Marker, MarkerRef } from "../domain/event/marker.ts";

/** To the matcher: an event that was just accepted, whole, or the marker of one that the sweeper found unfinished. */
export const EventMessage = v.variant("kind", [
  v.object({ kind: v.literal("accepted"), event: AcceptedEvent, due: v.number() }),
  v.object({ kind: v.literal("unfinished"), marker: Marker }),
]);
export type EventMessage = v.InferOutput<typeof EventMessage>;

/** The text of a push, the same for all recipients. */
export const PushText = v.object({
  title: v.string(),
  body: v.string(),
  url: v.optional(v.string()),
  siteName: v.optional(v.string()),
});
export type PushText = v.InferOutput<typeof PushText>;

/** To the sender: one pack to send. */
export const PackMessage = v.object({
  marker: MarkerRef,
  packId: v.string(),
  /** The recipients in the pack's order. */
  userIds: v.array(v.string()),
  /** How many members the workspace has. */
  members: v.optional(v.number()),
  /**
   * How many packs each rule has under this marker, as `[rule, packs]`. The marker is removed once all are finished.
   */
  sizes: v.array(v.tuple([v.number(), v.number()])),
  /** The number of the first rule's first pack among these, if it is not 0. */
  first: v.optional(v.number()),
  text: PushText,
});
export type PackMessage = v.InferOutput<typeof PackMessage>;

/** To the sender: an event is over, and the devices that showed a pack's push get a push in its place that says so. */
export const OverMessage = v.object({
  kind: v.literal("over"),
  ws: v.string(),
  packId: v.string(),
  /** The event or the person that resolved or acknowledged it. */
  by: v.string(),
  state: v.optional(v.picklist(["resolved", "acknowledged"]), "resolved"),
  /** The device on which it was done, which needs no push. */
  device: v.optional(v.string()),
  text: v.pick(PushText, ["title", "body", "siteName"]),
});
export type OverMessage = v.InferOutput<typeof OverMessage>;

export const SenderMessage = v.union([OverMessage, PackMessage]);
export type SenderMessage = v.InferOutput<typeof SenderMessage>;

/** To the escalator: a step that is due, or will be when the message's delay is over. */
export const EscalationMessage = v.object({ marker: Marker });
export type EscalationMessage = v.InferOutput<typeof EscalationMessage>;
