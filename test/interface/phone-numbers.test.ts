import { describe, expect, it } from "vitest";
import { joinSmsText } from "../../core/domain/delivery/push/sms.ts";
import { alice, bob } from "../support/people.ts";
import { type Device, type Problem, createWrongCode, startContacts, textsOf } from "./contacts.ts";

const { app, ask, verify, sendAlert } = await startContacts();

describe("a phone number as a device", () => {
  const PHONE = "+4930123456";
  const listTexts = () => textsOf(app);
  const addPhone = (phone = PHONE, as = alice, channels = ["sms"]) =>
    ask<Device & Problem>("POST", "/devices", { phone, ways: channels }, as);
  const readCodeTo = (phone: string) =>
    listTexts()
      .findLast((text) => text.phone === phone)
      ?.notification.title.slice(0, 6);

  it("gets only a verification code until it is verified, and alerts after that", async () => {
    app.advance(24 * 3_600_000);
    const { status, body } = await addPhone();
    expect(status).toBe(201);
    expect(body).toMatchObject({ phone: PHONE, email: null, platform: "phone", ways: ["sms"], verified: false });
    await sendAlert();
    expect(await ask<Problem>("POST", `/devices/${body.id}/test`)).toMatchObject({ status: 422 });
    expect(listTexts()).toHaveLength(1);

    expect(await verify(body.id, createWrongCode(readCodeTo(PHONE) ?? ""), alice)).toMatchObject({ status: 422 });
    expect(await verify(body.id, readCodeTo(PHONE) ?? "", alice)).toMatchObject({
      status: 200,
      body: { verified: true },
    });

    await sendAlert();
    expect(listTexts().slice(1).map(joinSmsText)).toEqual([
      expect.stringMatching(/^Disk full\n2 % left\nReply [1-9] to acknowledge$/),
    ]);
    // A repeated request is answered the same, and no further code is sent.
    expect(await addPhone()).toMatchObject({ status: 200, body: { id: body.id, verified: true } });
    expect(listTexts()).toHaveLength(2);
  });

  it("gets no message when an event ends, because a text message cannot be replaced", async () => {
    const before = listTexts().length;
    const eventId = await sendAlert();
    expect(listTexts()).toHaveLength(before + 1);

    await ask("POST", `/events/${eventId}/resolve`, {});
    await app.work();

    expect(listTexts()).toHaveLength(before + 1);
  });

  it("can belong to several people, each of whom verifies it, and gets three codes a day over all people", async () => {
    app.advance(24 * 3_600_000);
    const phone = "+4930999999";
    expect((await addPhone(phone, alice)).status).toBe(201);
    const { id } = (await addPhone(phone, bob)).body;
    expect((await verify(id, readCodeTo(phone) ?? "", bob)).body.verified).toBe(true);
    expect((await addPhone(phone, alice)).status).toBe(200);

    const { status, body } = await addPhone(phone, alice);

    expect([status, body.errors]).toEqual([
      422,
      [
        {
          field: "phone",
          code: "codes_used_up",
          message: "At most 3 codes a day are sent to a number. Try again after midnight UTC.",
        },
      ],
    ]);
  });

  it.each([
    [
      "of a country that the service does not send to",
      "+33612345678",
      ["sms"],
      "phone",
      "country_not_allowed",
      "phone is a number from FR. This service sends text messages only to DE, AT.",
    ],
    [
      "of an unknown country",
      "+88212345678",
      ["sms"],
      "phone",
      "country_not_allowed",
      "phone is a number from an unknown country. This service sends text messages only to DE, AT.",
    ],
    [
      "with a premium rate",
      "+4990012345",
      ["sms"],
      "phone",
      "premium_number",
      "phone is a premium-rate number. Use another number.",
    ],
    ["with an unknown channel", PHONE, ["fax"], "ways[0]", "unknown_value", "ways must contain sms or voice."],
    [
      "without its country's code",
      "0301234567",
      ["sms"],
      "phone",
      "invalid",
      "phone must be a number with its country's code (E.164), such as +4930123456.",
    ],
  ])("%s is refused", async (_, phone, ways, field, code, message) => {
    const before = listTexts().length;

    const answer = await addPhone(phone, alice, ways);

    expect([answer.status, answer.body.errors]).toEqual([422, [{ field, code, message }]]);
    expect(listTexts()).toHaveLength(before);
  });
});
