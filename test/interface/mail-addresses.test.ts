import { describe, expect, it } from "vitest";
import { alice, bob } from "../support/people.ts";
import { type Device, type Problem, createWrongCode, readToken, startContacts } from "./contacts.ts";

const { app, ask, get, mails, lastMail, codeFor, addMailbox, verify, addVerifiedMailbox, pressLink, sendAlert } =
  await startContacts();

describe("an email address as a device", () => {
  it("gets only a verification code until it is verified, and alerts after that", async () => {
    const { status, body } = await addMailbox("bob@acme.example");
    expect(status).toBe(201);
    expect(body).toMatchObject({ email: "bob@acme.example", platform: "email", ways: ["email"], verified: false });
    await sendAlert();
    expect(mails()).toHaveLength(1);

    const answer = await verify(body.id, codeFor("bob@acme.example"));

    expect(answer).toMatchObject({ status: 200, body: { verified: true, lastDeliveredAt: expect.any(String) } });
    await sendAlert();
    expect(mails()).toHaveLength(2);
    expect(lastMail("bob@acme.example")).toMatchObject({ notification: { title: "Disk full" } });
    expect(JSON.stringify(lastMail("bob@acme.example"))).not.toContain("inside");
    // Repeated requests are answered the same, and no further code is sent.
    expect(await verify(body.id, "123456")).toMatchObject({ status: 200, body: { verified: true } });
    expect(await addMailbox("Bob@Acme.example")).toMatchObject({ status: 200, body: { id: body.id, verified: true } });
    expect(mails()).toHaveLength(2);
  });

  it("makes its person reachable only after the address is verified", async () => {
    const readReachability = async () =>
      (await get<{ userId: string; reachable: string }[]>("/members")).find(({ userId }) => userId === bob)?.reachable;
    for (const { id } of (await ask<Device[]>("GET", "/devices", undefined, bob)).body)
      await ask("DELETE", `/devices/${id}`, undefined, bob);
    const { id } = (await addMailbox("late@acme.example")).body;
    expect(await readReachability()).toBe("no");

    await verify(id, codeFor("late@acme.example"));

    expect(await readReachability()).toBe("proven");
  });

  it("allows five attempts to enter a code, even in parallel, and then refuses even the right code", async () => {
    const { id } = (await addMailbox("five@acme.example")).body;
    const code = codeFor("five@acme.example");

    const first = await verify(id, createWrongCode(code));
    const others = await Promise.all(Array.from({ length: 6 }, () => verify(id, createWrongCode(code))));

    expect(first.body.errors).toEqual([
      {
        field: "code",
        code: "wrong_code",
        message: "The code is wrong. You can try 4 more times.",
      },
    ]);
    const codes = others.map(({ status, body }) => `${status} ${body.errors[0]?.code}`).sort();
    expect(codes).toEqual([...Array(3).fill("422 tries_used_up"), ...Array(3).fill("422 wrong_code")]);
    expect((await verify(id, code)).body.errors).toMatchObject([{ code: "tries_used_up" }]);
    // Attempts are counted for each code separately.
    await addMailbox("five@acme.example");
    expect(await verify(id, codeFor("five@acme.example"))).toMatchObject({ status: 200 });
  });

  it("has a verification code that expires when the next code is sent, and after an hour", async () => {
    const { id } = (await addMailbox("hour@acme.example", alice)).body;
    const first = codeFor("hour@acme.example");
    await addMailbox("hour@acme.example", alice);
    if (first !== codeFor("hour@acme.example"))
      expect((await verify(id, first, alice)).body.errors).toMatchObject([{ code: "wrong_code" }]);

    app.advance(3_600_000);

    expect((await verify(id, codeFor("hour@acme.example"), alice)).body.errors).toMatchObject([
      { code: "code_expired" },
    ]);
  });

  it("gets three codes a day at most, however many people register it and in however many spellings", async () => {
    for (const [email, who] of [
      ["many@acme.example", alice],
      ["MANY@acme.example", bob],
      ["many@acme.example", bob],
    ] as const)
      expect((await addMailbox(email, who)).status).toBeLessThan(300);
    const before = mails().length;

    const { status, body } = await addMailbox("many@acme.example", alice);

    expect([status, body.errors]).toEqual([
      422,
      [
        {
          field: "email",
          code: "codes_used_up",
          message: "At most 3 codes a day are sent to an address. Try again after midnight UTC.",
        },
      ],
    ]);
    expect(mails()).toHaveLength(before);
    app.advance(24 * 3_600_000);
    expect((await addMailbox("many@acme.example", alice)).status).toBe(200);
  });

  it("uses none of the day's codes if it cannot be registered because the person has too many devices", async () => {
    app.advance(24 * 3_600_000);
    const tokens: string[] = [];
    const room = 10 - (await ask<Device[]>("GET", "/devices", undefined, bob)).body.length;
    for (let nr = 0; nr < room; nr += 1)
      tokens.push((await ask<Device>("POST", "/devices", { token: `room-${nr}`, platform: "ios" }, bob)).body.id);

    const refused = await addMailbox("room@acme.example");
    for (const id of tokens) await ask("DELETE", `/devices/${id}`, undefined, bob);

    expect(refused).toMatchObject({ status: 409, body: { code: "limit_reached" } });
    const statuses = [];
    for (let nr = 0; nr < 4; nr += 1) statuses.push((await addMailbox("room@acme.example")).status);
    expect(statuses).toEqual([201, 200, 200, 422]);
  });

  it("gets codes only within its owner's limit of ten a day, even if addresses are removed in between", async () => {
    app.advance(24 * 3_600_000);
    const statuses: number[] = [];
    for (let nr = 0; nr < 11; nr += 1) {
      const { status, body } = await addMailbox(`try${nr}@acme.example`, bob);
      statuses.push(status);
      if (status === 201) await ask("DELETE", `/devices/${body.id}`, undefined, bob);
    }

    expect(statuses).toEqual([...Array(10).fill(201), 422]);
    app.advance(24 * 3_600_000);
  });

  it("can be tested like any other device, and reports the arrival when the link in the email is pressed", async () => {
    const id = await addVerifiedMailbox("test@acme.example", alice);
    const readShownAt = async () =>
      (await get<Device[]>("/devices")).find((device) => device.id === id)?.lastTest?.shownAt ?? null;
    app.advance(60_000);

    expect(await ask("POST", `/devices/${id}/test`)).toMatchObject({ status: 200, body: { outcome: "accepted" } });
    expect(await readShownAt()).toBeNull();
    const answer = await pressLink(readToken(lastMail("test@acme.example")!), "DELIVERED");

    expect(answer).toMatchObject({ status: 200, body: { status: "DELIVERED" } });
    expect(await readShownAt()).not.toBeNull();
  });

  it("cannot be tested before it is verified", async () => {
    const { id } = (await addMailbox("untested@acme.example", alice)).body;
    const before = mails().length;

    const { status, body } = await ask<Problem>("POST", `/devices/${id}/test`);

    expect([status, body.errors[0]?.code]).toEqual([422, "not_verified"]);
    expect(mails()).toHaveLength(before);
  });

  it.each([
    ["without @", { email: "alice" }, "email"],
    ["without a dot in its domain", { email: "alice@localhost" }, "email"],
    ["with a space", { email: "al ice@acme.example" }, "email"],
    ["with a line break and a header of an email", { email: "alice@acme.example\r\nBcc: all@acme.example" }, "email"],
    ["with an umlaut before the @", { email: "älice@acme.example" }, "email"],
    ["if it is a number", { email: 5 }, "email"],
    ["together with a push token", { email: "alice@acme.example", token: "one" }, "email"],
    ["together with a platform", { email: "alice@acme.example", platform: "ios" }, "platform"],
    ["together with a receipt key", { email: "alice@acme.example", receiptKey: "B" }, "receiptKey"],
  ])("is refused %s", async (_, body, field) => {
    const answer = await ask<Problem>("POST", "/devices", body);

    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((fault) => fault.field)).toContain(field);
  });

  it("accepts a code with spaces, and refuses an invalid code without counting an attempt", async () => {
    const { id } = (await addMailbox("spaces@acme.example", alice)).body;
    const code = codeFor("spaces@acme.example");
    for (const bad of ["12345", "1234567", "abcdef", ""]) expect((await verify(id, bad, alice)).status).toBe(422);

    expect((await verify(id, `${code.slice(0, 3)} ${code.slice(3)}`, alice)).status).toBe(200);
  });

  it("can be verified only by its owner", async () => {
    const { id } = (await addMailbox("mine@acme.example", alice)).body;

    expect((await verify(id, codeFor("mine@acme.example"), bob)).status).toBe(404);
  });
});
