import { describe, expect, it } from "vitest";
import { buildMessage } from "../../../../../core/domain/delivery/push/message.ts";
import {
  buildAnswerSms,
  buildCodeSms,
  joinSmsText,
  type SmsMessage,
} from "../../../../../core/domain/delivery/push/sms.ts";
import { createPushInput } from "../../../../support/push-input.ts";

const smsAbout = (fields: object): SmsMessage => {
  const event = { title: "Disk full", body: "2 % left", ...fields };
  return buildMessage(createPushInput({ ...event, to: { phone: "+4930123456" }, platform: "phone" })) as SmsMessage;
};

describe("the text of a text message", () => {
  const textAbout = (fields: object) => joinSmsText(smsAbout(fields));

  it("is title and body after the site, and contains no other field of the event", () => {
    expect(textAbout({ siteName: "Shop", url: "https://x.example", receipt: "token" })).toBe(
      "Shop: Disk full\n2 % left",
    );
  });

  it("keeps the reply instruction whole, and cuts the text before it", () => {
    const text = textAbout({ requiresAck: true, body: "x".repeat(200) });

    expect(text).toHaveLength(160);
    expect(text).toMatch(/^Disk full\nx+\.\.\.\nReply [1-9] to acknowledge$/);
  });

  it("has up to 160 GSM characters, of which some count twice, and ends with dots if it was cut", () => {
    expect(textAbout({ title: "t", body: "x".repeat(158) })).toHaveLength(160);
    expect(textAbout({ title: "t", body: "x".repeat(159) })).toBe(`t\n${"x".repeat(155)}...`);
    expect(textAbout({ title: "t", body: "€".repeat(79) })).toHaveLength(81);
    expect(textAbout({ title: "t", body: "€".repeat(80) })).toBe(`t\n${"€".repeat(77)}...`);
  });

  it("has up to 70 UCS-2 units if one character needs them, and is cut between graphemes", () => {
    expect(textAbout({ title: "t", body: `ж${"x".repeat(67)}` })).toHaveLength(70);
    expect(textAbout({ title: "t", body: `ж${"x".repeat(68)}` })).toBe(`t\nж${"x".repeat(64)}...`);
    const family = "👨‍👩‍👧";
    expect(textAbout({ title: "t", body: family.repeat(9) })).toBe(`t\n${family.repeat(8)}...`);
  });

  it("has plain quotes, dashes and dots instead of typographic ones, so that it fits into one part", () => {
    expect(textAbout({ title: "„Disk“ – full…", body: "x".repeat(200) })).toHaveLength(160);
    expect(textAbout({ title: "„Disk“ – full…", body: "’s" })).toBe('"Disk" - full...\n\'s');
  });

  it("cuts the title only if the title alone is too long", () => {
    expect(textAbout({ title: "t".repeat(200), body: "lost" })).toBe(`${"t".repeat(157)}...`);
    expect(textAbout({ title: "t".repeat(157), body: "lost" })).toBe("t".repeat(157));
  });

  it("has the title and the body each on one line, without characters that a phone cannot show", () => {
    expect(textAbout({ title: "Disk\r\nfull\u0000", body: " a \u2028 b " })).toBe("Disk full\na b");
  });

  it("leaves out a body that equals the title", () => {
    expect(textAbout({ title: "Disk\nfull", body: "Disk full" })).toBe("Disk full");
  });

  it("begins with the verification code, and is one part long", () => {
    const text = joinSmsText(buildCodeSms("+4930123456", "123456"));

    expect(text).toMatch(/^123456 is your code\nEnter it under Devices /);
    expect(text.length).toBeLessThanOrEqual(160);
  });

  it("keeps space for the reply instruction under a long title, and drops a body that does not fit", () => {
    expect(textAbout({ requiresAck: true, title: "t".repeat(200), body: "lost" })).toMatch(
      /^t{134}\.\.\.\nReply [1-9] to acknowledge$/,
    );
    expect(textAbout({ title: "t".repeat(155), body: "cut off" })).toBe(`${"t".repeat(155)}\nc...`);
    expect(textAbout({ title: "t".repeat(156), body: "lost" })).toBe(`${"t".repeat(156)}\n...`);
    expect(textAbout({ title: "t".repeat(156), body: "abc" })).toBe(`${"t".repeat(156)}\nabc`);
    expect(textAbout({ title: "t".repeat(157), body: "ab" })).toBe(`${"t".repeat(157)}\nab`);
  });

  it("has no space before its final dots", () => {
    expect(textAbout({ title: "t", body: `${"x".repeat(154)} ${"y".repeat(9)}` })).toBe(`t\n${"x".repeat(154)}...`);
  });

  it.each([
    ["accented and Greek letters", "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ"],
    ["digits and punctuation", "!\"#¤%&'()*+,-./0123456789:;<=>?¡"],
    ["umlauts and further letters", "ÄÖÑÜ§¿äöñüà"],
    ["characters that count twice", "^{}\\[~]|€"],
  ])("has a full part of 160 characters if it contains these characters of the GSM alphabet: %s", (_, alphabet) => {
    expect(textAbout({ title: alphabet, body: "x".repeat(200) })).toMatch(/x{60,}\.\.\.$/);
  });

  it.each([
    ["‘a’ ‚b‘ «c» “d”", '\'a\' ,b\' "c" "d"'],
    ["a–b—c−d", "a-b-c-d"],
    ["a… • b → c\u00a0d\te", "a... - b -> c d e"],
  ])("replaces typographic characters: %j becomes %j", (title, plain) => {
    expect(textAbout({ title, body: "" })).toBe(plain);
  });
});

describe("a text message", () => {
  it("names its event, carries its receipt token, and is valid as long as its priority allows", () => {
    expect(smsAbout({ priority: "HIGH", receipt: "token", again: true })).toEqual({
      phone: "+4930123456",
      notification: { title: "Disk full", body: "2 % left" },
      toDo: undefined,
      ttlMs: 14_400_000,
      receipt: "token",
      data: {
        workspaceId: "ws_acme",
        eventId: "evt_1",
        notificationId: "ntf_0123456789abcdefghjkmnpqrs1",
        again: "true",
      },
    });
    expect(smsAbout({}).data).not.toHaveProperty("again");
  });

  it("for a test has no reply digit, because there is nothing to acknowledge", () => {
    const test = smsAbout({ eventId: undefined, requiresAck: true });

    expect(test.toDo).toBeUndefined();
    expect(test.data).not.toHaveProperty("eventId");
  });

  it("for a silent notification says why it is silent, unless it reports that the event has ended", () => {
    expect(smsAbout({ quiet: "too_many" }).notification.body).toBe("Silent, because you got many alerts: 2 % left");
    expect(smsAbout({ quiet: "too_many", state: "resolved" }).notification.body).toBe("2 % left");
  });

  it("with a verification code or a reply is valid for at most an hour", () => {
    expect(buildCodeSms("+4930123456", "123456")).toMatchObject({ phone: "+4930123456", ttlMs: 3_600_000, data: {} });
    expect(buildAnswerSms("ws_1", "+4930123456", "Acknowledged: Disk\nfull")).toEqual({
      phone: "+4930123456",
      notification: { title: "Acknowledged: Disk full", body: "" },
      ttlMs: 3_600_000,
      data: { workspaceId: "ws_1" },
    });
  });
});
