import type { Message } from "./message.ts";
import { createFairShares } from "./fair.ts";
import { createSchedule } from "./schedule.ts";

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

/** What a message is before it is in a queue. */
type Fresh = Pick<Message, "id" | "body" | "group" | "sentAt">;

/** The messages of a queue and when each is visible. A receipt handle finds the message that it was given for. */
const createStock = ({ now, wake }: Pick<Hooks, "now" | "wake">) => {
  const messages = new Set<Message>();
  const byReceipt = new Map<string, Message>();
  /** The messages that are not visible yet, or were not when somebody last asked. */
  const schedule = createSchedule<Message>();
  const isShown = ({ at, message }: { at: number; message: Message }): boolean =>
    messages.has(message) && message.visibleAt === at;
  const shares = createFairShares(now, isShown);

  const show = (message: Message, at: number): void => {
    message.visibleAt = at;
    schedule.add(at, message);
    wake(at);
  };
  const put = (fresh: Fresh, at: number): Message => {
    const unread = { receives: 0, firstReceivedAt: undefined, receipt: undefined, receivedAt: 0 };
    const message: Message = { ...fresh, visibleAt: at, ...unread };
    messages.add(message);
    show(message, at);
    return message;
  };
  const forget = (message: Message): void => {
    messages.delete(message);
    if (message.receipt !== undefined) byReceipt.delete(message.receipt);
    shares.ended(message);
  };
  /** Moves what has become visible from the schedule to its group. Entries for messages hidden since are dropped. */
  const promote = (): void => {
    for (let entry = schedule.first(); entry !== undefined; entry = schedule.first()) {
      const { at, item: message } = entry;
      if (isShown({ at, message }) && at > now()) return;
      schedule.removeFirst();
      if (isShown({ at, message })) shares.add({ at, message });
    }
  };
  /** When the message is visible that comes next. */
  const nextAt = (): number | undefined => {
    promote();
    return shares.firstAt() ?? schedule.first()?.at;
  };
  const takeFirst = (): Message | undefined => {
    promote();
    const message = shares.take();
    if (message !== undefined) message.visibleAt = Infinity;
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
    shares.began(message);
  };
  return { messages, byReceipt, show, put, forget, nextAt, takeFirst, handOut };
};

/** One SQS queue: delays, visibility, receive counts, redrive, fair shares. Its clock is passed in: the real one, or a test's. */
export const createQueue = (settings: QueueSettings, { now, newId, wake, bury }: Hooks) => {
  const { messages, byReceipt, show, put, forget, nextAt, takeFirst, handOut } = createStock({ now, wake });

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
    /** Another delivery of the same message, as SQS may make one; or a message from elsewhere, or one put back. */
    add: ({ id, body, group, sentAt }: Fresh, afterMs = 0): Message =>
      put({ id, body, group, sentAt }, now() + afterMs),
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
    nextAt,
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
