import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { MESSAGES_KEPT_DAYS, ORPHAN_MARKER_MS } from "../../domain/basics/limits.ts";
import { createDeliveryNotice, type DeliveryTrouble } from "../../domain/event/notices.ts";
import { decideNextQueueAction, freshHead } from "../../domain/webhook/delivery-queue.ts";
import type { QueueHead, NextOfQueue } from "../../domain/webhook/delivery-queue.ts";
import type { Message } from "../../domain/webhook/message.ts";
import type { DeliveryQueue } from "../../domain/webhook/webhook.ts";
import type { WebhookMessage } from "../../queue/messages.ts";
import { sendMessages } from "../../queue/send.ts";
import {
  claimQueue,
  listFirstMessages,
  storeMessageTry,
  putDueQueue,
  removeDueQueue,
  finishMessage,
  writeQueue,
} from "../../store/delivery/delivery-queues.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";
import { addExplanation, readReceiver, type Receiver, type ReceiverDeps } from "./receivers.ts";
import { computeDelayUntil } from "../work.ts";
import { SECOND_MS } from "../../domain/basics/units.ts";

export type QueueDeps = IngestDeps &
  ReceiverDeps &
  Pick<Deps, "random" | "sleep"> & { queues: IngestDeps["queues"] & Pick<Deps["queues"], "webhooks"> };
type QueueMessage = Extract<WebhookMessage, { kind: "line" }>;

/** The duration of a lease: longer than the worker's timeout (30 s), so an expired lease belongs to a dead invocation. */
const QUEUE_LEASE_MS = 40 * SECOND_MS;
const READ_AT_ONCE = 10;

type LeasedQueue = { receiver: Receiver; lease: string; line: DeliveryQueue; ref: { ws: WorkspaceId; id: string } };

/** Notifies the owners of failed deliveries. Throws if another invocation is creating the notice: SQS repeats the message. */
const notifyOwners = async (deps: QueueDeps, { receiver }: LeasedQueue, trouble: DeliveryTrouble): Promise<void> => {
  const notice = createDeliveryNotice(receiver, addExplanation(receiver, trouble));
  const event = await createOwnIngest(deps)({ workspaceId: receiver.ws, ...notice });
  if (event === undefined) throw new Error("another invocation is notifying the owners");
};

/** Sends a message (`head`: its attempts so far). Removes a delivered or unneeded message. `called`: the receiver was called. */
const attemptDelivery = async (
  deps: QueueDeps,
  { receiver, ref }: LeasedQueue,
  head: QueueHead,
  message: Message,
): Promise<NextOfQueue & { called: boolean }> => {
  const sent = await receiver.send(message);
  if (sent === "shown" || sent === "unwanted") {
    await finishMessage(deps, ref, message, { at: deps.now(), code: sent.toUpperCase(), taken: sent === "shown" });
    return { kind: "goes_on", called: false };
  }
  deps.log.info("receiver.sent", { workspaceId: ref.ws, receiverId: ref.id, code: sent.code });
  const next = decideNextQueueAction(head, sent, deps.now(), deps.random(), receiver.longestPauseMs);
  if (next.kind === "goes_on")
    await finishMessage(deps, ref, message, { at: deps.now(), code: sent.code, taken: true });
  return { ...next, called: true };
};

/** Stores that the queue waits or is suspended. Notifies the owners if the queue is suspended or `next.tell` is true. */
const recordFailedDelivery = async (
  deps: QueueDeps,
  queue: LeasedQueue,
  message: Message,
  next: Extract<NextOfQueue, { kind: "waits" | "suspended" }>,
): Promise<void> => {
  const { ref, lease } = queue;
  const { failure } = next;
  await storeMessageTry(deps, ref, message, failure);
  if (next.kind === "suspended") {
    const { because, since } = next;
    await notifyOwners(deps, queue, { kind: "suspended", because, keptDays: MESSAGES_KEPT_DAYS, ...failure });
    await writeQueue(deps, ref, lease, { tries: 0, failingSince: since, failure, suspendedAt: failure.at }, {});
    deps.log.warn("receiver.suspended", { workspaceId: ref.ws, receiverId: ref.id, code: failure.code });
    return;
  }
  const { due, head, tell } = next;
  if (tell) await notifyOwners(deps, queue, { kind: "failing", since: head.failingSince, code: failure.code });
  await putDueQueue(deps, { ...ref, due });
  await writeQueue(deps, ref, lease, { ...head, due, failure }, {});
  const delayMs = computeDelayUntil(due, deps.now());
  // If the wait is too long for SQS, the sweeper starts the queue's worker instead.
  if (delayMs !== undefined)
    await sendMessages(deps.queues.webhooks, [{ message: { kind: "line", ...ref, due }, delayMs }]);
};

/** Sends the queue's messages in order until none is left, a delivery fails, or no time is left. Gives up the lease. */
const drainQueue = async (deps: QueueDeps, queue: LeasedQueue, hasTime: () => boolean): Promise<void> => {
  const { ref, lease, line } = queue;
  let { asked } = line;
  let head: QueueHead = { tries: line.tries, failingSince: line.failingSince };
  for (;;) {
    const messages = await listFirstMessages(deps, ref, READ_AT_ONCE);
    if (messages.length === 0) {
      const left = await writeQueue(deps, ref, lease, { tries: 0 }, { asked });
      // If a message was queued during the lease, no other worker could claim the queue, so this worker sends the message.
      if (left.kind === "done" || left.queue?.lease !== lease) return;
      ({ asked } = left.queue);
      continue;
    }
    for (const message of messages) {
      if (!hasTime()) {
        await writeQueue(deps, ref, lease, head, {});
        await sendMessages(deps.queues.webhooks, [{ message: { kind: "line", ...ref } }]);
        return;
      }
      const began = deps.now();
      const next = await attemptDelivery(deps, queue, head, message);
      if (next.kind === "waits" || next.kind === "suspended") return recordFailedDelivery(deps, queue, message, next);
      if (next.kind === "set_aside") {
        await notifyOwners(deps, queue, { kind: "refused", ...next.failure });
        await finishMessage(deps, ref, message, { ...next.failure, taken: false });
      }
      if (head.tries > 0) await writeQueue(deps, ref, lease, { tries: 0 });
      head = freshHead;
      const pause = began + queue.receiver.paceMs - deps.now();
      if (next.called && pause > 0) await deps.sleep(pause);
    }
  }
};

/** Sends the messages of a delivery queue, unless another invocation is sending them or the queue waits for a retry. */
export const processQueue = async (deps: QueueDeps, message: QueueMessage, hasTime: () => boolean): Promise<void> => {
  const { ws, id, due } = message;
  const ref = { ws, id };
  const receiver = await readReceiver(deps, ref);
  if (receiver === undefined) {
    if (due !== undefined) await removeDueQueue(deps, { ...ref, due });
    return;
  }
  const from = deps.now();
  const lease = deps.newId("lease");
  const { kind, line } = await claimQueue(deps, ref, { id: lease, from, until: from + QUEUE_LEASE_MS });
  if (kind === "claimed") await drainQueue(deps, { receiver, lease, line, ref }, hasTime);
  // A marker whose due time differs from the queue's is either new or, if it is old enough, an orphan.
  const isOrphan = due !== undefined && due !== line.due && from - due > ORPHAN_MARKER_MS;
  if (due !== undefined && (kind === "claimed" || isOrphan)) await removeDueQueue(deps, { ...ref, due });
  if (kind === "claimed" && line.due !== undefined && line.due !== due)
    await removeDueQueue(deps, { ...ref, due: line.due });
};
