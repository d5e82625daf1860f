import type { Deps } from "../core/deps.ts";
import { createDeletedCheck } from "../core/flow/is-of-deleted-workspace.ts";
import { sendPack, type SendDeps } from "../core/flow/notify/send-notification.ts";
import { sendProbePush } from "../core/flow/notify/send-probe-push.ts";
import { sendReachabilityCheck } from "../core/flow/notify/send-reachability-check.ts";
import { sendSwitchPush } from "../core/flow/notify/send-switch-push.ts";
import { sendEndPushes } from "../core/flow/notify/send-end.ts";
import { readMonthlyLimits, readPaceLimits } from "../core/live-contacts.ts";
import { livePush, liveReceiptKeys } from "../core/live-push.ts";
import { liveBaseUrl, liveDeps } from "../core/live.ts";
import { SenderMessage } from "../core/queue/messages.ts";
import { createMessageDelayer, sendMessage } from "../core/queue/send.ts";
import { Again, processBatch } from "./sqs/batch.ts";

/** The time that is reserved for one pack: the last check, the pushes, and storing their outcomes. */
const TO_SEND_MS = 15_000;

/** Creates the worker that sends notifications, updates of shown pushes, reachability checks, and test pushes. */
export const createSender = (deps: SendDeps & { queues: Pick<Deps["queues"], "inbound"> }) =>
  processBatch(
    deps,
    { schema: SenderMessage, comeAgain: createMessageDelayer(deps.queues.pushes), isGone: createDeletedCheck(deps) },
    async ({ message, timeLeft }) => {
      if ("Type" in message || "mail" in message) {
        await sendMessage(deps.queues.inbound, message);
        return undefined;
      }
      if ("kind" in message && message.kind === "proof") return sendReachabilityCheck(deps, message);
      if ("kind" in message && message.kind === "probe") return sendProbePush(deps, message);
      if ("kind" in message && message.kind === "switch") return sendSwitchPush(deps, message);
      const sent =
        "kind" in message
          ? await sendEndPushes(deps, message)
          : await sendPack(deps, message, () => timeLeft() > TO_SEND_MS);
      return sent.kind === "done" ? undefined : new Again(sent.afterMs);
    },
  );

export const handler = createSender({
  ...liveDeps("events", "pushes", "escalations", "webhooks", "inbound"),
  push: livePush(),
  monthly: readMonthlyLimits(),
  pace: readPaceLimits(),
  receiptKeys: liveReceiptKeys(),
  baseUrl: liveBaseUrl(),
});
