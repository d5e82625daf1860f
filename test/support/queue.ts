import type { Queue } from "../../core/deps.ts";

type Sent = { input: { MessageBody?: string; Entries?: { MessageBody: string }[] } };

/** A queue that keeps what it is sent until a worker is given it. */
export const testQueue = () => {
  const bodies: string[] = [];
  let up = true;
  const send = async ({ input }: Sent) => {
    if (!up) throw new Error("the queue is down");
    bodies.push(
      ...(input.MessageBody === undefined
        ? (input.Entries ?? []).map((entry) => entry.MessageBody)
        : [input.MessageBody]),
    );
    return {};
  };
  return {
    queue: { url: "test", client: { send } } as unknown as Queue,
    /** Whether it takes messages. */
    setUp: (value: boolean) => {
      up = value;
    },
    /** The messages as Lambda hands them to a worker; they are gone from the queue then. */
    drain: () => ({
      Records: bodies.splice(0).map((body, index) => ({
        messageId: String(index),
        receiptHandle: String(index),
        body,
        attributes: { ApproximateReceiveCount: "1" },
      })),
    }),
  };
};
