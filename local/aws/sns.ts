import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { toIso } from "../../core/domain/basics/time.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";
import type { Model, QueueModel } from "../template/model.ts";

const AGAIN_WITHIN_MS = 5 * MINUTE_MS;

const Fields = v.pipe(v.string(), v.parseJson(), v.looseObject({}));

/** Wraps a message for a queue without raw delivery. Nobody checks the signature: the queue's policy restricts senders. */
const wrapInSnsEnvelope = (TopicArn: string, Message: string, sentAt: number): string =>
  JSON.stringify({
    Type: "Notification",
    MessageId: randomUUID(),
    TopicArn,
    Message,
    Timestamp: toIso(sentAt),
    SignatureVersion: "1",
    Signature: "none",
    SigningCertURL: "https://sns.local/none.pem",
    UnsubscribeURL: "https://sns.local/none",
  });

/** Returns a function that puts a topic's message into each queue whose filter matches, sometimes twice and late, as SNS may. */
export const createPublisher = (
  { subscriptions }: Pick<Model, "subscriptions">,
  { now, put }: { now: () => number; put: (queue: QueueModel, body: string) => void },
) => {
  const last = new Map<string, { body: string; at: number }>();
  return (topic: string | undefined, body: string): void => {
    for (const { topic: arn, queue, raw, filter } of subscriptions.filter((one) => one.topic === topic)) {
      const fields = v.safeParse(Fields, body);
      const passes = Object.entries(filter).every(
        ([name, values]) => fields.success && values.includes(String(fields.output[name])),
      );
      if (!passes) continue;
      const given = raw ? body : wrapInSnsEnvelope(arn, body, now());
      put(queue, given);
      const line = `${arn} ${queue.name}`;
      const before = last.get(line);
      if (before !== undefined && now() - before.at < AGAIN_WITHIN_MS) put(queue, before.body);
      last.set(line, { body: given, at: now() });
    }
  };
};
