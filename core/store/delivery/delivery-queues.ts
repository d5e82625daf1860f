import * as v from "valibot";
import type { AuditDeps, TableDeps, TimedDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { MESSAGES_KEPT_DAYS } from "../../domain/basics/limits.ts";
import { Message } from "../../domain/webhook/message.ts";
import { TimelineEntry } from "../../domain/webhook/timeline.ts";
import { emptyQueue, DeliveryQueue, type Failure, type Webhook } from "../../domain/webhook/webhook.ts";
import { toTtl } from "../claims.ts";
import { createDueLister } from "../due-lister.ts";
import { dueQueueKey, dueQueuesPk, queueKey, queuesPk, messageRange, messagesPk, timelineKey } from "../keys.ts";
import { deleteItem, getItem, putItem, putItemIf, queryItems, updateItem, updateWrite } from "../table.ts";
import { writeRecorded } from "../configuration/audit-trail.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import type { Seconds } from "../../domain/basics/seconds.ts";

/*
 * A conditional write of the event's timeline decides which entries webhooks get. After the timeline is written, each message is
 * queued, and the timeline's number of queued entries is stored. Only the worker with a queue's lease sends its messages.
 */

type QueueRef = { ws: WorkspaceId; id: string };

const computeMessageTtl = (queuedAt: number): Seconds => toTtl(queuedAt + MESSAGES_KEPT_DAYS * DAY_MS);
/** How long a timeline is stored: longer than an event can be open, so that no entry is delivered twice. */
const TIMELINE_KEPT_DAYS = 90;

const TimelineItem = v.object({ chapters: v.array(TimelineEntry), written: v.number() });
export type Timeline = v.InferOutput<typeof TimelineItem>;

export const readTimeline = async (deps: TableDeps, ws: WorkspaceId, eventId: string): Promise<Timeline> =>
  (await getItem(deps, timelineKey(ws, eventId), TimelineItem)) ?? { chapters: [], written: 0 };

/** Replaces an event's timeline, unless the timeline has changed since it was read. Returns the stored timeline. */
export const writeTimeline = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  eventId: string,
  before: Timeline,
  entries: readonly TimelineEntry[],
): Promise<Timeline> => {
  const { item } = await updateItem(deps, timelineKey(ws, eventId), TimelineItem, {
    update: "SET chapters = :chapters, written = :written, #ttl = :ttl",
    condition: "attribute_not_exists(pk) OR size(chapters) = :before",
    names: { "#ttl": "ttl" },
    values: {
      ":chapters": entries,
      ":written": before.written,
      ":before": before.chapters.length,
      ":ttl": toTtl(deps.now() + TIMELINE_KEPT_DAYS * DAY_MS),
    },
  });
  if (item === undefined) throw new Error(`the stored timeline of ${eventId} does not exist`);
  return item;
};

/** Stores how many timeline entries are queued. The stored number never decreases. */
export const storeQueuedCount = async (
  deps: TableDeps,
  ws: WorkspaceId,
  eventId: string,
  count: number,
): Promise<void> => {
  await updateItem(deps, timelineKey(ws, eventId), TimelineItem, {
    update: "SET written = :written",
    condition: "written < :written",
    values: { ":written": count },
  });
};

export const queueMessage = async (deps: TableDeps, { ws, id }: QueueRef, message: Message): Promise<void> => {
  const { sk, ...rest } = message;
  await putItemIf(
    deps,
    { pk: messagesPk(ws, id, "WAITS"), sk },
    { ...rest, ttl: computeMessageTtl(message.told) },
    Message,
  );
};

/** Stores that a message was added, so that a worker which is about to release the queue's lease continues. */
export const markQueueWaiting = async (deps: TableDeps, { ws, id }: QueueRef): Promise<void> => {
  await updateItem(deps, queueKey(ws, id), DeliveryQueue, { update: "ADD asked :one", values: { ":one": 1 } });
};

export const listFirstMessages = (deps: TableDeps, { ws, id }: QueueRef, limit: number): Promise<Message[]> =>
  queryItems(deps, { pk: messagesPk(ws, id, "WAITS") }, Message, { limit });

/** Stores a failed attempt to send a message. The message itself stays queued. */
export const storeMessageTry = async (
  deps: TableDeps,
  { ws, id }: QueueRef,
  { sk, tries }: Message,
  { at, code }: Failure,
): Promise<void> => {
  await updateItem(deps, { pk: messagesPk(ws, id, "WAITS"), sk }, Message, {
    update: "SET tries = :tries, #at = :at, code = :code",
    condition: "attribute_exists(pk)",
    names: { "#at": "at" },
    values: { ":tries": tries + 1, ":at": at, ":code": code },
  });
};

/** Moves a message from the queue to the finished messages. `taken`: whether the message was accepted, not discarded. */
export const finishMessage = async (
  deps: TableDeps,
  { ws, id }: QueueRef,
  { sk, ...message }: Message,
  result: Failure & { taken: boolean },
): Promise<void> => {
  const done = { ...message, ...result, tries: message.tries + 1, ttl: computeMessageTtl(message.told) };
  await putItem(deps, { pk: messagesPk(ws, id, "SENT"), sk }, done);
  await deleteItem(deps, { pk: messagesPk(ws, id, "WAITS"), sk });
};

/** Lists at most `limit` messages of a webhook, the newest first. `before`: lists only messages that are older. */
export const listMessages = async (
  deps: TableDeps,
  { ws, id }: QueueRef,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<Message[]> => {
  const listMessagesOfKind = (kind: "WAITS" | "SENT") =>
    queryItems(deps, { pk: messagesPk(ws, id, kind), ...(before === undefined ? {} : { before }) }, Message, {
      consistent: false,
      descending: true,
      limit,
    });
  const [waits, sent] = await Promise.all([listMessagesOfKind("WAITS"), listMessagesOfKind("SENT")]);
  // A replayed message is in both lists, because it was sent before and is waiting again.
  const bySk = new Map([...sent, ...waits].map((message) => [message.sk, message]));
  return [...bySk.values()].toSorted((one, other) => (one.sk < other.sk ? 1 : -1)).slice(0, limit);
};

/** Lists the finished messages that were queued between two times (in milliseconds), the oldest first. */
export const listSentMessages = (
  deps: TableDeps,
  { ws, id }: QueueRef,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<Message[]> =>
  queryItems(deps, { pk: messagesPk(ws, id, "SENT"), ...messageRange(from, to) }, Message, { limit });

export const readQueue = async (deps: TableDeps, { ws, id }: QueueRef): Promise<DeliveryQueue> =>
  (await getItem(deps, queueKey(ws, id), DeliveryQueue)) ?? emptyQueue;

const QueueItem = v.object({ ...DeliveryQueue.entries, sk: v.string() });

/** Returns the delivery queues of a workspace, by webhook or connection id. */
export const readQueues = async (deps: TableDeps, ws: WorkspaceId): Promise<Map<string, DeliveryQueue>> => {
  const lines = await queryItems(deps, { pk: queuesPk(ws) }, QueueItem);
  return new Map(lines.map(({ sk, ...line }) => [sk, line]));
};

export type QueueClaim = { kind: "claimed"; line: DeliveryQueue } | { kind: "refused"; line: DeliveryQueue };

/** Claims a delivery queue, unless another invocation has claimed the queue, or the queue waits for a retry or is suspended. */
export const claimQueue = async (
  deps: TableDeps,
  { ws, id }: QueueRef,
  lease: { id: string; from: number; until: number },
): Promise<QueueClaim> => {
  const { kind, item } = await updateItem(deps, queueKey(ws, id), DeliveryQueue, {
    update: "SET lease = :lease, #until = :until",
    condition:
      "(attribute_not_exists(#until) OR #until <= :now) AND attribute_not_exists(suspendedAt) AND " +
      "(attribute_not_exists(due) OR due <= :now)",
    names: { "#until": "until" },
    values: { ":lease": lease.id, ":now": lease.from, ":until": lease.until },
  });
  const line = item ?? emptyQueue;
  // After a lost answer, the SDK repeats the write, which fails because the first attempt claimed the queue.
  return { kind: kind === "done" || line.lease === lease.id ? "claimed" : "refused", line };
};

/** The new state of a queue; a write removes the fields that are missing. */
type QueueState = Pick<DeliveryQueue, "failingSince" | "due" | "failure" | "suspendedAt"> & { tries: number };

/** Stores a queue's state under a valid lease. `release`: also ends the lease; refused if messages were added since `asked`. */
export const writeQueue = async (
  deps: TableDeps,
  { ws, id }: QueueRef,
  lease: string,
  state: QueueState,
  release?: { asked?: number },
): Promise<{ kind: "done" | "refused"; queue: DeliveryQueue | undefined }> => {
  const { tries, ...times } = state;
  const given = Object.entries(times).filter(([, value]) => value !== undefined);
  const gone = ["failingSince", "due", "failure", "suspendedAt"].filter((name) => !given.some(([one]) => one === name));
  const removed = [...gone, ...(release === undefined ? [] : ["lease", "#until"])];
  const { kind, item } = await updateItem(deps, queueKey(ws, id), DeliveryQueue, {
    update:
      `SET tries = :tries${given.map(([name]) => `, ${name} = :${name}`).join("")}` +
      (removed.length === 0 ? "" : ` REMOVE ${removed.join(", ")}`),
    condition: `lease = :lease${release?.asked === undefined ? "" : " AND asked = :asked"}`,
    ...(release === undefined ? {} : { names: { "#until": "until" } }),
    values: {
      ":tries": tries,
      ":lease": lease,
      ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
      ...(release?.asked === undefined ? {} : { ":asked": release.asked }),
    },
  });
  return { kind, queue: item };
};

/** Ends a queue's wait or suspension, because somebody may have fixed its receiver. Returns the queue's earlier state. */
export const resumeQueue = async (deps: TableDeps, ref: QueueRef): Promise<DeliveryQueue> => {
  const before = await readQueue(deps, ref);
  await updateItem(deps, queueKey(ref.ws, ref.id), DeliveryQueue, {
    update: "SET tries = :none, asked = if_not_exists(asked, :none) + :one REMOVE due, failingSince, suspendedAt",
    values: { ":none": 0, ":one": 1 },
  });
  return before;
};

const DueQueue = v.object({ ws: WorkspaceId, id: v.string(), due: v.number() });
export type DueQueue = v.InferOutput<typeof DueQueue>;

export const putDueQueue = (deps: TableDeps, queue: DueQueue): Promise<void> =>
  putItem(deps, dueQueueKey(queue.due, queue.ws, queue.id), queue);
export const removeDueQueue = (deps: TableDeps, { ws, id, due }: DueQueue): Promise<void> =>
  deleteItem(deps, dueQueueKey(due, ws, id));

export const listDueQueues = /* @__PURE__ */ createDueLister(dueQueuesPk, DueQueue);

export const TEST_PAUSE_MS = 10_000;

/** Stores when somebody tests a queue, and who (in the audit trail). Returns false within 10 seconds after the previous test. */
export const startQueueTest = async (
  deps: AuditDeps,
  {
    workspaceId: ws,
    id,
    name,
    kind,
  }: Pick<Webhook, "workspaceId" | "id" | "name"> & { kind: "webhook" | "connection" },
  at: number,
): Promise<boolean> => {
  const write = updateWrite(deps, queueKey(ws, id), {
    update: "SET testedAt = :at",
    condition: "attribute_not_exists(testedAt) OR testedAt <= :before",
    values: { ":at": at, ":before": at - TEST_PAUSE_MS },
  });
  const record = { action: "tested", target: { kind, id, name }, before: null, after: null } as const;
  return (await writeRecorded(deps, ws, record, write)).kind === "done";
};
