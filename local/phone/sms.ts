import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { findCountry } from "../../core/domain/device/phone.ts";
import { createLimiter, type Limits } from "../aws/account-limits.ts";
import { createAwsError, type AwsResponse, type AwsService } from "../aws/front.ts";
import { account, region } from "../template/resolve.ts";
import { toIso } from "../../core/domain/basics/time.ts";

/** The pool of phone numbers, and the countries to which the pool may send. */
export const SMS_FROM = `arn:aws:sms-voice:${region}:${account}:pool/pool-local`;
export const SMS_COUNTRIES = "DE,AT,CH,US";

const OPERATION = "SendTextMessage";

/** The operation's input, without the members that the service does not use. */
const Request = v.strictObject({
  DestinationPhoneNumber: v.pipe(v.string(), v.regex(/^\+?[1-9]\d{1,18}$/)),
  OriginationIdentity: v.pipe(v.string(), v.regex(/^[\w:/+-]{1,256}$/)),
  MessageBody: v.pipe(v.string(), v.maxLength(1600), v.regex(/^(?!\s)[\s\S]+(?<!\s)$/)),
  MessageType: v.picklist(["TRANSACTIONAL", "PROMOTIONAL"]),
  MaxPrice: v.pipe(v.string(), v.minLength(2), v.maxLength(8), v.regex(/^\d{0,2}\.\d{1,5}$/)),
  TimeToLive: v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(259_200)),
  ConfigurationSetName: v.optional(v.pipe(v.string(), v.regex(/^[\w:/-]{1,256}$/))),
  DestinationCountryParameters: v.optional(
    v.record(v.picklist(["IN_ENTITY_ID", "IN_TEMPLATE_ID"]), v.pipe(v.string(), v.regex(/^\S{1,64}$/))),
  ),
  Context: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.regex(/^\S{1,100}$/)),
        v.pipe(v.string(), v.minLength(1), v.maxLength(800), v.regex(/^(?!\s)[\s\S]+(?<!\s)$/)),
      ),
      v.check((context) => Object.keys(context).length <= 5),
    ),
  ),
});
type Request = v.InferOutput<typeof Request>;

/** US dollars per text message by country, similar to AWS's price list. */
const PRICES: Readonly<Record<string, number>> = { DE: 0.11, AT: 0.09, CH: 0.08, IN: 0.08, US: 0.01 };
const OTHER_PRICE = 0.25;
const findPriceInDollars = (country: string): number => PRICES[country] ?? OTHER_PRICE;

export type TextMessage = { id: string; receivedAt: string; way: "sms"; to: string; text: string };

const createSmsError = (name: string, reason: string): AwsResponse => ({
  ...createAwsError(400, name, reason),
  body: JSON.stringify({ __type: name, Message: reason, Reason: reason }),
});

/** A message to a number that ends with 0002 is throttled this number of times. */
const THROTTLED = 2;

/**
 * For numbers that end with 0008, the carrier handles STOP and START, as for a US toll-free number. AWS itself blocks no number
 * that sends STOP, because the pool has self-managed opt-outs.
 */
const BLOCKED_BY_CARRIER = "0008";
const OPT_IN_WORDS: readonly string[] = ["START", "UNSTOP"];

/** The number of messages per second of a pool of German numbers. */
export const SMS_PER_SECOND = 10;

/** The limits of an account. `sandbox`: the only numbers that get messages; `spendLimit`: the limit per month in US dollars. */
type SmsAccount = Limits & { sandbox?: readonly string[]; spendLimit?: number };

export type SmsEvents = { name: string; arn: string; types: readonly string[]; publish: (body: string) => void };

/** Chooses the final status of a message by the end of the number. Returns undefined for a phone that is off. */
const chooseFinalStatus = (phoneNumber: string): [status: string, description: string] | undefined => {
  if (phoneNumber.endsWith("0005")) return ["INVALID", "Destination phone number is not valid"];
  if (phoneNumber.endsWith("0006")) return ["UNREACHABLE", "Phone is currently unreachable/unavailable"];
  return phoneNumber.endsWith("0007") ? undefined : ["DELIVERED", "Message has been accepted by phone"];
};

const createSmsEvent = (
  { id, to }: TextMessage,
  { OriginationIdentity, MessageType, Context = {} }: Request,
  [status, description]: [string, string],
  { at, requestedAt }: { at: number; requestedAt: number },
) => ({
  eventType: `TEXT_${status}`,
  eventVersion: "1.0",
  eventTimestamp: at,
  isFinal: status !== "PENDING",
  originationPhoneNumber: OriginationIdentity,
  destinationPhoneNumber: to,
  isoCountryCode: findCountry(to),
  mcc: "262",
  mnc: "01",
  messageId: id,
  messageRequestTimestamp: requestedAt,
  messageEncoding: "GSM",
  messageType: MessageType,
  messageStatus: status,
  messageStatusDescription: description,
  context: Context,
  totalMessageParts: 1,
  totalMessagePrice: 0.11,
  totalCarrierFee: 0,
});

/**
 * Simulates AWS's text messages. The end of the phone number selects the answer: 0001 is refused, 0002 is throttled twice. For
 * 0004, the message is accepted, but the connection breaks. 0005 is not a valid number, 0006 cannot be reached, and 0007 is off.
 * 0008 is refused from STOP until START.
 */
export const createSmsService = ({
  now,
  onMessage,
  events,
  allows: { sandbox, spendLimit = Infinity, ...limits } = { perSecond: SMS_PER_SECOND },
}: {
  now: () => number;
  /** The account's limits; by default, the limits of an account in production without a spend limit. */
  allows?: SmsAccount;
  onMessage: (message: TextMessage) => void;
  /** The events to publish; undefined if the stack has no configuration set. */
  events?: SmsEvents | undefined;
}): AwsService & { receiveText: (from: string, text: string) => void } => {
  const throttled = new Map<string, number>();
  const over = createLimiter(limits, now);
  const optedOut = new Set<string>();
  let spent = 0;

  const publishSmsEvents = (message: TextMessage, request: Request, requestedAt: number): void => {
    if (events === undefined || request.ConfigurationSetName === undefined) return;
    const fate = chooseFinalStatus(message.to);
    const all: [string, string][] = [["PENDING", "Message is pending"], ...(fate === undefined ? [] : [fate])];
    for (const one of all) {
      const event = createSmsEvent(message, request, one, { at: now(), requestedAt });
      if (events.types.includes(event.eventType)) events.publish(JSON.stringify(event));
    }
  };

  const acceptMessage = (request: Request): AwsResponse => {
    const { DestinationPhoneNumber: to, MessageBody: text } = request;
    const at = now();
    const message: TextMessage = { id: randomUUID(), receivedAt: toIso(at), way: "sms", to, text };
    onMessage(message);
    publishSmsEvents(message, request, at);
    return { status: 200, body: JSON.stringify({ MessageId: message.id }), breaks: to.endsWith("0004") };
  };

  const answerSendTextMessage = (input: unknown): AwsResponse => {
    const parsed = v.safeParse(Request, input);
    if (!parsed.success) return createSmsError("ValidationException", "FIELD_VALIDATION_FAILED");
    const { DestinationPhoneNumber: to, OriginationIdentity, MaxPrice, ConfigurationSetName: set } = parsed.output;
    if (OriginationIdentity !== SMS_FROM) return createSmsError("ResourceNotFoundException", "RESOURCE_NOT_FOUND");
    if (set !== undefined && set !== events?.name)
      return createSmsError("ResourceNotFoundException", "RESOURCE_NOT_FOUND");
    const country = findCountry(to);
    if (country === undefined) return createSmsError("ValidationException", "INVALID_PARAMETER");
    if (Number(MaxPrice) < findPriceInDollars(country))
      return createSmsError("ValidationException", "PRICE_OVER_THRESHOLD");
    // Carriers in India drop a message without an entity id or a template id.
    const { IN_ENTITY_ID: entity, IN_TEMPLATE_ID: template } = parsed.output.DestinationCountryParameters ?? {};
    if (country === "IN" && (entity === undefined || template === undefined))
      return createSmsError("ValidationException", "INVALID_PARAMETER");
    if (optedOut.has(to)) return createSmsError("ConflictException", "DESTINATION_PHONE_NUMBER_OPTED_OUT");
    if (sandbox?.includes(to) === false)
      return createSmsError("ConflictException", "DESTINATION_PHONE_NUMBER_NOT_VERIFIED");
    if (spent + findPriceInDollars(country) > spendLimit)
      return createSmsError("ServiceQuotaExceededException", "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT");
    if (over() !== undefined) return createAwsError(400, "ThrottlingException", "Rate exceeded");
    if (to.endsWith("0001")) return createSmsError("ConflictException", "DESTINATION_PHONE_NUMBER_NOT_VERIFIED");
    const before = throttled.get(to) ?? 0;
    if (to.endsWith("0002") && before < THROTTLED) {
      throttled.set(to, before + 1);
      return createAwsError(400, "ThrottlingException", "Rate exceeded");
    }
    spent += findPriceInDollars(country);
    return acceptMessage(parsed.output);
  };

  return {
    /** Handles a text message from a phone as its carrier does. */
    receiveText: (from, text) => {
      if (!from.endsWith(BLOCKED_BY_CARRIER)) return;
      const word = text.trim().toUpperCase();
      if (word === "STOP") optedOut.add(from);
      else if (OPT_IN_WORDS.includes(word)) optedOut.delete(from);
    },
    permissionsOf: (operation, input) => {
      if (operation !== OPERATION) return undefined;
      const named = v.safeParse(
        v.looseObject({ OriginationIdentity: v.string(), ConfigurationSetName: v.optional(v.string()) }),
        input,
      );
      const { OriginationIdentity: from = "*", ConfigurationSetName: set } = named.success ? named.output : {};
      const resources =
        set === undefined ? [from] : [from, `arn:aws:sms-voice:${region}:${account}:configuration-set/${set}`];
      return resources.map((resource) => ({ action: "sms-voice:SendTextMessage", resource }));
    },
    handle: async ({ input }) => answerSendTextMessage(input),
    refuse: (code, message) => createAwsError(400, code, message),
  };
};
