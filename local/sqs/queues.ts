import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { createAwsError, type AwsService } from "../aws/front.ts";
import type { Meters } from "../aws/meters.ts";
import { OPERATOR } from "../aws/policies.ts";
import type { QueueModel } from "../template/model.ts";
import type { Depth, QueueSettings } from "./queue.ts";
import { findRequiredAction, createSqs } from "./sqs.ts";

const Request = v.looseObject({ QueueUrl: v.string(), WaitTimeSeconds: v.optional(v.number(), 0) });
const Redrive = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() }),
);
const readNameInArn = (arn: string): string => arn.slice(arn.lastIndexOf(":") + 1);

const toQueueSettings = ({ name, attributes }: QueueModel): QueueSettings => {
  const { VisibilityTimeout = "30", DelaySeconds = "0", RedrivePolicy } = attributes;
  const policy = RedrivePolicy === undefined ? undefined : v.parse(Redrive, RedrivePolicy);
  return {
    name,
    visibilitySeconds: Number(VisibilityTimeout),
    delaySeconds: Number(DelaySeconds),
    redrive:
      policy === undefined
        ? undefined
        : { maxReceives: policy.maxReceiveCount, to: readNameInArn(policy.deadLetterTargetArn) },
  };
};

/** Returns functions to wait for a queue's messages. `findNextTime`: returns when the queue's next message becomes visible. */
const createReceiveWaits = (names: readonly string[], findNextTime: (name: string) => number | undefined) => {
  const closing = new AbortController();
  const waiting = new Map(names.map((name) => [name, new Set<() => void>()]));
  const wakePollers = (name: string): void => {
    for (const look of waiting.get(name) ?? []) look();
  };

  const waitForMessage = (name: string, seconds: number): Promise<void> =>
    new Promise((resolve) => {
      const waiters = waiting.get(name);
      const end = Date.now() + seconds * 1000;
      let timer: NodeJS.Timeout | undefined;
      const endWaitIfVisible = () => {
        clearTimeout(timer);
        const left = Math.min(findNextTime(name) ?? Infinity, end) - Date.now();
        if (left > 0 && !closing.signal.aborted) {
          timer = setTimeout(endWaitIfVisible, left);
          return;
        }
        waiters?.delete(endWaitIfVisible);
        resolve();
      };
      waiters?.add(endWaitIfVisible);
      endWaitIfVisible();
    });

  const endAllWaits = (): void => {
    closing.abort();
    for (const look of [...waiting.values()].flatMap((waiters) => [...waiters])) look();
  };
  return { wake: wakePollers, wait: waitForMessage, close: endAllWaits };
};

/** Creates queues in memory. A restart empties the queues, and the service must survive the loss. */
export const createQueues = (models: readonly QueueModel[], meters: Meters) => {
  const names = models.map(({ name }) => name);
  const { wake, wait, close } = createReceiveWaits(names, (name) => sqs.queues.get(name)?.nextAt());
  const sqs = createSqs(models.map(toQueueSettings), { now: Date.now, newId: randomUUID, wake, needsGroup: true });
  const findModelByUrl = (url: string) => models.find((queue) => url.endsWith(`/${queue.name}`));

  const service: AwsService = {
    permissionsOf: (operation, input) => {
      const action = findRequiredAction(operation);
      const { QueueUrl } = v.parse(Request, input);
      return action === undefined ? undefined : [{ action, resource: findModelByUrl(QueueUrl)?.arn ?? QueueUrl }];
    },
    handle: async ({ operation, input, functionName }) => {
      const { QueueUrl, WaitTimeSeconds } = v.parse(Request, input);
      let answer = sqs.perform(operation, input);
      const isEmptyReceive = () => operation === "ReceiveMessage" && answer.body === "{}";
      const model = findModelByUrl(QueueUrl);
      if (isEmptyReceive() && WaitTimeSeconds > 0 && model !== undefined) {
        await wait(model.name, WaitTimeSeconds);
        answer = sqs.perform(operation, input);
      }
      if (functionName !== OPERATOR && !isEmptyReceive()) meters.add(functionName, { sqsRequests: 1 });
      return answer;
    },
    refuse: (code, message) => createAwsError(403, code === "AccessDeniedException" ? "AccessDenied" : code, message),
  };

  const readDepths = (): Record<string, Depth> =>
    Object.fromEntries([...sqs.queues].map(([name, queue]) => [name, queue.depth()]));

  /** Adds a message from SNS, whose permission was checked when the template was read. */
  const putMessage = ({ url }: QueueModel, body: string): void => {
    sqs.perform("SendMessage", { QueueUrl: url, MessageBody: body, MessageGroupId: "aws" });
  };

  return { service, depths: readDepths, put: putMessage, close };
};
export type Queues = ReturnType<typeof createQueues>;
