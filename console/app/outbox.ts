import { computed, signal } from "@preact/signals";
import * as v from "valibot";
import { createApi } from "./api.ts";
import { Failed } from "./failure.ts";
import { refreshAll } from "./resource.ts";
import { session } from "./session.ts";

/*
 * Acknowledgements pressed without a network. They are kept even when the page is closed, sent as soon as there is a
 * network, and shown as unsent until then.
 */

const KEPT = "unsent";
const Unsent = v.array(v.object({ userId: v.string(), workspaceId: v.string(), eventId: v.string() }));
type Unsent = v.InferOutput<typeof Unsent>;

const read = (): Unsent => {
  const kept = v.safeParse(v.pipe(v.string(), v.parseJson(), Unsent), localStorage.getItem(KEPT));
  return kept.success ? kept.output : [];
};
const unsent = signal(read());
const write = (next: Unsent): void => {
  localStorage.setItem(KEPT, JSON.stringify(next));
  unsent.value = next;
};

const mine = (): Unsent => {
  const person = session.value;
  return person.state === "in" ? unsent.value.filter(({ userId }) => userId === person.userId) : [];
};

/** The events acknowledged on notifications and not yet sent: the worker keeps those, and reports them. */
const pressedOutside = signal<readonly string[]>([]);

/** The events whose acknowledgement has not been sent. */
export const unsentIds = computed(() => new Set([...mine().map(({ eventId }) => eventId), ...pressedOutside.value]));

const FromWorker = v.object({ unsent: v.array(v.string()), news: v.boolean() });

/** Handles a message of the worker: a push came, or what was pressed on notifications was sent or is still unsent. */
export const hearWorker = (said: unknown): void => {
  const heard = v.safeParse(FromWorker, said);
  if (!heard.success) return;
  pressedOutside.value = heard.output.unsent;
  if (heard.output.news) refreshAll();
};

const askWorker = (): void => {
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ sendKept: true }));
};

/** The most that the API takes at once. */
const AT_ONCE_MAX = 100;

const send = (workspaceId: string, eventIds: string[]): Promise<unknown> =>
  createApi(workspaceId)("events/acknowledge-events", { body: { eventIds } });

const isOffline = (error: unknown): boolean => error instanceof Failed && error.failure.kind === "offline";

const keep = (userId: string, workspaceId: string, eventIds: readonly string[]): void => {
  const others = unsent.peek().filter(({ eventId }) => !eventIds.includes(eventId));
  write([...others, ...eventIds.map((eventId) => ({ userId, workspaceId, eventId }))]);
};

/** Acknowledges events, or keeps the acknowledgements for later. Returns how many were sent; a refusal is thrown. */
export const acknowledge = async (workspaceId: string, eventIds: readonly string[]): Promise<number> => {
  const ids = [...new Set(eventIds)];
  for (let start = 0; start < ids.length; start += AT_ONCE_MAX) {
    try {
      await send(workspaceId, ids.slice(start, start + AT_ONCE_MAX));
    } catch (error) {
      const person = session.peek();
      if (!isOffline(error) || person.state !== "in") throw error;
      keep(person.userId, workspaceId, ids.slice(start));
      return start;
    }
  }
  return ids.length;
};

let sending = false;

/** Sends the kept acknowledgements. Those that the API refuses are dropped: the list shows how things stand. */
export const sendUnsent = async (): Promise<void> => {
  if (sending || mine().length === 0) return;
  sending = true;
  try {
    for (const { workspaceId, eventId } of mine()) {
      const done = await send(workspaceId, [eventId]).then(
        () => true,
        (error: unknown) => error instanceof Failed && error.failure.kind === "refused",
      );
      if (!done) return;
      write(unsent.peek().filter((one) => one.eventId !== eventId));
    }
    refreshAll();
  } finally {
    sending = false;
  }
};

/** Tries again when the network is back, and now and then in case nobody reports that. */
export const startOutbox = (): void => {
  const send = (): void => {
    void sendUnsent();
    if (pressedOutside.peek().length > 0) askWorker();
  };
  addEventListener("online", send);
  window.setInterval(send, 10_000);
  askWorker();
};
