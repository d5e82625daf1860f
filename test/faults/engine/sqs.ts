import { messageReceivesMax } from "../../../core/wiring.ts";

/*
 * SQS in virtual time: visibility, receive counts, delays, redrive. What it may do to its users it does on demand: a
 * message that is delivered twice, or long after it was sent.
 */

export type QueueName = "events" | "pushes" | "escalations";

type Message = {
  id: string;
  body: string;
  visibleAt: number;
  receives: number;
  receipt: string | undefined;
};

export type Queue = {
  name: QueueName;
  messages: Message[];
  dead: Message[];
  /** The bodies of all that was ever sent. */
  sent: string[];
  send: (body: string, delayMs: number) => Message;
  /** A second copy of a message, as SQS may deliver it. */
  copy: (message: Message, delayMs: number) => void;
  /** Up to `max` visible messages, hidden from now on; those received too often go to the dead-letter queue. */
  receive: (max: number) => Message[];
  remove: (receipt: string) => void;
  setVisibility: (receipt: string, seconds: number) => boolean;
  /** Puts what lies in the dead-letter queue back, as an operator does. */
  redrive: () => number;
};

export const createQueue = (
  name: QueueName,
  visibilitySeconds: number,
  now: () => number,
  wake: (at: number) => void,
): Queue => {
  const messages: Message[] = [];
  const dead: Message[] = [];
  const sent: string[] = [];
  let count = 0;

  const put = (message: Message) => {
    messages.push(message);
    wake(message.visibleAt);
  };
  const find = (receipt: string) => messages.findIndex((message) => message.receipt === receipt);

  return {
    name,
    messages,
    dead,
    sent,
    send: (body, delayMs) => {
      sent.push(body);
      count += 1;
      const message = { id: `${name}-${count}`, body, visibleAt: now() + delayMs, receives: 0, receipt: undefined };
      put(message);
      return message;
    },
    copy: ({ id, body }, delayMs) => put({ id, body, visibleAt: now() + delayMs, receives: 0, receipt: undefined }),
    receive: (max) => {
      const taken: Message[] = [];
      for (const message of messages.filter(({ visibleAt }) => visibleAt <= now())) {
        if (message.receives >= messageReceivesMax) {
          messages.splice(messages.indexOf(message), 1);
          dead.push({ ...message, receipt: undefined });
          continue;
        }
        if (taken.length === max) break;
        count += 1;
        message.receives += 1;
        message.receipt = `${message.id}/${count}`;
        message.visibleAt = now() + visibilitySeconds * 1000;
        wake(message.visibleAt);
        taken.push({ ...message });
      }
      return taken;
    },
    remove: (receipt) => {
      const index = find(receipt);
      if (index >= 0) messages.splice(index, 1);
    },
    setVisibility: (receipt, seconds) => {
      const message = messages[find(receipt)];
      if (message === undefined) return false;
      message.visibleAt = now() + seconds * 1000;
      wake(message.visibleAt);
      return true;
    },
    redrive: () => {
      const again = dead.splice(0);
      for (const { id, body } of again) put({ id, body, visibleAt: now(), receives: 0, receipt: undefined });
      return again.length;
    },
  };
};
