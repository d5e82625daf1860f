import { createHash } from "node:crypto";
import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../deps.ts";
import type { WorkspaceId } from "../domain/basics/ids.ts";
import { DEDUPE_WINDOW_MS } from "../domain/basics/limits.ts";
import { toClaimName, type AcceptedEvent } from "../domain/event/event.ts";
import type { Flapping } from "../domain/event/flapping.ts";
import { episodes, detectFlappingOfAlert, toHolder, buildOpeningUpdate, type Holder } from "./episodes.ts";
import { dedupeClaimKey, idempotencyKey } from "./keys.ts";
import { deleteItemIf, getItem, putItemIf, updateItem } from "./table.ts";
import { SECOND_MS, DAY_MS } from "../domain/basics/units.ts";
import { type Seconds, toSeconds } from "../domain/basics/seconds.ts";

/** How long the first request with an Idempotency-Key counts as in progress; afterwards, a retry completes the request's work. */
const IDEMPOTENCY_LEASE_MS = 15 * SECOND_MS;

/** Returns the SHA-256 hash of a text, in base64url. */
export const hashText = (text: string): string => createHash("sha256").update(text, "utf8").digest("base64url");

/** Returns when DynamoDB may delete a claim, in epoch seconds: a day after its validity ends at `expires`, in milliseconds. */
export const toTtl = (expires: number): Seconds => toSeconds(expires + DAY_MS);

/** `by`: the sender of the event that holds the key; absent in items of earlier versions. */
const DedupeItem = v.object({ eventId: v.string(), expires: v.number(), by: v.optional(v.string()), ...episodes });

/** The value of `endedEventId` that means that no event has ended. */
export const NO_EVENT = "-";

/** The value of `expires` for a freed key, which is in the past on every instance's clock. */
export const FREE = 0;

/** Returns a dedupeKey's event: an alert until the key is freed, any other event until its deduplication window ends. */
export const readDedupeClaim = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  key: string,
  { consistent, isAlert }: { consistent: boolean; isAlert: boolean },
): Promise<Holder | undefined> => {
  const item = await getItem(deps, dedupeClaimKey(ws, hashText(key)), DedupeItem, { consistent });
  return item !== undefined && item.expires > (isAlert ? FREE : deps.now()) ? toHolder(item) : undefined;
};

/** Returns how a dedupeKey's alert flaps if it starts at `at` (in ms); undefined if not flapping. Eventually consistent. */
export const readFlappingAt = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  at: number,
): Promise<Flapping | undefined> => {
  const item = await getItem(deps, dedupeClaimKey(ws, hashText(key)), DedupeItem, { consistent: false });
  return item === undefined ? undefined : detectFlappingOfAlert(item, at);
};

/** Returns the id of a dedupeKey's last event, even after deduplication has ended; undefined for a free key or another sender. */
export const readDedupeHolder = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  sender: string | undefined,
): Promise<string | undefined> => {
  const item = await getItem(deps, dedupeClaimKey(ws, hashText(key)), DedupeItem);
  if (item === undefined || item.expires === FREE) return undefined;
  return sender === undefined || item.by === undefined || item.by === sender ? item.eventId : undefined;
};

/** `endedEventId`: the event that held the key and has ended. `keptUntil`: when an alert's claim may be deleted (seconds). */
export type Claim = {
  eventId: string;
  sender: string;
  endedEventId?: string | undefined;
  keptUntil?: Seconds | undefined;
};

export const HELD_BY_ENDED = "eventId = :ended";

/** Claims a dedupeKey: for 10 minutes or, for an alert, until freed. Returns the key's holder: this event or an earlier event. */
export const claimDedupeKey = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  key: string,
  { eventId, sender, endedEventId = NO_EVENT, keptUntil }: Claim,
): Promise<Holder> => {
  const now = deps.now();
  const expires = now + DEDUPE_WINDOW_MS;
  const { set, remove, values } = buildOpeningUpdate(now);
  const { item: holder } = await updateItem(deps, dedupeClaimKey(ws, hashText(key)), DedupeItem, {
    update: `SET eventId = :eventId, #by = :by, expires = :expires, #ttl = :ttl, ${set} REMOVE changed, ended, ${remove}`,
    condition: `attribute_not_exists(pk) OR expires <= :freed OR ${HELD_BY_ENDED}`,
    names: { "#by": "by", "#ttl": "ttl" },
    values: {
      ...values,
      ":eventId": eventId,
      ":by": sender,
      ":expires": expires,
      ":ttl": keptUntil ?? toTtl(expires),
      ":freed": keptUntil === undefined ? now : FREE,
      ":ended": endedEventId,
    },
  });
  return holder === undefined ? { eventId, flapping: undefined, until: expires } : toHolder(holder);
};

/** Frees a dedupeKey at `at` (in milliseconds), if the event `holder` still holds it. */
const freeDedupeKey = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  { holder, at }: { holder: string; at: number },
): Promise<void> => {
  await updateItem(deps, dedupeClaimKey(ws, hashText(key)), DedupeItem, {
    update: "SET expires = :free, closed = :at",
    condition: "eventId = :holder AND expires <> :free",
    values: { ":holder": holder, ":free": FREE, ":at": at },
  });
};

/** Frees the dedupeKey of the event that `event` ends. If the sender states times, does nothing: `endAlert` has freed the key. */
export const freeKeyOfEndedEvent = async (
  deps: TableDeps,
  event: Pick<AcceptedEvent, "workspaceId" | "ends" | "receivedAt" | "content">,
): Promise<void> => {
  const { workspaceId, ends, receivedAt, content } = event;
  if (content.resolves !== undefined && ends !== undefined && content.changedAt === undefined)
    await freeDedupeKey(deps, workspaceId, toClaimName(content, content.resolves), { holder: ends, at: receivedAt });
};

const IdempotencyItem = v.object({
  /** The SHA-256 hash of the request's body. */
  body: v.string(),
  /** The id of the request that holds the key, the request's start, and the end of the record's validity, in milliseconds. */
  by: v.string(),
  started: v.number(),
  expires: v.number(),
  eventId: v.optional(v.string()),
  deduplicated: v.optional(v.boolean()),
});

export type IdempotencyClaim =
  /** The request is the first with this key, or continues an earlier request that died before it stored an event id. */
  | { kind: "first" }
  /** An earlier request has stored this event id. If the earlier request died or is still running, the event may be missing. */
  | { kind: "replay"; eventId: string; deduplicated: boolean; inProgress: boolean }
  | { kind: "in_progress" }
  | { kind: "other_body" };

/** Claims an Idempotency-Key for the request with this id. Returns whether to process, replay or refuse the request. */
export const claimIdempotencyKey = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { key, body, windowMs }: { key: string; body: string; windowMs: number },
  requestId: string,
): Promise<IdempotencyClaim> => {
  const now = deps.now();
  const expires = now + windowMs;
  const item = { body: hashText(body), by: requestId, started: now, expires, ttl: toTtl(expires) };
  const itemKey = idempotencyKey(ws, hashText(key));
  const silent = now - IDEMPOTENCY_LEASE_MS;
  const result = await putItemIf(deps, itemKey, item, IdempotencyItem, {
    condition:
      "attribute_not_exists(pk) OR expires <= :now OR (attribute_not_exists(eventId) AND started <= :silent AND #body = :body)",
    names: { "#body": "body" },
    values: { ":now": now, ":silent": silent, ":body": item.body },
  });
  const found = result.item;
  if (result.kind === "done" || found === undefined || found.by === requestId) return { kind: "first" };
  if (found.body !== item.body) return { kind: "other_body" };
  if (found.eventId === undefined) return { kind: "in_progress" };
  return {
    kind: "replay",
    eventId: found.eventId,
    deduplicated: found.deduplicated ?? false,
    inProgress: found.started > silent,
  };
};

/** Stores the event of a request with an Idempotency-Key. Returns false if another request holds the key now. */
export const setIdempotentEvent = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  requestId: string,
  answer: { eventId: string; deduplicated: boolean },
): Promise<boolean> => {
  const result = await updateItem(deps, idempotencyKey(ws, hashText(key)), IdempotencyItem, {
    update: "SET eventId = :eventId, deduplicated = :deduplicated",
    condition: "#by = :by",
    names: { "#by": "by" },
    values: { ":eventId": answer.eventId, ":deduplicated": answer.deduplicated, ":by": requestId },
  });
  return result.kind === "done";
};

/** Frees the Idempotency-Key of a refused request, so that a retry is checked again. */
export const releaseIdempotencyKey = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  requestId: string,
): Promise<void> => {
  await deleteItemIf(deps, idempotencyKey(ws, hashText(key)), IdempotencyItem, {
    condition: "#by = :by AND attribute_not_exists(eventId)",
    names: { "#by": "by" },
    values: { ":by": requestId },
  });
};
