import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { buildMessage } from "../../../../core/domain/delivery/push/message.ts";
import type { PushOutcome } from "../../../../core/domain/delivery/push/outcome.ts";
import { readSmsEvent, SmsEvent } from "../../../../core/domain/delivery/push/delivery-event.ts";
import { buildCodeSms, type SmsMessage } from "../../../../core/domain/delivery/push/sms.ts";
import { createSmsChannel, type SmsOptions } from "../../../../core/push/sms/sms.ts";
import { createPhones } from "../../../../local/phone/phone.ts";
import { createSmsService, SMS_FROM, type TextMessage } from "../../../../local/phone/sms.ts";
import { account, region } from "../../../../local/template/resolve.ts";
import { startBehindPolicies, createSigning } from "../../../support/behind-policies.ts";
import { createPushInput } from "../../../support/push-input.ts";
import { toEarlyDevices } from "../../../support/push.ts";
import { answerWith, serve } from "../../../support/serve.ts";

const SET = "event-alerting-dev";
const SET_ARN = `arn:aws:sms-voice:${region}:${account}:configuration-set/${SET}`;

const anSmsChannel = (endpoint: string, fields: Partial<SmsOptions> = {}) =>
  toEarlyDevices(
    createSmsChannel({
      from: SMS_FROM,
      maxPrice: "0.20",
      events: SET,
      ...createSigning(endpoint),
      ...fields,
    }),
  );

const smsTo = (phone: string, fields: object = {}): SmsMessage => {
  const message = buildMessage(
    createPushInput({ title: "Disk full", body: "2 % left", to: { phone }, platform: "phone", ...fields }),
  );
  if (!("phone" in message)) throw new Error("a number's message is a text message");
  return message;
};

/** Starts a local SMS service, with the permissions of a function that may send from one pool. */
const startService = async (
  identity = SMS_FROM,
  allows?: Parameters<typeof createSmsService>[0]["allows"],
  now: () => number = Date.now,
) => {
  const messages: TextMessage[] = [];
  const published: string[] = [];
  const service = createSmsService({
    now,
    ...(allows === undefined ? {} : { allows }),
    onMessage: (message) => messages.push(message),
    events: {
      name: SET,
      arn: SET_ARN,
      types: ["TEXT_DELIVERED", "TEXT_INVALID"],
      publish: (body) => published.push(body),
    },
  });
  const front = await startBehindPolicies({ "sms-voice": service }, "sms-voice:SendTextMessage", [identity, SET_ARN]);
  return { ...front, messages, published, receiveText: service.receiveText };
};

/** Starts the stand-in for phones. `send`: sends a text message from a phone. */
const startPhones = async (onReply: (body: string) => void) => {
  const phones = createPhones({
    origin: "",
    now: Date.now,
    calls: undefined,
    smsEvents: { name: SET, arn: SET_ARN, types: [], publish: () => {} },
    onReply,
  });
  const { endpoint } = await startBehindPolicies({ "sms-voice": phones.sms }, "sms-voice:SendTextMessage", [
    SMS_FROM,
    SET_ARN,
  ]);
  const inbox = await serve((request, response) => void phones.serve(request, response));
  const sendText = async (from: string, text: string): Promise<void> => {
    const body = JSON.stringify({ from, text });
    expect((await fetch(`${inbox.endpoint}${phones.inboxUrl}/reply`, { method: "POST", body })).status).toBe(202);
  };
  return { endpoint, send: sendText };
};

const refuseWith = (type: string, reason?: string) =>
  answerWith(400, {}, JSON.stringify({ __type: type, Message: "for +4930123456", Reason: reason }));

describe("a text message that is sent to AWS", () => {
  it("is one request, and arrives unchanged", async () => {
    const { endpoint, requests, messages } = await startService();

    const outcome = await anSmsChannel(endpoint).send(smsTo("+4930123456"));

    expect(outcome).toEqual({ kind: "accepted", messageId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
    expect(requests.map(({ headers }) => headers["content-type"])).toEqual(["application/x-amz-json-1.0"]);
    expect(messages).toMatchObject([{ to: "+4930123456", text: "Disk full\n2 % left" }]);
  });

  it.each<[string, string, PushOutcome["kind"], number]>([
    ["refuses a number that is not verified", "+4930120001", "invalid", 0],
    ["says that there are too many requests", "+4930120002", "retry", 0],
    // The message is accepted and the answer is lost: one message, with an unknown outcome.
    ["accepts the message but the answer is lost", "+4930120004", "unknown", 1],
    // A satellite number, which belongs to no country and costs more than a message may.
    ["refuses the price of a satellite number", "+88212345678", "invalid", 0],
    ["refuses the country of the number", "+33612345678", "invalid", 0],
  ])("is one request if AWS %s (to %s, with the outcome %j)", async (_, phone, kind, taken) => {
    const { endpoint, requests, messages } = await startService();

    expect((await anSmsChannel(endpoint).send(smsTo(phone))).kind).toBe(kind);

    expect(requests).toHaveLength(1);
    expect(messages).toHaveLength(taken);
  });

  it.each([
    ["one event if the message is delivered", "+4930123456", ["TEXT_DELIVERED"]],
    ["one event if the number is invalid", "+4930120005", ["TEXT_INVALID"]],
    // A phone that is off causes no event, and events that were not requested are not published.
    ["no event if the number cannot be reached", "+4930120006", []],
    ["no event if the phone is off", "+4930120007", []],
  ])("contains its receipt token, which each delivery event repeats; AWS publishes %s", async (_, phone, types) => {
    const { endpoint, published } = await startService();

    await anSmsChannel(endpoint).send(smsTo(phone, { receipt: "ws_1.usr_1.dev_1.ntf_1.1.mac" }));

    const events = published.map((body) => v.parse(v.pipe(v.string(), v.parseJson(), SmsEvent), body));
    expect(events.map(({ eventType }) => eventType)).toEqual(types);
    for (const event of events)
      expect(readSmsEvent(event)).toMatchObject({
        to: { field: "phone", address: phone },
        receipt: "ws_1.usr_1.dev_1.ntf_1.1.mac",
      });
  });

  it("can be sent before any credentials have been read", async () => {
    expect(await anSmsChannel("http://127.0.0.1:1").prepare()).toBe(true);
  });

  it("without a token requests no delivery events", async () => {
    const { endpoint, published } = await startService();

    await anSmsChannel(endpoint).send(buildCodeSms("+4930123456", "123456"));

    expect(published).toEqual([]);
  });

  it("may not name a configuration set that the function is not granted, or that does not exist", async () => {
    const { endpoint, messages } = await startService();
    const message = smsTo("+4930123456", { receipt: "token" });

    expect(await anSmsChannel(endpoint, { events: "other" }).send(message)).toEqual({
      kind: "auth",
      code: "AccessDeniedException",
    });
    expect(messages).toEqual([]);
  });

  it("has no reply digit if no reply can be received", async () => {
    const from = SMS_FROM.replace("pool/", "sender-id/");
    const bodies: string[] = [];
    const { endpoint } = await serve((request, response) => {
      request.on("data", (data: Buffer) => bodies.push(String(data))).on("end", () => response.end("{}"));
    });
    const message = smsTo("+4930123456", { requiresAck: true });

    await anSmsChannel(endpoint).send(message);
    await anSmsChannel(endpoint, { from }).send(message);

    const texts = bodies.map((body) => (JSON.parse(body) as { MessageBody: string }).MessageBody);
    expect(texts).toEqual([expect.stringMatching(/Reply [1-9] to acknowledge$/), "Disk full\n2 % left"]);
  });

  it("is refused from an identity that the function may not send from, or that AWS does not know", async () => {
    const other = await startService(`${SMS_FROM}-2`);
    expect(await anSmsChannel(other.endpoint).send(smsTo("+4930123456"))).toEqual({
      kind: "auth",
      code: "AccessDeniedException",
    });
    expect(other.denied).toHaveLength(1);

    const unknown = await startService(`${SMS_FROM}-2`);
    const outcome = await anSmsChannel(unknown.endpoint, { from: `${SMS_FROM}-2` }).send(smsTo("+4930123456"));
    expect(outcome).toEqual({ kind: "auth", code: "RESOURCE_NOT_FOUND" });
  });

  it.each<[string, PushOutcome["kind"], string, string?]>([
    ["ThrottlingException", "retry", "ThrottlingException", "rate"],
    [
      "com.amazonaws.pinpointsmsvoicev2#ServiceQuotaExceededException: MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT",
      "retry",
      "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT",
      "quota",
    ],
    ["ConflictException: DESTINATION_PHONE_NUMBER_OPTED_OUT", "invalid", "DESTINATION_PHONE_NUMBER_OPTED_OUT"],
    ["ConflictException: NO_ORIGINATION_IDENTITIES_FOUND", "auth", "NO_ORIGINATION_IDENTITIES_FOUND"],
    ["ValidationException: PRICE_OVER_THRESHOLD", "invalid", "PRICE_OVER_THRESHOLD"],
    ["AccessDeniedException: ACCOUNT_DISABLED", "auth", "ACCOUNT_DISABLED"],
    ["UnrecognizedClientException", "auth", "UnrecognizedClientException"],
    ["ResourceNotFoundException: PHONE_NUMBER", "auth", "PHONE_NUMBER"],
    // Only the name of the error is logged and stored.
    ["ValidationException: to +49 30 123456", "auth", "HTTP_400"],
  ])("is one request; after the error %j it has the outcome %j", async (error, kind, code, slow) => {
    const [type = "", reason] = error.split(": ");
    const { endpoint, requests } = await refuseWith(type, reason);

    expect(await anSmsChannel(endpoint).send(smsTo("+4930123456"))).toEqual({ kind, code, slow });
    expect(requests).toHaveLength(1);
  });

  it.each<[number, PushOutcome["kind"]]>([
    [408, "retry"],
    [500, "unknown"],
    [503, "retry"],
    [302, "unknown"],
  ])("that is answered with the status %i and no error name has the outcome %j", async (status, kind) => {
    const { endpoint } = await answerWith(status, {}, "<html>");

    expect(await anSmsChannel(endpoint).send(smsTo("+4930123456"))).toEqual({ kind, code: `HTTP_${status}` });
  });
});

describe("the stand-in for AWS End User Messaging", () => {
  const stoppedClock = () => 0;

  it("accepts one message part a second from a 10DLC number", async () => {
    const { endpoint } = await startService(SMS_FROM, { perSecond: 1 }, stoppedClock);
    const send = () => anSmsChannel(endpoint).send(smsTo("+4930123456"));

    expect([(await send()).kind, await send()]).toEqual([
      "accepted",
      { kind: "retry", code: "ThrottlingException", slow: "rate" },
    ]);
  });

  it("stops at its spend limit, which does not count against the recipient's number", async () => {
    const { endpoint } = await startService(SMS_FROM, { perSecond: 10, spendLimit: 0.15 });
    const send = () => anSmsChannel(endpoint).send(smsTo("+4930123456"));

    expect([(await send()).kind, await send()]).toEqual([
      "accepted",
      { kind: "retry", code: "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT", slow: "quota" },
    ]);
  });

  it("in its sandbox sends only to verified numbers, and to nobody who replied STOP", async () => {
    const verified = "+49301230008";
    const { endpoint, receiveText } = await startService(SMS_FROM, { perSecond: 10, sandbox: [verified] });

    expect(await anSmsChannel(endpoint).send(smsTo("+4930654321"))).toEqual({
      kind: "invalid",
      code: "DESTINATION_PHONE_NUMBER_NOT_VERIFIED",
    });
    receiveText(verified, "STOP");
    expect(await anSmsChannel(endpoint).send(smsTo(verified))).toEqual({
      kind: "invalid",
      code: "DESTINATION_PHONE_NUMBER_OPTED_OUT",
    });
  });

  it.each<[what: string, number: string, text: string, outcomes: string[]]>([
    ["if it does not, the number is accepted", "+4930123456", "STOP", ["accepted"]],
    ["if it does, the number is refused until it sends START", "+49301230008", "START", ["invalid", "accepted"]],
    ["if it does, the number is refused until it sends UNSTOP", "+49301230008", " unstop ", ["invalid", "accepted"]],
    ["if it does, the number is refused even after another text", "+49301230008", "hello", ["invalid", "invalid"]],
  ])("refuses a number after STOP only if the number's carrier handles STOP: %s", async (_, number, text, outcomes) => {
    const replies: string[] = [];
    const { endpoint, send } = await startPhones((body) => replies.push(body));
    const sendOne = async () => (await anSmsChannel(endpoint).send(smsTo(number))).kind;

    const kinds: string[] = [];
    for (const one of ["STOP", text].slice(0, outcomes.length)) {
      await send(number, one);
      kinds.push(await sendOne());
    }

    expect(kinds).toEqual(outcomes);
    expect(replies.map((body) => (JSON.parse(body) as { messageBody: string }).messageBody)).toEqual(
      ["STOP", text].slice(0, outcomes.length),
    );
  });

  it("needs the ids of the DLT registration for India, which the stage's settings contain", async () => {
    const { endpoint } = await startService();
    const india = { entityId: "1101000000000000001", templateId: "1107000000000000001" };

    expect((await anSmsChannel(endpoint).send(smsTo("+919876543210"))).kind).toBe("invalid");
    expect((await anSmsChannel(endpoint, { india }).send(smsTo("+919876543210"))).kind).toBe("accepted");
  });
});
