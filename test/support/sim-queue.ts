import type { Queue } from "../../core/deps.ts";
import { messageReceivesMax } from "../../core/wiring.ts";

type Entry = { MessageBody: string; DelaySeconds?: number };
type Command = {
  input: Partial<Entry> & { Entries?: Entry[]; ReceiptHandle?: string; VisibilityTimeout?: number };
};

type Message = { id: string; body: string; visibleAt: number; receives: number };

export type SimRecords = {
  Records: {
    messageId: string;
    receiptHandle: string;
    body: string;
    attributes: { ApproximateReceiveCount: string };
  }[];
};

const BATCH = 10;

/** An SQS queue in virtual time: delays, visibility, receive counts, and a dead-letter queue after the last receive. */
export const simQueue = (now: () => number, visibilitySeconds: number) => {
  const messages = new Map<string, Message>();
  const dead: Message[] = [];
  let ids = 0;
  let up = true;
  const add = ({ MessageBody, DelaySeconds = 0 }: Entry) => {
    const id = String((ids += 1));
    messages.set(id, { id, body: MessageBody, visibleAt: now() + DelaySeconds * 1000, receives: 0 });
  };
  const send = async ({ input }: Command) => {
    if (!up) throw new Error("the queue is down");
    const { Entries, MessageBody, DelaySeconds, ReceiptHandle, VisibilityTimeout } = input;
    const held = ReceiptHandle === undefined ? undefined : messages.get(ReceiptHandle);
    if (VisibilityTimeout !== undefined) {
      if (held !== undefined) held.visibleAt = now() + VisibilityTimeout * 1000;
    } else
      for (const entry of Entries ?? [
        { MessageBody: MessageBody ?? "", ...(DelaySeconds === undefined ? {} : { DelaySeconds }) },
      ])
        add(entry);
    return {};
  };

  return {
    queue: { url: "test", client: { send } } as unknown as Queue,
    setUp: (value: boolean) => (up = value),
    dead,
    /** When the next message can be received, or Infinity. */
    nextAt: () => Math.min(Infinity, ...[...messages.values()].map(({ visibleAt }) => visibleAt)),
    /** Hands out at most ten messages as Lambda gets them; undefined when there is none now. */
    receive: (): SimRecords | undefined => {
      const due = [...messages.values()].filter(({ visibleAt }) => visibleAt <= now()).slice(0, BATCH);
      const given = due.filter((message) => {
        if (message.receives < messageReceivesMax) return true;
        messages.delete(message.id);
        dead.push(message);
        return false;
      });
      for (const message of given) {
        message.receives += 1;
        message.visibleAt = now() + visibilitySeconds * 1000;
      }
      if (given.length === 0) return undefined;
      return {
        Records: given.map(({ id, body, receives }) => ({
          messageId: id,
          receiptHandle: id,
          body,
          attributes: { ApproximateReceiveCount: String(receives) },
        })),
      };
    },
    /** Forgets what was worked on, except what the answer names. */
    settle: ({ Records }: SimRecords, { batchItemFailures }: { batchItemFailures: { itemIdentifier: string }[] }) => {
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const { messageId } of Records) if (!failed.has(messageId)) messages.delete(messageId);
    },
  };
};
