import type { Deps } from "../core/deps.ts";
import { send } from "../core/flow/send-over.ts";
import type { SendDeps } from "../core/flow/send-notification.ts";
import { livePush, liveReceiptKeys } from "../core/live-push.ts";
import { liveBaseUrl, liveDeps } from "../core/live.ts";
import { SenderMessage } from "../core/queue/messages.ts";
import { comeAgain } from "../core/queue/send.ts";
import { again, batch } from "./sqs/batch.ts";

/** Sends notifications to the devices of their recipients. */
export const createSender = (deps: SendDeps & { queues: Pick<Deps["queues"], "pushes" | "escalations"> }) =>
  batch(deps, SenderMessage, async ({ message, receiptHandle, receives }) => {
    const sent = await send(deps, message);
    if (sent.kind === "done") return undefined;
    // After these tries a pack's marker brings the work back: a long outage of FCM must not fill the dead-letter queue.
    return (await comeAgain(deps.queues.pushes, receiptHandle, receives, sent.afterSeconds)) ? again : undefined;
  });

export const handler = createSender({
  ...liveDeps("pushes", "escalations"),
  push: livePush(),
  receiptKeys: liveReceiptKeys(),
  baseUrl: liveBaseUrl(),
});
