import type { Deps } from "../deps.ts";
import type { EscalationMessage, EndMessage, PackMessage, SwitchMessage, WebhookMessage } from "../queue/messages.ts";
import { sendMessages } from "../queue/send.ts";

/** The longest delay that SQS allows for a message. */
const SQS_DELAY_MAX_SECONDS = 900;

/** The messages to send after a record was processed. */
export type Work = {
  pushes: (PackMessage | EndMessage | SwitchMessage)[];
  steps: EscalationMessage[];
  follows?: readonly WebhookMessage[];
};

export type WorkQueues = { queues: Pick<Deps["queues"], "pushes" | "escalations" | "webhooks"> };

/** Returns the seconds until a step is due, rounded up; undefined if that exceeds SQS's longest delay. */
export const delaySeconds = (due: number, now: number): number | undefined => {
  const seconds = Math.max(0, Math.ceil((due - now) / 1000));
  return seconds > SQS_DELAY_MAX_SECONDS ? undefined : seconds;
};

/** Sends a batch's messages in as few requests as possible. Leaves a step beyond SQS's longest delay to the sweeper. */
export const sendWork = async (deps: WorkQueues & Pick<Deps, "now">, work: readonly Work[]): Promise<void> => {
  const pushes = work.flatMap((one) => one.pushes.map((message) => ({ message })));
  const steps = work
    .flatMap((one) => one.steps)
    .flatMap((message) => {
      const seconds = delaySeconds(message.marker.due, deps.now());
      return seconds === undefined ? [] : [{ message, delaySeconds: seconds }];
    });
  const follows = work.flatMap((one) => one.follows ?? []).map((message) => ({ message }));
  await Promise.all([
    sendMessages(deps.queues.pushes, pushes),
    sendMessages(deps.queues.escalations, steps),
    sendMessages(deps.queues.webhooks, follows),
  ]);
};
