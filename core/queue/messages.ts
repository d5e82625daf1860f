import * as v from "valibot";
import { WorkspaceId } from "../domain/basics/ids.ts";
import { Channel } from "../domain/device/channel.ts";
import { AcceptedEvent } from "../domain/event/event.ts";
import { Marker, MarkerRef } from "../domain/event/marker.ts";

/** A task to notify people of the number of events that joined a group. */
export const GroupMessage = v.object({
  kind: v.literal("grouped"),
  ws: WorkspaceId,
  group: v.string(),
  first: v.string(),
});
export type GroupMessage = v.InferOutput<typeof GroupMessage>;

/** An accepted event, a marker, or a group whose number of events must be reported. */
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
  /** In the order of the pack. */
  userIds: v.array(v.string()),
  members: v.optional(v.number()),
  /** The packs of each rule under this marker, as `[rule, count]`. The marker is removed after all of these packs. */
  sizes: v.array(v.tuple([v.number(), v.number()])),
  /** The index of the first rule's first pack, if not 0. */
  first: v.optional(v.number()),
  urgent: v.optional(v.boolean()),
  /** Set if a recipient has own notification steps, so that the pack decides when each recipient is paged. */
  rings: v.optional(v.literal(true)),
  /** The pack's turn on a channel, in milliseconds, if the message was delayed until then. */
  turn: v.optional(v.number()),
  text: PushText,
});
export type PackMessage = v.InferOutput<typeof PackMessage>;

/** A task to silently replace a pack's push, because the event has changed or other events of its group arrived. */
export const EndMessage = v.object({
  kind: v.literal("over"),
  ws: WorkspaceId,
  packId: v.string(),
  /** Who or what ended or acknowledged the event; for a group, its first event. */
  by: v.string(),
  state: v.optional(v.picklist(["resolved", "acknowledged", "grouped"]), "resolved"),
  /** The device that the person used; it needs no push. */
  device: v.optional(v.string()),
  text: v.pick(PushText, ["title", "body", "siteName"]),
});
export type EndMessage = v.InferOutput<typeof EndMessage>;

/** A task to ask a person who comes on call to confirm on one channel. Times are in milliseconds. */
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

/** For the sender: send the round to the switch's device. For the webhook sender: call the switch's URL. */
export const SwitchMessage = v.object({ kind: v.literal("switch"), ws: WorkspaceId, round: v.number() });
export type SwitchMessage = v.InferOutput<typeof SwitchMessage>;

/** A reply or delivery event in the sender's queue, where SNS sent them to in earlier versions. */
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

/** A marker that is due now or after the message's delay. */
export const EscalationMessage = v.object({ marker: Marker });
export type EscalationMessage = v.InferOutput<typeof EscalationMessage>;

/**
 * `event`: an event may have changed. `line`: a delivery queue has messages; `due` is the due time of its marker. `watch`: the
 * audit trail and the people on call must be checked. `switch`: the URL of a switch must be called.
 */
export const WebhookMessage = v.variant("kind", [
  v.object({ kind: v.literal("event"), ws: WorkspaceId, eventId: v.string() }),
  v.object({ kind: v.literal("line"), ws: WorkspaceId, id: v.string(), due: v.optional(v.number()) }),
  v.object({ kind: v.literal("watch"), ws: WorkspaceId }),
  SwitchMessage,
]);
export type WebhookMessage = v.InferOutput<typeof WebhookMessage>;
