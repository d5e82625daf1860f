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
const writeUnsent = (next: Acknowledgement[]): void => {
  localStorage.setItem(KEPT, JSON.stringify(next));
  unsent.value = next;
};

const signedInUserId = (): string | undefined => {
  const person = session.value;
  return person.state === "in" ? person.userId : undefined;
};

/** Unsent acknowledgements of notifications, as the worker reports. */
const pressedOutside = signal<readonly string[]>([]);

export const unsentIds = computed(() => {
  const mine = unsent.value.filter((one) => one.userId === signedInUserId());
  return new Set([...mine.map(({ eventId }) => eventId), ...pressedOutside.value]);
});

const newRetryTimer = () => createRetryTimer(Date.now, Math.random);
const paces = { own: newRetryTimer(), worker: newRetryTimer() };

const isFromWorker = objectShape({ unsent: listShape(isText), news: isBoolean });

export const handleWorkerMessage = (said: unknown): void => {
  if (!isFromWorker(said)) return;
  if (said.unsent.length < pressedOutside.peek().length) paces.worker.reset();
  pressedOutside.value = said.unsent;
  if (said.news) refreshAll();
};

const requestWorkerStatus = (): void => {
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ sendKept: true }));
};

const AT_ONCE_MAX = 100;

const sendAcknowledgements = (as: string | undefined, workspaceId: string, eventIds: string[]): Promise<unknown> =>
  createApi(workspaceId)("events/acknowledge-events", { body: { eventIds }, as, withinMs: READ_WITHIN_MS });

/** Returns how many were sent. Throws a refusal. */
export const acknowledgeOrKeep = async (workspaceId: string, eventIds: readonly string[]): Promise<number> => {
  const ids = [...new Set(eventIds)];
  const me = signedInUserId();
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

const sendUnsent = async (): Promise<void> => {
  if (sending || !paces.own.isDue()) return;
  sending = true;
  try {
    const keeping = {
      read: readUnsent,
      write: writeUnsent,
      userId: signedInUserId,
      send: (one: Acknowledgement) => sendAcknowledgements(one.userId, one.workspaceId, [one.eventId]),
    };
    if (await sendStoredAcknowledgements(keeping, paces.own)) refreshAll();
  } finally {
    sending = false;
  }
};

export const retryUnsentNow = async (): Promise<undefined> => {
  paces.own.reset();
  paces.worker.reset();
  requestStatusIfDue();
  await sendUnsent();
};

const requestStatusIfDue = (): void => {
  if (pressedOutside.peek().length === 0 || !paces.worker.isDue()) return;
  paces.worker.failed();
  requestWorkerStatus();
};

const LOOK_MS = 10_000;

/** Retries after a sign-in, when the network is back, and regularly, because browsers may not report the network. */
export const startOutbox = (): void => {
  const checkOutbox = (): void => {
    void sendUnsent();
    requestStatusIfDue();
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
