import { createSchedule } from "./schedule.ts";

export type Message = {
  id: string;
  body: string;
  sentAt: number;
  /** When it can be received next, in milliseconds. */
  visibleAt: number;
  receives: number;
  firstReceivedAt: number | undefined;
  /** The handle and the time of the last receive. */
  receipt: string | undefined;
  receivedAt: number;
};

export type QueueSettings = {
  name: string;
  visibilitySeconds: number;
  delaySeconds: number;
  /** How often a message may be received, and the queue that it moves to after that. */
  redrive: { maxReceives: number; to: string } | undefined;
};

type Hooks = {
  now: () => number;
  newId: () => string;
  /** Called with the time at which a message will be visible. */
  wake: (at: number) => void;
  /** Takes a message that was received too often. */
  bury: (message: Message) => void;
};

export type Depth = { visible: number; inFlight: number; delayed: number };

const depthOf = (messages: ReadonlySet<Message>, at: number): Depth => {
  const hidden = [...messages].filter(({ visibleAt }) => visibleAt > at);
  const inFlight = hidden.filter(({ receipt }) => receipt !== undefined).length;
  return { visible: messages.size - hidden.length, inFlight, delayed: hidden.length - inFlight };
};

/** The messages of a queue and when each is visible. A receipt handle finds the message that it was given for. */
const createStock = ({ now, wake }: Pick<Hooks, "now" | "wake">) => {
  const messages = new Set<Message>();
  const byReceipt = new Map<string, Message>();
  const schedule = createSchedule<Message>();

  const show = (message: Message, at: number): void => {
    message.visibleAt = at;
    schedule.add(at, message);
    wake(at);
  };
  const put = (id: string, body: string, sentAt: number, at: number): Message => {
    const unread = { receives: 0, firstReceivedAt: undefined, receipt: undefined, receivedAt: 0 };
    const message: Message = { id, body, sentAt, visibleAt: at, ...unread };
    messages.add(message);
    show(message, at);
    return message;
  };
  const forget = (message: Message): void => {
    messages.delete(message);
    if (message.receipt !== undefined) byReceipt.delete(message.receipt);
  };
  const isShown = ({ at, item }: { at: number; item: Message }): boolean => messages.has(item) && item.visibleAt === at;
  /** The message that becomes visible next. The schedule's entries for messages hidden or deleted since are dropped. */
  const first = (): Message | undefined => {
    for (let entry = schedule.first(); entry !== undefined; entry = schedule.first()) {
      if (isShown(entry)) return entry.item;
      schedule.removeFirst();
    }
    return undefined;
  };
  const takeFirst = (): Message | undefined => {
    const message = first();
    if (message === undefined || message.visibleAt > now()) return undefined;
    schedule.removeFirst();
    message.visibleAt = Infinity;
    return message;
  };
  /** Invalidates the message's previous handle. */
  const handOut = (message: Message, receipt: string): void => {
    if (message.receipt !== undefined) byReceipt.delete(message.receipt);
    message.receipt = receipt;
    byReceipt.set(receipt, message);
    message.receives += 1;
    message.firstReceivedAt ??= now();
    message.receivedAt = now();
  };
  return { messages, byReceipt, show, put, forget, first, takeFirst, handOut };
};

/** One SQS queue: delays, visibility, receive counts, redrive. Its clock is passed in: the real one, or a test's. */
export const createQueue = (settings: QueueSettings, { now, newId, wake, bury }: Hooks) => {
  const { messages, byReceipt, show, put, forget, first, takeFirst, handOut } = createStock({ now, wake });

  return {
    settings,
    messages: messages as ReadonlySet<Message>,
    send: (body: string, delaySeconds = settings.delaySeconds): Message =>
      put(newId(), body, now(), now() + delaySeconds * 1000),
    /** Another delivery of the same message, as SQS may make one; or a message from elsewhere, or one put back. */
    add: ({ id, body, sentAt }: Pick<Message, "id" | "body" | "sentAt">, afterMs = 0): Message =>
      put(id, body, sentAt, now() + afterMs),
    /** Makes a message visible later or earlier. */
    show,
    /** Up to `max` visible messages, which are then hidden. A message received too often leaves the queue instead. */
    receive: (max: number, visibilitySeconds = settings.visibilitySeconds): Message[] => {
      const taken: Message[] = [];
      while (taken.length < max) {
        const message = takeFirst();
        if (message === undefined) break;
        if (settings.redrive !== undefined && message.receives >= settings.redrive.maxReceives) {
          forget(message);
          bury(message);
          continue;
        }
        handOut(message, newId());
        taken.push(message);
      }
      // A message with a visibility timeout of 0 comes again at the next receive, not in this one.
      for (const message of taken) show(message, now() + visibilitySeconds * 1000);
      return taken;
    },
    /** The message whose latest receive gave this handle. */
    find: (receipt: string): Message | undefined => byReceipt.get(receipt),
    remove: (receipt: string): void => {
      const message = byReceipt.get(receipt);
      if (message !== undefined) forget(message);
    },
    /** When the next message is visible; undefined when the queue is empty. */
    nextAt: (): number | undefined => first()?.visibleAt,
    depth: () => depthOf(messages, now()),
    /** Empties the queue, and returns its messages. */
    drain: (): Message[] => {
      const all = [...messages];
      for (const message of all) forget(message);
      return all;
    },
  };
};
export type Queue = ReturnType<typeof createQueue>;
