import * as v from "valibot";
import { WorkspaceId } from "../domain/basics/ids.ts";
import { Channel } from "../domain/device/channel.ts";
import { AcceptedEvent } from "../domain/event/event.ts";
import { Marker, MarkerRef } from "../domain/event/marker.ts";

/** To the matcher: notify people of the number of a group's events that arrived after the event that notified them. */
export const GroupMessage = v.object({
  kind: v.literal("grouped"),
  ws: WorkspaceId,
  group: v.string(),
  first: v.string(),
});
export type GroupMessage = v.InferOutput<typeof GroupMessage>;

/**
 * To the matcher: an accepted event with its content; the marker of an event that the sweeper found unfinished; or
 * a group whose number of events must be reported.
 */
export const EventMessage = v.variant("kind", [
  v.object({ kind: v.literal("accepted"), event: AcceptedEvent, due: v.number() }),
  v.object({ kind: v.literal("unfinished"), marker: Marker }),
  GroupMessage,
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
  /** The recipients, in the order of the pack. */
  userIds: v.array(v.string()),
  /** How many members the workspace has. */
  members: v.optional(v.number()),
  /** How many packs each rule has under this marker, as `[rule, packs]`. The marker is removed once all packs are finished. */
  sizes: v.array(v.tuple([v.number(), v.number()])),
  /** The index of the first rule's first pack among these packs, if it is not 0. */
  first: v.optional(v.number()),
  urgent: v.optional(v.boolean()),
  /** Whether a recipient has notification steps, so that the pack decides who is paged when. */
  rings: v.optional(v.literal(true)),
  /** When the pack's next page is due (milliseconds), if the message was delayed until then. */
  turn: v.optional(v.number()),
  text: PushText,
});
export type PackMessage = v.InferOutput<typeof PackMessage>;

/**
 * To the sender: silently replace a pack's push on the devices that showed it, because the event is over, or
 * because other events of its group followed.
 */
export const EndMessage = v.object({
  kind: v.literal("over"),
  ws: WorkspaceId,
  packId: v.string(),
  /** The event or the person that resolved or acknowledged the event; for a group, its first event. */
  by: v.string(),
  state: v.optional(v.picklist(["resolved", "acknowledged", "grouped"]), "resolved"),
  /** The device on which somebody acted; it needs no push. */
  device: v.optional(v.string()),
  text: v.pick(PushText, ["title", "body", "siteName"]),
});
export type EndMessage = v.InferOutput<typeof EndMessage>;

/** To the sender: ask a person who comes on call to confirm their reachability on one channel. Times in milliseconds. */
export const ReachabilityCheckMessage = v.object({
  kind: v.literal("proof"),
  ws: WorkspaceId,
  groupId: v.string(),
  userId: v.string(),
  start: v.number(),
  since: v.number(),
  way: Channel,
});
export type ReachabilityCheckMessage = v.InferOutput<typeof ReachabilityCheckMessage>;

/** To the sender: ask a person by a silent push to confirm the probes of their rules. `id`: of the push. */
export const ProbeMessage = v.object({ kind: v.literal("probe"), ws: WorkspaceId, userId: v.string(), id: v.string() });
export type ProbeMessage = v.InferOutput<typeof ProbeMessage>;

/** To the sender: send a switch's round to its device. To the webhook sender: call the URL, because the device has confirmed it. */
export const SwitchMessage = v.object({ kind: v.literal("switch"), ws: WorkspaceId, round: v.number() });
export type SwitchMessage = v.InferOutput<typeof SwitchMessage>;

/** A reply or a delivery event in the sender's queue: SNS put such messages there before they had their own queue. */
export const MisplacedMessage = v.union([
  v.looseObject({ Type: v.literal("Notification") }),
  v.looseObject({ eventType: v.string(), mail: v.unknown() }),
]);
export type MisplacedMessage = v.InferOutput<typeof MisplacedMessage>;

export const SenderMessage = v.union([
  MisplacedMessage,
  EndMessage,
  ReachabilityCheckMessage,
  ProbeMessage,
  SwitchMessage,
  PackMessage,
]);
export type SenderMessage = v.InferOutput<typeof SenderMessage>;

/** To the escalator: a step that is due, or will be due after the message's delay. */
export const EscalationMessage = v.object({ marker: Marker });
export type EscalationMessage = v.InferOutput<typeof EscalationMessage>;

/**
 * To the webhook sender: an event may have changed; a delivery queue has something to send (`due`: the due
 * time of the marker that the sweeper found); a check of who is on call and of the audit trail is due; or a switch's URL
 * must be called.
 */
export const WebhookMessage = v.variant("kind", [
  v.object({ kind: v.literal("event"), ws: WorkspaceId, eventId: v.string() }),
  v.object({ kind: v.literal("line"), ws: WorkspaceId, id: v.string(), due: v.optional(v.number()) }),
  v.object({ kind: v.literal("watch"), ws: WorkspaceId }),
  SwitchMessage,
]);
export type WebhookMessage = v.InferOutput<typeof WebhookMessage>;
