import { computed, signal } from "@preact/signals";
import { createApi, READ_WITHIN_MS } from "./api.ts";
import { Failed } from "./failure.ts";
import {
  type Acknowledgement,
  createRetryTimer,
  storeAcknowledgements,
  isRetryable,
  sendStoredAcknowledgements,
} from "./pending-acknowledgements.ts";
import { refreshAll } from "./resource.ts";
import { session } from "./session.ts";
import { isText, isBoolean, listShape, readJson, objectShape } from "./shape.ts";

/* Keeps unsent acknowledgements until they are sent, even if the page is closed. */

const KEPT = "unsent";
const isUnsent = listShape(objectShape<Acknowledgement>({ userId: isText, workspaceId: isText, eventId: isText }));

const readUnsent = (): Acknowledgement[] => readJson(localStorage.getItem(KEPT), isUnsent) ?? [];
const unsent = signal(readUnsent());
const writeUnsent = (acknowledgements: Acknowledgement[]): void => {
  localStorage.setItem(KEPT, JSON.stringify(acknowledgements));
  unsent.value = acknowledgements;
};

const readSignedInUserId = (): string | undefined => {
  const person = session.value;
  return person.state === "in" ? person.userId : undefined;
};

/** Ids of events that the reader has acknowledged in notifications, but whose acknowledgements the worker could not send yet. */
const pressedOutside = signal<readonly string[]>([]);

export const unsentIds = computed(() => {
  const mine = unsent.value.filter((one) => one.userId === readSignedInUserId());
  return new Set([...mine.map(({ eventId }) => eventId), ...pressedOutside.value]);
});

const createDefaultRetryTimer = () => createRetryTimer(Date.now, Math.random);
const paces = { own: createDefaultRetryTimer(), worker: createDefaultRetryTimer() };

const isFromWorker = objectShape({ unsent: listShape(isText), news: isBoolean });

/** Stores which acknowledgements the worker could not send. If the message has `news`, loads the page's data again. */
export const handleWorkerMessage = (message: unknown): void => {
  if (!isFromWorker(message)) return;
  if (message.unsent.length < pressedOutside.peek().length) paces.worker.reset();
  pressedOutside.value = message.unsent;
  if (message.news) refreshAll();
};

/** Asks the worker to send its receipts, and to report the unsent acknowledgements. */
const requestWorkerStatus = (): void => {
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ sendKept: true }));
};

const AT_ONCE_MAX = 100;

const sendAcknowledgements = (userId: string | undefined, workspaceId: string, eventIds: string[]): Promise<unknown> =>
  createApi(workspaceId)("events/acknowledge-events", { body: { eventIds }, as: userId, withinMs: READ_WITHIN_MS });

/** Returns how many acknowledgements were sent; the others are stored for later. Throws `Failed` if the service refuses. */
export const acknowledgeOrKeep = async (workspaceId: string, eventIds: readonly string[]): Promise<number> => {
  const ids = [...new Set(eventIds)];
  const me = readSignedInUserId();
  for (let start = 0; start < ids.length; start += AT_ONCE_MAX) {
    try {
      await sendAcknowledgements(me, workspaceId, ids.slice(start, start + AT_ONCE_MAX));
    } catch (error) {
      if (me === undefined || !(error instanceof Failed) || error.failure.kind === "signed-out") throw error;
      if (!isRetryable(error.failure)) throw error;
      const rest = ids.slice(start).map((eventId) => ({ userId: me, workspaceId, eventId }));
      storeAcknowledgements({ read: readUnsent, write: writeUnsent }, rest);
      return start;
    }
  }
  return ids.length;
};

let sending = false;

/** Sends the stored acknowledgements if a retry is due and no other call is sending. */
const sendUnsent = async (): Promise<void> => {
  if (sending || !paces.own.isDue()) return;
  sending = true;
  try {
    const keeping = {
      read: readUnsent,
      write: writeUnsent,
      userId: readSignedInUserId,
      send: (one: Acknowledgement) => sendAcknowledgements(one.userId, one.workspaceId, [one.eventId]),
    };
    if (await sendStoredAcknowledgements(keeping, paces.own)) refreshAll();
  } finally {
    sending = false;
  }
};

/** Sends unsent acknowledgements now, and starts the retry delays again from the shortest. */
export const retryUnsentNow = async (): Promise<undefined> => {
  paces.own.reset();
  paces.worker.reset();
  requestWorkerStatusIfDue();
  await sendUnsent();
};

const requestWorkerStatusIfDue = (): void => {
  if (pressedOutside.peek().length === 0 || !paces.worker.isDue()) return;
  paces.worker.failed();
  requestWorkerStatus();
};

const LOOK_MS = 10_000;

/** Sends stored acknowledgements after a sign-in, when the network is back, and every few seconds. */
export const startOutbox = (): void => {
  const checkOutbox = (): void => {
    void sendUnsent();
    requestWorkerStatusIfDue();
  };
  addEventListener("online", () => {
    paces.own.reset();
    paces.worker.reset();
    checkOutbox();
  });
  addEventListener("storage", ({ key }) => {
    if (key === KEPT) unsent.value = readUnsent();
  });
  session.subscribe(checkOutbox);
  window.setInterval(checkOutbox, LOOK_MS);
  requestWorkerStatus();
};
