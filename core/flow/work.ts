import type { Deps } from "../deps.ts";
import type { EscalationMessage, OverMessage, PackMessage } from "../queue/messages.ts";
import { sendMessages } from "../queue/send.ts";

/** Longest delay that SQS takes for a message. */
const SQS_DELAY_MAX_SECONDS = 900;

/** What is to be put into the queues when a record has been worked on. */
export type Work = { pushes: (PackMessage | OverMessage)[]; steps: EscalationMessage[] };

export type WorkQueues = { queues: Pick<Deps["queues"], "pushes" | "escalations"> };

/** Seconds until a step is due, as SQS takes them; undefined when that is further away than SQS can wait. */
export const delaySeconds = (due: number, now: number): number | undefined => {
  const seconds = Math.max(0, Math.ceil((due - now) / 1000));
  return seconds > SQS_DELAY_MAX_SECONDS ? undefined : seconds;
};

/** Sends the work of a whole batch in as few requests as possible. A step that is far away waits for the sweeper. */
export const sendWork = async (deps: WorkQueues & Pick<Deps, "now">, work: readonly Work[]): Promise<void> => {
  const pushes = work.flatMap((one) => one.pushes.map((message) => ({ message })));
  const steps = work
    .flatMap((one) => one.steps)
    .flatMap((message) => {
      const seconds = delaySeconds(message.marker.due, deps.now());
      return seconds === undefined ? [] : [{ message, delaySeconds: seconds }];
    });
  await Promise.all([sendMessages(deps.queues.pushes, pushes), sendMessages(deps.queues.escalations, steps)]);
};
