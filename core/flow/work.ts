import type { Deps } from "../deps.ts";
import { MINUTE_MS } from "../domain/basics/units.ts";
import type { EscalationMessage, EndMessage, PackMessage, SwitchMessage, WebhookMessage } from "../queue/messages.ts";
import { sendMessages } from "../queue/send.ts";

/** The longest delay that SQS allows for a message. */
export const SQS_DELAY_MAX_MS = 15 * MINUTE_MS;

/** If a write takes longer than this time, the SDK may have repeated the request, and the first request may take effect later. */
export const ANSWER_SLOW_MS = 500;
/** The time after which a slow write can no longer take effect. */
export const LATE_WRITE_MS = MINUTE_MS;

/** Messages to send, by queue. `steps`: for the queue of escalations. `follows`: for the queue of webhooks. */
export type QueuedWork = {
  pushes: (PackMessage | EndMessage | SwitchMessage)[];
  steps: EscalationMessage[];
  follows?: readonly WebhookMessage[];
};

export type WorkQueues = { queues: Pick<Deps["queues"], "pushes" | "escalations" | "webhooks"> };

/** Returns the delay until a due time, in milliseconds; undefined if the delay is longer than SQS allows. */
export const computeDelayUntil = (due: number, now: number): number | undefined =>
  due - now > SQS_DELAY_MAX_MS ? undefined : Math.max(0, due - now);

/** Sends the messages of several pieces of work, except steps due after SQS's maximum delay, which the sweeper sends. */
export const sendWork = async (deps: WorkQueues & Pick<Deps, "now">, work: readonly QueuedWork[]): Promise<void> => {
  const pushes = work.flatMap((one) => one.pushes.map((message) => ({ message })));
  const steps = work
    .flatMap((one) => one.steps)
    .flatMap((message) => {
      const delayMs = computeDelayUntil(message.marker.due, deps.now());
      return delayMs === undefined ? [] : [{ message, delayMs }];
    });
  const follows = work.flatMap((one) => one.follows ?? []).map((message) => ({ message }));
  await Promise.all([
    sendMessages(deps.queues.pushes, pushes),
    sendMessages(deps.queues.escalations, steps),
    sendMessages(deps.queues.webhooks, follows),
  ]);
};
