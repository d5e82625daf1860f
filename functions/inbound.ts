import type { Deps } from "../core/deps.ts";
import { readMailEvent, readSmsEvent } from "../core/domain/delivery/push/delivery-event.ts";
import { InboundMessage } from "../core/domain/delivery/push/from-phones.ts";
import { processDeliveryEvent, type DeliveryEventDeps } from "../core/flow/notify/take-delivery-event.ts";
import { processReply, type ReplyDeps } from "../core/flow/notify/take-reply.ts";
import { readMonthlyLimits, liveSmsPush } from "../core/live-contacts.ts";
import { liveReceiptKeys } from "../core/live-push.ts";
import { liveDeps } from "../core/live.ts";
import { createMessageDelayer } from "../core/queue/send.ts";
import { processBatch } from "./sqs/batch.ts";

type InboundDeps = ReplyDeps &
  DeliveryEventDeps &
  Pick<Deps, "sleep" | "random"> & { queues: Pick<Deps["queues"], "inbound"> };

/** Creates the worker that processes replies to text messages, and delivery events of text messages and emails. */
export const createInbound = (deps: InboundDeps) =>
  processBatch(
    deps,
    { schema: InboundMessage, comeAgain: createMessageDelayer(deps.queues.inbound), isGone: async () => false },
    async ({ message }) => {
      if ("inboundMessageId" in message) return processReply(deps, message);
      const event = "mail" in message ? readMailEvent(message) : readSmsEvent(message);
      return event === undefined ? undefined : processDeliveryEvent(deps, event);
    },
  );

export const handler = createInbound({
  ...liveDeps("events", "pushes", "webhooks", "inbound"),
  push: liveSmsPush(),
  monthly: readMonthlyLimits(),
  receiptKeys: liveReceiptKeys(),
});
