import * as v from "valibot";
import { fromIso } from "../../basics/time.ts";
import { MailEvent, SmsEvent } from "./delivery-event.ts";
import { PhoneReply } from "./reply.ts";

/** SNS's envelope has the time at which a text arrived. SQS's own time changes if a dead letter is redriven. */
export const FromPhones = v.pipe(
  v.object({
    Type: v.literal("Notification"),
    Timestamp: v.pipe(v.string(), v.isoTimestamp()),
    Message: v.pipe(v.string(), v.parseJson(), v.union([PhoneReply, SmsEvent])),
  }),
  v.transform(({ Timestamp, Message }) => ({ ...Message, publishedAt: fromIso(Timestamp) ?? 0 })),
);

/** Replies to text messages, and delivery events of text messages and emails. */
export const InboundMessage = v.union([FromPhones, MailEvent]);
export type InboundMessage = v.InferOutput<typeof InboundMessage>;
