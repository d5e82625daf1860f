import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { toIso } from "../../core/domain/basics/time.ts";
import type { Model, QueueModel } from "../template/model.ts";

const Fields = v.pipe(v.string(), v.parseJson(), v.looseObject({}));

/** A message as SNS hands it to a queue that did not ask for it raw. Nobody checks a signature behind a queue's policy. */
const inEnvelope = (TopicArn: string, Message: string, at: number): string =>
  JSON.stringify({
    Type: "Notification",
    MessageId: randomUUID(),
    TopicArn,
    Message,
    Timestamp: toIso(at),
    SignatureVersion: "1",
    Signature: "none",
    SigningCertURL: "https://sns.local/none.pem",
    UnsubscribeURL: "https://sns.local/none",
  });

/** SNS: passes what is published to a topic on to the queues of its subscriptions, as far as their filters let it. */
export const publisher =
  (
    { subscriptions }: Pick<Model, "subscriptions">,
    { now, put }: { now: () => number; put: (queue: QueueModel, body: string) => void },
  ) =>
  (topic: string | undefined, body: string): void => {
    for (const { topic: arn, queue, raw, filter } of subscriptions.filter((one) => one.topic === topic)) {
      const fields = v.safeParse(Fields, body);
      const passes = Object.entries(filter).every(
        ([name, values]) => fields.success && values.includes(String(fields.output[name])),
      );
      if (passes) put(queue, raw ? body : inEnvelope(arn, body, now()));
    }
  };
