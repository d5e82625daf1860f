import { digitOf } from "../../core/domain/delivery/push/reply.ts";
import { afterAll, describe, expect, it } from "vitest";
import type { MailMessage } from "../../core/domain/delivery/push/mail.ts";
import { textOf, type SmsMessage } from "../../core/domain/delivery/push/sms.ts";
import { startFurnished } from "../support/furnished.ts";
import { alice, bob, furnish } from "../support/people.ts";
import { startApp } from "../world/app.ts";

type Device = {
  id: string;
  email: string | null;
  phone: string | null;
  platform: string;
  ways: string[];
  verified: boolean;
  lastDeliveredAt: string | null;
  lastTest: { shownAt: string | null } | null;
};
type Problem = { code: string; errors: { field: string; code: string; message: string }[] };

const { app, mine, ask, get, send } = await startFurnished();
// Whoever was invited while the workspace was furnished has got a mail.
app.pushed.length = 0;

const mails = () => app.pushed.filter((message): message is MailMessage => "email" in message);
const lastMail = (email: string) => mails().findLast((mail) => mail.email === email);
const codeFor = (email: string) => lastMail(email)?.notification.title.slice(0, 6) ?? "";
const wrong = (code: string) => (code === "000000" ? "000001" : "000000");
const tokenIn = ({ notification }: MailMessage) => /\/press#(\S+)/.exec(notification.body)?.[1] ?? "";

const add = (email: string, as = bob) => ask<Device & Problem>("POST", "/devices", { email }, as);
const verify = (id: string, code: string, as = bob) =>
  ask<Device & Problem>("POST", `/devices/${id}/verify`, { code }, as);
const verified = async (email: string, as = bob) => {
  const { id } = (await add(email, as)).body;
  expect((await verify(id, codeFor(email), as)).status).toBe(200);
  return id;
};
const press = (token: string, status = "ACKNOWLEDGED") =>
  app.ask<{ status: string }>("/v1/receipts", { method: "POST", body: { token, status, at: 0 } });
const alert = async () => {
  const eventId = await send({ event: "disk.full", title: "Disk full", body: "2 % left", data: { secret: "inside" } });
  await app.work();
  return eventId;
};

describe("an e-mail address as a device", () => {
  it("gets nothing but a code until it is verified, and then alerts", async () => {
    const { status, body } = await add("bob@acme.example");
    expect(status).toBe(201);
    expect(body).toMatchObject({ email: "bob@acme.example", platform: "email", ways: ["email"], verified: false });
    await alert();
    expect(mails()).toHaveLength(1);

    const answer = await verify(body.id, codeFor("bob@acme.example"));

    expect(answer).toMatchObject({ status: 200, body: { verified: true, lastDeliveredAt: expect.any(String) } });
    await alert();
    expect(mails()).toHaveLength(2);
    expect(lastMail("bob@acme.example")).toMatchObject({ notification: { title: "Disk full" } });
    expect(JSON.stringify(lastMail("bob@acme.example"))).not.toContain("inside");
    // Done again, both are answered the same, and no further code is sent.
    expect(await verify(body.id, "123456")).toMatchObject({ status: 200, body: { verified: true } });
    expect(await add("Bob@Acme.example")).toMatchObject({ status: 200, body: { id: body.id, verified: true } });
    expect(mails()).toHaveLength(2);
  });

  it("makes its person reachable only once it is verified", async () => {
    const person = async () =>
      (await get<{ userId: string; reachable: string }[]>("/members")).find(({ userId }) => userId === bob)?.reachable;
    for (const { id } of (await ask<Device[]>("GET", "/devices", undefined, bob)).body)
      await ask("DELETE", `/devices/${id}`, undefined, bob);
    const { id } = (await add("late@acme.example")).body;
    expect(await person()).toBe("no");

    await verify(id, codeFor("late@acme.example"));

    expect(await person()).toBe("proven");
  });

  it("takes five tries of a code, counted side by side, and refuses the right one after them", async () => {
    const { id } = (await add("five@acme.example")).body;
    const code = codeFor("five@acme.example");

    const first = await verify(id, wrong(code));
    const others = await Promise.all(Array.from({ length: 6 }, () => verify(id, wrong(code))));

    expect(first.body.errors).toEqual([
      {
        field: "code",
        code: "wrong_code",
        message: "code is not the one that was sent last; it can be tried 4 more times.",
      },
    ]);
    const codes = others.map(({ status, body }) => `${status} ${body.errors[0]?.code}`).sort();
    expect(codes).toEqual([...Array(3).fill("422 tries_used_up"), ...Array(3).fill("422 wrong_code")]);
    expect((await verify(id, code)).body.errors).toMatchObject([{ code: "tries_used_up" }]);
    // Another code can be had, and counts from the beginning.
    await add("five@acme.example");
    expect(await verify(id, codeFor("five@acme.example"))).toMatchObject({ status: 200 });
  });

  it("ends a code with the next one, and after an hour", async () => {
    const { id } = (await add("hour@acme.example", alice)).body;
    const first = codeFor("hour@acme.example");
    await add("hour@acme.example", alice);
    if (first !== codeFor("hour@acme.example"))
      expect((await verify(id, first, alice)).body.errors).toMatchObject([{ code: "wrong_code" }]);

    app.advance(3_600_000);

    expect((await verify(id, codeFor("hour@acme.example"), alice)).body.errors).toMatchObject([
      { code: "code_expired" },
    ]);
  });

  it("sends three codes a day to one address, whoever asks and however it is written", async () => {
    for (const [email, who] of [
      ["many@acme.example", alice],
      ["MANY@acme.example", bob],
      ["many@acme.example", bob],
    ] as const)
      expect((await add(email, who)).status).toBeLessThan(300);
    const before = mails().length;

    const { status, body } = await add("many@acme.example", alice);

    expect([status, body.errors]).toEqual([
      422,
      [
        {
          field: "email",
          code: "codes_used_up",
          message: "At most 3 codes a day are sent to an address; the next one can be sent after midnight UTC.",
        },
      ],
    ]);
    expect(mails()).toHaveLength(before);
    app.advance(24 * 3_600_000);
    expect((await add("many@acme.example", alice)).status).toBe(200);
  });

  it("counts no code where there is no room for the address", async () => {
    app.advance(24 * 3_600_000);
    const tokens: string[] = [];
    const room = 10 - (await ask<Device[]>("GET", "/devices", undefined, bob)).body.length;
    for (let nr = 0; nr < room; nr += 1)
      tokens.push((await ask<Device>("POST", "/devices", { token: `room-${nr}`, platform: "ios" }, bob)).body.id);

    const refused = await add("room@acme.example");
    for (const id of tokens) await ask("DELETE", `/devices/${id}`, undefined, bob);

    expect(refused).toMatchObject({ status: 409, body: { code: "limit_reached" } });
    const statuses = [];
    for (let nr = 0; nr < 4; nr += 1) statuses.push((await add("room@acme.example")).status);
    expect(statuses).toEqual([201, 200, 200, 422]);
  });

  it("sends ten codes a day for one person, also when the addresses are removed in between", async () => {
    app.advance(24 * 3_600_000);
    const statuses: number[] = [];
    for (let nr = 0; nr < 11; nr += 1) {
      const { status, body } = await add(`try${nr}@acme.example`, bob);
      statuses.push(status);
      if (status === 201) await ask("DELETE", `/devices/${body.id}`, undefined, bob);
    }

    expect(statuses).toEqual([...Array(10).fill(201), 422]);
    app.advance(24 * 3_600_000);
  });

  it("is tested like any other device, and says that the test arrived when its link is pressed", async () => {
    const id = await verified("test@acme.example", alice);
    const shown = async () =>
      (await get<Device[]>("/devices")).find((device) => device.id === id)?.lastTest?.shownAt ?? null;
    app.advance(60_000);

    expect(await ask("POST", `/devices/${id}/test`)).toMatchObject({ status: 200, body: { outcome: "accepted" } });
    expect(await shown()).toBeNull();
    const answer = await press(tokenIn(lastMail("test@acme.example")!), "DELIVERED");

    expect(answer).toMatchObject({ status: 200, body: { status: "DELIVERED" } });
    expect(await shown()).not.toBeNull();
  });

  it("is not tested before it is verified", async () => {
    const { id } = (await add("untested@acme.example", alice)).body;
    const before = mails().length;

    const { status, body } = await ask<Problem>("POST", `/devices/${id}/test`);

    expect([status, body.errors[0]?.code]).toEqual([422, "not_verified"]);
    expect(mails()).toHaveLength(before);
  });

  it.each([
    [{ email: "alice" }, "email"],
    [{ email: "alice@localhost" }, "email"],
    [{ email: "al ice@acme.example" }, "email"],
    [{ email: "alice@acme.example\r\nBcc: all@acme.example" }, "email"],
    [{ email: "älice@acme.example" }, "email"],
    [{ email: 5 }, "email"],
    [{ email: "alice@acme.example", token: "one" }, "email"],
    [{ email: "alice@acme.example", platform: "ios" }, "platform"],
    [{ email: "alice@acme.example", receiptKey: "B" }, "receiptKey"],
  ])("refuses %j", async (body, field) => {
    const answer = await ask<Problem>("POST", "/devices", body);

    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((fault) => fault.field)).toContain(field);
  });

  it("takes a code with spaces, and refuses what is none without a try", async () => {
    const { id } = (await add("spaces@acme.example", alice)).body;
    const code = codeFor("spaces@acme.example");
    for (const bad of ["12345", "1234567", "abcdef", ""]) expect((await verify(id, bad, alice)).status).toBe(422);

    expect((await verify(id, `${code.slice(0, 3)} ${code.slice(3)}`, alice)).status).toBe(200);
  });

  it("is nobody else's to verify", async () => {
    const { id } = (await add("mine@acme.example", alice)).body;

    expect((await verify(id, codeFor("mine@acme.example"), bob)).status).toBe(404);
  });
});

describe("an alert by e-mail", () => {
  it("is acknowledged by posting the token of its link, again the same, and by nothing that follows the link", async () => {
    await verified("press@acme.example");
    const eventId = await alert();
    const mail = lastMail("press@acme.example")!;
    const token = tokenIn(mail);
    const state = async () => await get<{ state: string; acknowledgedBy: { id: string } | null }>(`/events/${eventId}`);
    const link = /https:\S+\/press#/.exec(mail.notification.body)?.[0] ?? "";
    expect(new URL(link).origin).toBe("https://alerts.example");

    // A scanner requests the page without the fragment, or tries the token where it can guess it.
    await app.ask(new URL(link).pathname);
    await app.ask(`/v1/receipts?token=${token}`);
    await app.ask("/v1/receipts", { method: "GET", body: { token } });
    expect(await state()).toMatchObject({ state: "open" });

    expect(await press(token)).toMatchObject({ status: 200, body: { status: "ACKNOWLEDGED" } });
    expect(await state()).toMatchObject({ state: "acknowledged", acknowledgedBy: { id: bob } });
    expect(await press(token)).toMatchObject({ status: 200, body: { status: "ACKNOWLEDGED" } });
  });

  it("refuses a token that was changed, is somebody else's, or came too late", async () => {
    await alert();
    const token = tokenIn(lastMail("press@acme.example")!);
    const [ws = "", , device = "", about = "", expires = "", mac = ""] = token.split(".");

    expect((await press([ws, alice, device, about, expires, mac].join("."))).status).toBe(401);
    expect((await press([ws, bob, mine.deviceId, about, expires, mac].join("."))).status).toBe(401);
    expect((await press([ws, bob, device, about, String(Number(expires) + 1), mac].join("."))).status).toBe(401);
    app.advance(25 * 3_600_000);
    expect((await press(token)).status).toBe(401);
  });

  it("refuses the token once the address is removed", async () => {
    await alert();
    const token = tokenIn(lastMail("press@acme.example")!);
    const devices = (await ask<Device[]>("GET", "/devices", undefined, bob)).body;
    const { id } = devices.find(({ email }) => email === "press@acme.example")!;

    await ask("DELETE", `/devices/${id}`, undefined, bob);

    expect((await press(token)).status).toBe(401);
  });

  it("still asks a browser or an app for its signature", async () => {
    const [ws, user] = [mine.workspaceId, alice];
    const keys = await app.deps.receiptKeys();
    const { mintReceipt } = await import("../../core/domain/delivery/receipt.ts");
    const about = { workspaceId: ws, userId: user, deviceId: mine.deviceId, about: mine.notificationId };

    expect((await press(await mintReceipt(keys!, about, app.deps.now()))).status).toBe(401);
  });
});

describe("a phone number as a device", () => {
  const PHONE = "+4930123456";
  const texts = () => app.pushed.filter((message): message is SmsMessage => "phone" in message);
  const addPhone = (phone = PHONE, as = alice, ways = ["sms"]) =>
    ask<Device & Problem>("POST", "/devices", { phone, ways }, as);
  const codeTo = (phone: string) =>
    texts()
      .findLast((text) => text.phone === phone)
      ?.notification.title.slice(0, 6);

  it("gets nothing but a code until it is verified, and then alerts", async () => {
    app.advance(24 * 3_600_000);
    const { status, body } = await addPhone();
    expect(status).toBe(201);
    expect(body).toMatchObject({ phone: PHONE, email: null, platform: "phone", ways: ["sms"], verified: false });
    await alert();
    expect(await ask<Problem>("POST", `/devices/${body.id}/test`)).toMatchObject({ status: 422 });
    expect(texts()).toHaveLength(1);

    expect(await verify(body.id, wrong(codeTo(PHONE) ?? ""), alice)).toMatchObject({ status: 422 });
    expect(await verify(body.id, codeTo(PHONE) ?? "", alice)).toMatchObject({ status: 200, body: { verified: true } });

    await alert();
    expect(texts().slice(1).map(textOf)).toEqual([
      expect.stringMatching(/^Disk full\n2 % left\nReply [1-9] to acknowledge$/),
    ]);
    // Done again, it is answered the same, and no further code is sent.
    expect(await addPhone()).toMatchObject({ status: 200, body: { id: body.id, verified: true } });
    expect(texts()).toHaveLength(2);
  });

  it("is not told that an event is over, since a message cannot be replaced", async () => {
    const before = texts().length;
    const eventId = await alert();
    expect(texts()).toHaveLength(before + 1);

    await ask("POST", `/events/${eventId}/resolve`, {});
    await app.work();

    expect(texts()).toHaveLength(before + 1);
  });

  it("belongs to each who verifies it, and three codes a day come to it, whoever asks", async () => {
    app.advance(24 * 3_600_000);
    const phone = "+4930999999";
    expect((await addPhone(phone, alice)).status).toBe(201);
    const { id } = (await addPhone(phone, bob)).body;
    expect((await verify(id, codeTo(phone) ?? "", bob)).body.verified).toBe(true);
    expect((await addPhone(phone, alice)).status).toBe(200);

    const { status, body } = await addPhone(phone, alice);

    expect([status, body.errors]).toEqual([
      422,
      [
        {
          field: "phone",
          code: "codes_used_up",
          message: "At most 3 codes a day are sent to a number; the next one can be sent after midnight UTC.",
        },
      ],
    ]);
  });

  it.each([
    [
      "+33612345678",
      ["sms"],
      "phone",
      "country_not_allowed",
      "phone is a number of FR; this service sends text messages to DE, AT.",
    ],
    [
      "+88212345678",
      ["sms"],
      "phone",
      "country_not_allowed",
      "phone is a number of no country; this service sends text messages to DE, AT.",
    ],
    [
      "+4990012345",
      ["sms"],
      "phone",
      "premium_number",
      "phone is a number that is paid for by whoever calls; use another.",
    ],
    [PHONE, ["fax"], "ways[0]", "unknown_value", "ways must hold sms or voice."],
    [
      "0301234567",
      ["sms"],
      "phone",
      "invalid",
      "phone must be a number with its country's code (E.164), such as +4930123456.",
    ],
  ])("refuses %s by %j at %s: %s", async (phone, ways, field, code, message) => {
    const before = texts().length;

    const answer = await addPhone(phone, alice, ways);

    expect([answer.status, answer.body.errors]).toEqual([422, [{ field, code, message }]]);
    expect(texts()).toHaveLength(before);
  });
});

describe("an answer by text message", async () => {
  const PHONE = "+4930777777";
  const other = await startApp();
  afterAll(other.close);
  const { workspaceId, key, ruleId } = await furnish(other, alice);
  const call = <Body>(method: "GET" | "POST" | "PATCH", path: string, body?: object) =>
    other.ask<Body>(`/v1/workspaces/${workspaceId}${path}`, {
      method,
      as: alice,
      ...(body === undefined ? {} : { body }),
    });
  await call("PATCH", `/routing-rules/${ruleId}`, { requiresAck: true });
  const texts = () => other.pushed.filter((message): message is SmsMessage => "phone" in message);
  const last = () => textOf(texts().at(-1)!);
  const { id } = (await call<Device>("POST", "/devices", { phone: PHONE, ways: ["sms"] })).body;
  await call("POST", `/devices/${id}/verify`, { code: last().slice(0, 6) });
  const alertPhone = async () => {
    const event = { event: "disk.full", title: "Disk full", body: "2 % left" };
    const sent = await other.ask<{ eventId: string }>("/v1/events", { method: "POST", apiKey: key, body: event });
    await other.work();
    const digit = /Reply (\d) to acknowledge$/.exec(last())?.[1] ?? "";
    const state = async () =>
      (await call<{ state: string; acknowledgedBy: { id: string } | null }>("GET", `/events/${sent.body.eventId}`))
        .body;
    return { eventId: sent.body.eventId, digit, state };
  };

  it("acknowledges what it was sent with, and is answered; again it changes nothing", async () => {
    const { digit, state } = await alertPhone();
    expect(digit).toMatch(/^[1-9]$/);

    await other.reply(PHONE, ` ${digit}. `, { id: "in-1" });

    expect(await state()).toMatchObject({ state: "acknowledged", acknowledgedBy: { id: alice } });
    expect(last()).toBe("Acknowledged: Disk full");
    const count = texts().length;
    // SQS delivers a message twice.
    await other.reply(PHONE, digit, { id: "in-1" });
    expect(texts()).toHaveLength(count);
    await other.reply(PHONE, digit);
    expect(last()).toBe("You have acknowledged it already: Disk full");
  });

  it("from another number, with another digit or with words changes nothing", async () => {
    const { digit, state } = await alertPhone();
    const count = texts().length;

    await other.reply("+4930888888", digit);
    expect(texts()).toHaveLength(count);
    await other.reply(PHONE, String((Number(digit) % 9) + 1));
    expect(last()).toBe(`Nothing of the last day has the number ${(Number(digit) % 9) + 1}.`);
    await other.reply(PHONE, "who is this?");
    expect(last()).toContain("Answer an alert with the number");

    expect(await state()).toMatchObject({ state: "open" });
  });

  it("finds nothing that calls for no acknowledgement", async () => {
    other.advance(25 * 3_600_000);
    await call("PATCH", `/routing-rules/${ruleId}`, { requiresAck: false });
    const digit = String(digitOf((await alertPhone()).eventId));
    await call("PATCH", `/routing-rules/${ruleId}`, { requiresAck: true });

    await other.reply(PHONE, digit);

    expect(last()).toBe(`Nothing of the last day has the number ${digit}.`);
  });

  it("after the end changes nothing, and after a day finds nothing", async () => {
    const first = await alertPhone();
    await call("POST", `/events/${first.eventId}/resolve`, {});
    await other.work();

    await other.reply(PHONE, first.digit);

    expect(last()).toBe("Nothing to acknowledge any more: Disk full");
    const late = await alertPhone();
    other.advance(24 * 3_600_000 + 1);
    await other.reply(PHONE, late.digit);
    expect(last()).toBe(`Nothing of the last day has the number ${late.digit}.`);
    expect(await late.state()).toMatchObject({ state: "open" });
  });

  it("with a digit that two open alerts have asks for the console", async () => {
    const first = await alertPhone();
    for (let nr = 0; nr < 8; nr += 1) await alertPhone();
    const second = await alertPhone();
    expect(second.digit).toBe(first.digit);

    await other.reply(PHONE, first.digit);

    expect(last()).toBe(`2 open alerts have the number ${first.digit}: acknowledge them in the console.`);
    expect(await first.state()).toMatchObject({ state: "open" });
  });

  it("is left to the console where the workspace says so", async () => {
    // The day before's alerts with the same digit count no more.
    other.advance(25 * 3_600_000);
    await call("PATCH", "", { openToAcknowledge: true });
    const { eventId, state } = await alertPhone();

    await other.reply(PHONE, String(digitOf(eventId)));

    expect(last()).toBe("Open the console to acknowledge: Disk full");
    expect(await state()).toMatchObject({ state: "open" });
    await call("PATCH", "", { openToAcknowledge: false });
  });

  it("STOP ends the number, which gets no answer then, its owner is told by push, and a new code begins it again", async () => {
    other.advance(25 * 3_600_000);
    await other.reply(PHONE, "Stop");
    await other.work();

    const device = async () =>
      (await call<(Device & { stopped: boolean })[]>("GET", "/devices")).body.find((one) => one.id === id);
    expect(await device()).toMatchObject({ verified: false, stopped: true });
    const notice = other.pushed.at(-1);
    expect(notice?.notification.title).toBe(`${PHONE} gets no text messages any more`);
    const count = texts().length;
    await alertPhone();
    await other.reply(PHONE, "STOP");
    await other.reply(PHONE, "who is this?");
    await other.work();
    expect(texts()).toHaveLength(count);

    expect((await call<Device>("POST", "/devices", { phone: PHONE, ways: ["sms"] })).status).toBe(200);
    await call("POST", `/devices/${id}/verify`, { code: last().slice(0, 6) });
    expect(await device()).toMatchObject({ verified: true, stopped: false });
  });

  it("gets twenty answers a day, so that two machines do not write to each other for ever", async () => {
    other.advance(25 * 3_600_000);
    const count = texts().length;

    for (let nr = 0; nr < 25; nr += 1) await other.reply(PHONE, "hello");

    expect(texts()).toHaveLength(count + 20);
  });
});

describe("when a month's text messages are used up", async () => {
  const poor = await startApp({ monthly: { sms: 3 } });
  afterAll(poor.close);
  const { workspaceId, key } = await furnish(poor, alice);
  const call = <Body>(method: "GET" | "POST", path: string, body?: object) =>
    poor.ask<Body>(`/v1/workspaces/${workspaceId}${path}`, {
      method,
      as: alice,
      ...(body === undefined ? {} : { body }),
    });
  const texts = () => poor.pushed.filter((message): message is SmsMessage => "phone" in message);
  const told = async () => {
    const before = poor.pushed.length;
    await poor.ask("/v1/events", { method: "POST", apiKey: key, body: { event: "disk.full", title: "t", body: "b" } });
    await poor.work();
    return poor.pushed.slice(before).map((message) => ("phone" in message ? "sms" : message.notification.title));
  };

  it("pushes go on, the owners are told once, and no code is sent", async () => {
    const { id } = (await call<Device>("POST", "/devices", { phone: "+4930123456", ways: ["sms"] })).body;
    await call("POST", `/devices/${id}/verify`, { code: texts()[0]?.notification.title.slice(0, 6) });
    expect(await told()).toEqual(["t", "sms"]);
    expect(await told()).toEqual(["t", "sms"]);

    expect(await told()).toEqual(["t"]);
    expect(await told()).toEqual(expect.arrayContaining(["t", "This month's text messages are used up"]));
    await poor.work();
    expect(await told()).toEqual(["t"]);

    expect(texts()).toHaveLength(3);
    const notices = await call<{ total: number }>("GET", "/events?eventKey=service.sms");
    expect(notices.body.total).toBe(1);
    const refused = await call<Problem>("POST", "/devices", { phone: "+4930999999", ways: ["sms"] });
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([422, "budget_used_up"]);
    const [device] = (
      await call<{ lastFailure: { code: string } | null; platform: string }[]>("GET", "/devices")
    ).body.filter(({ platform }) => platform === "phone");
    expect(device?.lastFailure?.code).toBe("BUDGET_USED_UP");
  });
});

describe("where the stage sends no text messages", async () => {
  const without = await startApp({ sms: "none" });
  afterAll(without.close);
  const { workspaceId } = await furnish(without, alice);

  it("says that they cannot be asked for, and what would be right", async () => {
    const answer = await without.ask<Problem>(`/v1/workspaces/${workspaceId}/devices`, {
      method: "POST",
      as: alice,
      body: { phone: "+4930123456", ways: ["sms"] },
    });

    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      {
        field: "ways",
        code: "way_not_configured",
        message:
          "ways cannot hold sms: this service sends no text messages, because its operator has not set `smsFrom`. Leave it out, or register a token or a subscription.",
      },
    ]);
  });
});

describe("where the stage sends no e-mail", async () => {
  const without = await startApp({ mail: "none" });
  afterAll(without.close);
  const { workspaceId } = await furnish(without, alice);

  it("says that it cannot be used, and what would be right", async () => {
    const answer = await without.ask<Problem>(`/v1/workspaces/${workspaceId}/devices`, {
      method: "POST",
      as: alice,
      body: { email: "alice@acme.example" },
    });

    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      {
        field: "email",
        code: "way_not_configured",
        message:
          "email cannot be used: this service sends no e-mail, because its operator has not set `mailFrom`. Register a token or a subscription.",
      },
    ]);
  });
});

describe("when a code cannot be sent", () => {
  it.each([
    [{ kind: "invalid", code: "MessageRejected" }, 422],
    [{ kind: "retry", code: "TooManyRequestsException" }, 503],
    [{ kind: "auth", code: "AccessDeniedException" }, 503],
    [{ kind: "unknown", code: "DEADLINE" }, 201],
  ] as const)("answers %j with %i", async (outcome, status) => {
    const failing = await startApp({ mail: { send: async () => outcome, prepare: async () => true } });
    const { workspaceId } = await furnish(failing, alice);

    const answer = await failing.ask(`/v1/workspaces/${workspaceId}/devices`, {
      method: "POST",
      as: alice,
      body: { email: "alice@acme.example" },
    });

    expect(answer.status).toBe(status);
    await failing.close();
  });
});
