import type { Message } from "./message.ts";
import { createFairOrder } from "./fair.ts";
import { createSchedule } from "./schedule.ts";

export type QueueSettings = {
  name: string;
  visibilitySeconds: number;
  delaySeconds: number;
  /** How often a message may be received, and the queue to which the message then moves. */
  redrive: { maxReceives: number; to: string } | undefined;
};

type QueueHooks = {
  now: () => number;
  newId: () => string;
  /** The queue calls this function with each new time at which a message becomes visible. */
  wake: (at: number) => void;
  moveToDeadLetters: (message: Message) => void;
};

export type Depth = { visible: number; inFlight: number; delayed: number };

/** Counts messages. `inFlight`: messages with a receipt that are not visible; `delayed`: invisible messages without a receipt. */
const countMessages = (messages: ReadonlySet<Message>, now: number): Depth => {
  const hidden = [...messages].filter(({ visibleAt }) => visibleAt > now);
  const inFlight = hidden.filter(({ receipt }) => receipt !== undefined).length;
  return { visible: messages.size - hidden.length, inFlight, delayed: hidden.length - inFlight };
};

type NewMessage = Pick<Message, "id" | "body" | "group" | "sentAt">;

/** Creates the store of a queue's messages and of the times at which they become visible. */
const createMessageStore = ({ now, wake }: Pick<QueueHooks, "now" | "wake">) => {
  const messages = new Set<Message>();
  const byReceipt = new Map<string, Message>();
  /** Messages that were not visible at the last check. */
  const schedule = createSchedule<Message>();
  const isShown = ({ at, message }: { at: number; message: Message }): boolean =>
    messages.has(message) && message.visibleAt === at;
  const fairOrder = createFairOrder(now, isShown);

  const scheduleVisibility = (message: Message, visibleAt: number): void => {
    message.visibleAt = visibleAt;
    schedule.add(visibleAt, message);
    wake(visibleAt);
  };
  const putMessage = (newMessage: NewMessage, visibleAt: number): Message => {
    const unread = { receives: 0, firstReceivedAt: undefined, receipt: undefined, receivedAt: 0 };
    const message: Message = { ...newMessage, visibleAt, ...unread };
    messages.add(message);
    scheduleVisibility(message, visibleAt);
    return message;
  };
  const removeMessage = (message: Message): void => {
    messages.delete(message);
    if (message.receipt !== undefined) byReceipt.delete(message.receipt);
    fairOrder.ended(message);
  };
  /** Moves visible messages to `fairOrder`, which orders them fairly. Drops entries of messages that are hidden or deleted. */
  const moveVisibleMessages = (): void => {
    for (let entry = schedule.first(); entry !== undefined; entry = schedule.first()) {
      const { at, item: message } = entry;
      if (isShown({ at, message }) && at > now()) return;
      schedule.removeFirst();
      if (isShown({ at, message })) fairOrder.add({ at, message });
    }
  };
  const findNextVisibleTime = (): number | undefined => {
    moveVisibleMessages();
    return fairOrder.firstAt() ?? schedule.first()?.at;
  };
  const takeFirstMessage = (): Message | undefined => {
    moveVisibleMessages();
    const message = fairOrder.take();
    if (message !== undefined) message.visibleAt = Infinity;
    return message;
  };
  /** Counts the message as received, with a new receipt handle, which invalidates the previous handle. */
  const deliverMessage = (message: Message, receipt: string): void => {
    if (message.receipt !== undefined) byReceipt.delete(message.receipt);
    message.receipt = receipt;
    byReceipt.set(receipt, message);
    message.receives += 1;
    message.firstReceivedAt ??= now();
    message.receivedAt = now();
    fairOrder.began(message);
  };
  return {
    messages,
    byReceipt,
    show: scheduleVisibility,
    put: putMessage,
    forget: removeMessage,
    nextAt: findNextVisibleTime,
    takeFirst: takeFirstMessage,
    markReceived: deliverMessage,
  };
};

/** Creates a queue. `moveToDeadLetters`: called with each message that was received too often, after it has left the queue. */
export const createQueue = (settings: QueueSettings, { now, newId, wake, moveToDeadLetters }: QueueHooks) => {
  const { messages, byReceipt, show, put, forget, nextAt, takeFirst, markReceived } = createMessageStore({ now, wake });

  return {
    settings,
    messages: messages as ReadonlySet<Message>,
    send: (
      body: string,
      {
        group,
        delaySeconds = settings.delaySeconds,
      }: { group?: string | undefined; delaySeconds?: number | undefined } = {},
    ): Message => put({ id: newId(), body, group, sentAt: now() }, now() + delaySeconds * 1000),
    /** Adds a message that already has an id, such as a message from another queue, or a second delivery. */
    add: ({ id, body, group, sentAt }: NewMessage, afterMs = 0): Message =>
      put({ id, body, group, sentAt }, now() + afterMs),
    show,
    /** Returns the next messages. A message that was received too often leaves the queue. */
    receive: (max: number, visibilitySeconds = settings.visibilitySeconds): Message[] => {
      const taken: Message[] = [];
      while (taken.length < max) {
        const message = takeFirst();
        if (message === undefined) break;
        if (settings.redrive !== undefined && message.receives >= settings.redrive.maxReceives) {
          forget(message);
          moveToDeadLetters(message);
          continue;
        }
        markReceived(message, newId());
        taken.push(message);
      }
      // With a visibility timeout of 0, a message is delivered again at the next receive.
      for (const message of taken) show(message, now() + visibilitySeconds * 1000);
      return taken;
    },
    find: (receipt: string): Message | undefined => byReceipt.get(receipt),
    remove: (receipt: string): void => {
      const message = byReceipt.get(receipt);
      if (message !== undefined) forget(message);
    },
    nextAt,
    depth: () => countMessages(messages, now()),
    drain: (): Message[] => {
      const all = [...messages];
      for (const message of all) forget(message);
      return all;
    },
  };
};
export type Queue = ReturnType<typeof createQueue>;
