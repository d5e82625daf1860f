import * as v from "valibot";
import { WorkspaceId } from "../domain/basics/ids.ts";
import { Channel } from "../domain/device/channel.ts";
import { AcceptedEvent } from "../domain/event/event.ts";
import { Marker, MarkerRef } from "../domain/event/marker.ts";

/** A task to update the pushes about a group's first event, which show how many events have joined the group. */
export const GroupMessage = v.object({
  kind: v.literal("grouped"),
  ws: WorkspaceId,
  group: v.string(),
  first: v.string(),
});
export type GroupMessage = v.InferOutput<typeof GroupMessage>;

/** An accepted event, a marker of unfinished work, or a group whose number of events must be reported. */
export const EventMessage = v.variant("kind", [
  v.object({ kind: v.literal("accepted"), event: AcceptedEvent, due: v.number() }),
  v.object({ kind: v.literal("unfinished"), marker: Marker }),
  GroupMessage,
]);
export type EventMessage = v.InferOutput<typeof EventMessage>;

export const PushText = v.object({
  title: v.string(),
  body: v.string(),
  url: v.optional(v.string()),
  siteName: v.optional(v.string()),
});
export type PushText = v.InferOutput<typeof PushText>;

export const PackMessage = v.object({
  marker: MarkerRef,
  packId: v.string(),
  /** The ids of the pack's recipients, in the order of the pack. */
  userIds: v.array(v.string()),
  members: v.optional(v.number()),
  /** The packs that the marker covers, as `[rule, number of packs]`; the marker is removed when all these packs are finished. */
  sizes: v.array(v.tuple([v.number(), v.number()])),
  /** The index of the marker's first pack among the packs of its rule, if the index is not 0. */
  first: v.optional(v.number()),
  urgent: v.optional(v.boolean()),
  /** Set if a recipient has notification steps of their own, so that the pack says when each recipient is paged. */
  rings: v.optional(v.literal(true)),
  /** Set if the channel's maximum rate delayed the message: the time reserved for sending, in milliseconds. */
  turn: v.optional(v.number()),
  text: PushText,
});
export type PackMessage = v.InferOutput<typeof PackMessage>;

/** A task to silently replace a pack's push, because the event has changed or other events of its group arrived. */
export const EndMessage = v.object({
  kind: v.literal("over"),
  ws: WorkspaceId,
  packId: v.string(),
  /** The id of the person or event that ended or acknowledged this event; for `grouped`, of the group's first event. */
  by: v.string(),
  state: v.optional(v.picklist(["resolved", "acknowledged", "grouped"]), "resolved"),
  /** The device that the person used, which therefore gets no new push. */
  device: v.optional(v.string()),
  text: v.pick(PushText, ["title", "body", "siteName"]),
});
export type EndMessage = v.InferOutput<typeof EndMessage>;

/** A task to ask a person who comes on call to confirm on one channel. All times are in milliseconds. */
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

/** A task to ask a person by a silent push to confirm the probes of all rules. `id`: the id of the push. */
export const ProbeMessage = v.object({ kind: v.literal("probe"), ws: WorkspaceId, userId: v.string(), id: v.string() });
export type ProbeMessage = v.InferOutput<typeof ProbeMessage>;

/** A task for one round of a dead man's switch: to push to its device or, in the webhooks queue, to call its URL. */
export const SwitchMessage = v.object({ kind: v.literal("switch"), ws: WorkspaceId, round: v.number() });
export type SwitchMessage = v.InferOutput<typeof SwitchMessage>;

/** A reply or a delivery event: in earlier versions of the service, SNS sent both to the same queue as pushes. */
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

/** A message with a marker that is due now or after the message's delay. */
export const EscalationMessage = v.object({ marker: Marker });
export type EscalationMessage = v.InferOutput<typeof EscalationMessage>;

/** `line`: send a delivery queue's messages; `due`: the queue's due time. `watch`: check the audit trail and who is on call. */
export const WebhookMessage = v.variant("kind", [
  v.object({ kind: v.literal("event"), ws: WorkspaceId, eventId: v.string() }),
  v.object({ kind: v.literal("line"), ws: WorkspaceId, id: v.string(), due: v.optional(v.number()) }),
  v.object({ kind: v.literal("watch"), ws: WorkspaceId }),
  SwitchMessage,
]);
export type WebhookMessage = v.InferOutput<typeof WebhookMessage>;
