import * as v from "valibot";
import { toIso, toIsoOrNull } from "../basics/time.ts";
import { timestampSchema } from "../basics/clock/timestamp.ts";

/** A message that waits in the queue, or a finished message, which was accepted or discarded. */
export const Message = v.object({
  /** The message's sort key; messages are sent in the order of their sort keys. */
  sk: v.string(),
  id: v.string(),
  type: v.string(),
  /** The event that the message is about, if any. */
  eventId: v.optional(v.string()),
  sequence: v.number(),
  /** The body of the request, which is the same in all attempts. */
  body: v.string(),
  /** When the message was queued, in milliseconds. */
  told: v.number(),
  tries: v.optional(v.number(), 0),
  /** The time of the last attempt, in milliseconds, and its outcome. */
  at: v.optional(v.number()),
  code: v.optional(v.string()),
  taken: v.optional(v.boolean()),
});
export type Message = v.InferOutput<typeof Message>;

export const WebhookDelivery = v.object({
  id: v.string(),
  type: v.string(),
  /** The event that the message is about, if any; otherwise null. */
  eventId: v.nullable(v.string()),
  sequence: v.number(),
  /** `failed`: the message was discarded, because the receiver refused it. */
  status: v.picklist(["waiting", "delivered", "failed"]),
  tries: v.number(),
  createdAt: v.string(),
  lastTriedAt: v.nullable(v.string()),
  /** `HTTP_` with the receiver's HTTP status, or the reason why the receiver did not answer. */
  code: v.nullable(v.string()),
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;

/** Returns the message's delivery as the API shows it. */
export const toWebhookDelivery = ({ id, type, sequence, tries, ...message }: Message): WebhookDelivery => ({
  id,
  type,
  eventId: message.eventId ?? null,
  sequence,
  status: message.taken === undefined ? "waiting" : message.taken ? "delivered" : "failed",
  tries,
  createdAt: toIso(message.told),
  lastTriedAt: toIsoOrNull(message.at),
  code: message.code ?? null,
});

/** A webhook's messages, the newest first. */
export const WebhookDeliveries = v.object({ items: v.array(WebhookDelivery) });

/** The service sends messages again that were queued from `from` to `to` (both inclusive). */
export const ReplayInput = v.pipe(
  v.strictObject({ from: timestampSchema("from"), to: timestampSchema("to") }),
  v.check(({ from, to }) => from <= to, '"from" must not be later than "to".'),
);
export type ReplayInput = v.InferOutput<typeof ReplayInput>;

export const ReplayAnswer = v.object({ replayed: v.number() });

export const WebhookTestAnswer = v.object({ sentAt: v.string(), delivered: v.boolean(), code: v.string() });
export type WebhookTestAnswer = v.InferOutput<typeof WebhookTestAnswer>;
