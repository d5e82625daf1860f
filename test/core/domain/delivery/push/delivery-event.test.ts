import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  MailEvent,
  readMailEvent,
  readSmsEvent,
  SMS_RECEIPT,
  SmsEvent,
  toReceiptTags,
} from "../../../../../core/domain/delivery/push/delivery-event.ts";
import { FromPhones } from "../../../../../core/domain/delivery/push/from-phones.ts";
import { PressEvent } from "../../../../../core/domain/delivery/push/press.ts";

/* Status reports as AWS documents them, shortened to the fields that the service reads. */

const TOKEN = "ws_1.usr_1.dev_1.ntf_1.1795352400.a-b_c";

const aText = (fields: Record<string, unknown> = {}) => ({
  eventType: "TEXT_DELIVERED",
  eventVersion: "1.0",
  destinationPhoneNumber: "+4930123456",
  messageRequestTimestamp: 1_795_262_400_000,
  context: { [SMS_RECEIPT]: TOKEN },
  ...fields,
});
const readText = (fields: Record<string, unknown>) => readSmsEvent(v.parse(SmsEvent, aText(fields)));

describe("a status report of a text message", () => {
  it("has the outcome, the recipient, the time it was sent, and its receipt token", () => {
    expect(SMS_RECEIPT).toBe("receipt");
    expect(readText({})).toEqual({
      fate: "arrived",
      code: "TEXT_DELIVERED",
      to: { field: "phone", address: "+4930123456" },
      sentAt: "2026-11-21T12:00:00.000Z",
      receipt: TOKEN,
    });
  });

  it.each([
    ["TEXT_INVALID", "failing"],
    ["TEXT_BLOCKED", "failing"],
    ["TEXT_INVALID_MESSAGE", "lost"],
    ["TEXT_UNREACHABLE", "lost"],
    ["TEXT_CARRIER_UNREACHABLE", "lost"],
    ["TEXT_CARRIER_BLOCKED", "lost"],
    ["TEXT_SPAM", "lost"],
    ["TEXT_TTL_EXPIRED", "lost"],
    ["TEXT_UNKNOWN", "lost"],
    ["TEXT_PROTECT_BLOCKED", "lost"],
  ])("with the type %s gives the message the outcome %s", (eventType, fate) => {
    expect(readText({ eventType })?.fate).toBe(fate);
  });

  it("is ignored if it has an unknown type, is about another service's message, or only says that the carrier has the message", () => {
    expect(readText({ eventType: "TEXT_SUCCESSFUL" })).toBeUndefined();
    expect(readText({ eventType: "TEXT_toString" })).toBeUndefined();
    for (const context of [null, undefined, {}, { other: "x" }]) expect(readText({ context })).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ["of another channel", { eventType: "VOICE_TEXT_DELIVERED" }],
    ["without a phone number", { destinationPhoneNumber: undefined }],
    ["without a valid time", { messageRequestTimestamp: "now" }],
    ["with a context that is not a map of texts", { context: { [SMS_RECEIPT]: 1 } }],
  ])("is ignored if it is an event %s", (_, fields) => {
    expect(v.is(SmsEvent, aText(fields))).toBe(false);
  });
});

describe("a message from the SMS topic", () => {
  const envelope = (message: unknown, fields: Record<string, unknown> = {}) => ({
    Type: "Notification",
    Timestamp: "2026-11-21T12:00:01.500Z",
    Message: JSON.stringify(message),
    ...fields,
  });

  it("is a status report or a reply, with the time at which it was published", () => {
    const reply = { originationNumber: "+4930123456", messageBody: "4", inboundMessageId: "m" };

    expect(v.parse(FromPhones, envelope(aText()))).toMatchObject({
      eventType: "TEXT_DELIVERED",
      publishedAt: 1_795_262_401_500,
    });
    expect(v.parse(FromPhones, envelope(reply))).toMatchObject({ messageBody: "4", publishedAt: 1_795_262_401_500 });
  });

  it.each<[string, unknown]>([
    ["a request to subscribe", envelope(aText(), { Type: "SubscriptionConfirmation" })],
    ["a message without a time", envelope(aText(), { Timestamp: "today" })],
    ["neither a status report nor a reply", envelope({ hello: "world" })],
    ["a text that is not JSON", { ...envelope(aText()), Message: "hello" }],
  ])("is refused if it is %s", (_, message) => {
    expect(v.is(FromPhones, message)).toBe(false);
  });
});

describe("a key that is pressed in a phone call", () => {
  const aKeyPress = (data: object = {}, parameters: object = { key: "4" }) => ({
    Name: "ContactFlowEvent",
    Details: {
      ContactData: {
        ContactId: "contact-1",
        CustomerEndpoint: { Address: "+4930123456", Type: "TELEPHONE_NUMBER" },
        Attributes: { token: TOKEN },
        ...data,
      },
      Parameters: parameters,
    },
  });

  it("is read with the call's receipt token and phone number", () => {
    expect(v.parse(PressEvent, aKeyPress()).Details).toEqual({
      ContactData: {
        ContactId: "contact-1",
        CustomerEndpoint: { Address: "+4930123456" },
        Attributes: { token: TOKEN },
      },
      Parameters: { key: "4" },
    });
  });

  it.each<[string, unknown]>([
    ["an event of another function", { ...aKeyPress(), Name: "Other" }],
    ["a key without a token", aKeyPress({ Attributes: {} })],
    ["a key without a phone number", aKeyPress({ CustomerEndpoint: {} })],
    ["a key without the call's id", aKeyPress({ ContactId: undefined })],
    ["an event without a key", aKeyPress({}, {})],
    ["a key that means nothing", aKeyPress({}, { key: "9" })],
    ["an event without details", { Name: "ContactFlowEvent" }],
    [
      "an event without the token and the phone number of the call",
      { Name: "ContactFlowEvent", Details: { Parameters: { key: "4" } } },
    ],
  ])("is refused in a message of the wrong shape: %s", (_, event) => {
    expect(v.is(PressEvent, event)).toBe(false);
  });
});

describe("a status report of an email", () => {
  const tags = Object.fromEntries(toReceiptTags(TOKEN).map(({ Name, Value }) => [Name, [Value]]));
  const aMail = (fields: Record<string, unknown> = {}, mail: Record<string, unknown> = {}) => ({
    eventType: "Bounce",
    bounce: { bounceType: "Permanent", bounceSubType: "General", bouncedRecipients: [] },
    mail: { timestamp: "2026-11-21T12:00:00.000Z", destination: ["ann@acme.example"], tags, ...mail },
    ...fields,
  });
  const readMail = (fields?: Record<string, unknown>, mail?: Record<string, unknown>) =>
    readMailEvent(v.parse(MailEvent, aMail(fields, mail)));

  it("has the outcome, the recipient, the time it was sent, and the receipt token from its tags", () => {
    expect(toReceiptTags(TOKEN)).toEqual([
      { Name: "workspace", Value: "ws_1" },
      { Name: "user", Value: "usr_1" },
      { Name: "device", Value: "dev_1" },
      { Name: "about", Value: "ntf_1" },
      { Name: "expires", Value: "1795352400" },
      { Name: "proof", Value: "a-b_c" },
    ]);
    expect(readMail()).toEqual({
      fate: "failing",
      code: "Bounce.Permanent.General",
      to: { field: "email", address: "ann@acme.example" },
      sentAt: "2026-11-21T12:00:00.000Z",
      receipt: TOKEN,
    });
  });

  it.each([
    ["Transient", "MailboxFull", "lost", "Bounce.Transient.MailboxFull"],
    ["Undetermined", "<b>", "lost", "Bounce.Undetermined"],
    ["Permanent", "No Email", "failing", "Bounce.Permanent"],
  ])(
    "about a bounce of the type %s and the subtype %j has the outcome %s and the code %s",
    (type, subtype, fate, code) => {
      expect(readMail({ bounce: { bounceType: type, bounceSubType: subtype } })).toMatchObject({ fate, code });
    },
  );

  it("has a code without the bounce's subtype if that is too long, and without its type if there are no details", () => {
    const bounce = { bounceType: "Permanent", bounceSubType: "a".repeat(41) };

    expect(readMail({ bounce })).toMatchObject({ fate: "failing", code: "Bounce.Permanent" });
    expect(readMail({ bounce: undefined })).toMatchObject({ fate: "lost", code: "Bounce" });
  });

  it("has the same outcome for a complaint as for an address that does not exist", () => {
    expect(readMail({ eventType: "Complaint", bounce: undefined })).toMatchObject({
      fate: "failing",
      code: "Complaint",
    });
  });

  it("has an empty receipt token if the email had no receipt token, and an empty address if it had none", () => {
    expect(readMail({}, { tags: undefined }).receipt).toBe(".....");
    expect(readMail({}, { tags: { workspace: [] } }).receipt).toBe(".....");
    expect(readMail({}, { destination: [] }).to.address).toBe("");
  });

  it.each<[string, unknown]>([
    ["of another kind", aMail({ eventType: "Delivery" })],
    ["without an email", aMail({ mail: undefined })],
    ["without a time", aMail({}, { timestamp: "today" })],
    ["with a bounce without a type", aMail({ bounce: { bounceSubType: "General" } })],
  ])("is ignored if it is an event %s", (_, event) => {
    expect(v.is(MailEvent, event)).toBe(false);
  });
});
