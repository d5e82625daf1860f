import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { countryOf } from "../../core/domain/device/phone.ts";
import { awsError, type AwsResponse, type AwsService } from "../aws/front.ts";
import { account, region } from "../template/resolve.ts";
import { toIso } from "../../core/domain/basics/time.ts";

/** The pool that text messages come from on this machine, and whereto they may go. */
export const SMS_FROM = `arn:aws:sms-voice:${region}:${account}:pool/pool-local`;
export const SMS_COUNTRIES = "DE,AT,CH,US";

const OPERATION = "SendTextMessage";

/** What the operation takes, as its API reference has it; members that are not in use here are left out. */
const Request = v.strictObject({
  DestinationPhoneNumber: v.pipe(v.string(), v.regex(/^\+?[1-9]\d{1,18}$/)),
  OriginationIdentity: v.pipe(v.string(), v.regex(/^[\w:/+-]{1,256}$/)),
  MessageBody: v.pipe(v.string(), v.maxLength(1600), v.regex(/^(?!\s)[\s\S]+(?<!\s)$/)),
  MessageType: v.picklist(["TRANSACTIONAL", "PROMOTIONAL"]),
  MaxPrice: v.pipe(v.string(), v.minLength(2), v.maxLength(8), v.regex(/^\d{0,2}\.\d{1,5}$/)),
  TimeToLive: v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(259_200)),
});

/** US dollars for a message, of the order that the price list has. */
const PRICES: Readonly<Record<string, number>> = { DE: 0.11, AT: 0.09, CH: 0.08, US: 0.01 };
const OTHER_PRICE = 0.25;

export type TextMessage = { id: string; receivedAt: string; way: "sms"; to: string; text: string };

/** A refusal, with the reason that the service gives beside the error's name. */
const refuse = (name: string, reason: string): AwsResponse => ({
  ...awsError(400, name, reason),
  body: JSON.stringify({ __type: name, Message: reason, Reason: reason }),
});

/** How often a number that ends so is throttled before its message is taken. */
const THROTTLED = 2;

/**
 * AWS End User Messaging on this machine, as strict as the real one. The end of a number
 * decides the answer: 0001 is refused, 0002 is throttled twice, and for 0004 the connection breaks after the message was
 * taken.
 */
export const createSmsService = ({
  now,
  take: onTaken,
}: {
  now: () => number;
  take: (message: TextMessage) => void;
}): AwsService => {
  const throttled = new Map<string, number>();

  const take = (to: string, text: string): AwsResponse => {
    const message: TextMessage = { id: randomUUID(), receivedAt: toIso(now()), way: "sms", to, text };
    onTaken(message);
    return { status: 200, body: JSON.stringify({ MessageId: message.id }), breaks: to.endsWith("0004") };
  };

  const answer = (input: unknown): AwsResponse => {
    const parsed = v.safeParse(Request, input);
    if (!parsed.success) return refuse("ValidationException", "FIELD_VALIDATION_FAILED");
    const { DestinationPhoneNumber: to, OriginationIdentity, MessageBody, MaxPrice } = parsed.output;
    if (OriginationIdentity !== SMS_FROM) return refuse("ResourceNotFoundException", "RESOURCE_NOT_FOUND");
    const country = countryOf(to);
    if (country === undefined) return refuse("ValidationException", "INVALID_PARAMETER");
    if (Number(MaxPrice) < (PRICES[country] ?? OTHER_PRICE))
      return refuse("ValidationException", "PRICE_OVER_THRESHOLD");
    if (to.endsWith("0001")) return refuse("ConflictException", "DESTINATION_PHONE_NUMBER_NOT_VERIFIED");
    const before = throttled.get(to) ?? 0;
    if (to.endsWith("0002") && before < THROTTLED) {
      throttled.set(to, before + 1);
      return awsError(400, "ThrottlingException", "Rate exceeded");
    }
    return take(to, MessageBody);
  };

  return {
    permissionsOf: (operation, input) => {
      if (operation !== OPERATION) return undefined;
      const from = v.safeParse(v.looseObject({ OriginationIdentity: v.string() }), input);
      return [{ action: "sms-voice:SendTextMessage", resource: from.success ? from.output.OriginationIdentity : "*" }];
    },
    handle: async ({ input }) => answer(input),
    refuse: (code, message) => awsError(400, code, message),
  };
};
