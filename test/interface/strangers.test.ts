import { describe, expect, it } from "vitest";
import { KEYS } from "../../core/domain/delivery/push/call.ts";
import { joinSmsText, type SmsMessage } from "../../core/domain/delivery/push/sms.ts";
import type { Method } from "../../interface/contract.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob, fillWorkspace, globexOwner } from "../support/people.ts";
import { callsOf, mailsOf, textsOf, readToken } from "./contacts.ts";

/*
 * Outsiders try to acknowledge another person's alert, or to prevent its acknowledgement, by each channel with replies. Only
 * Alice is notified, by all three channels, and no attempt may change her alert.
 */

const { app, mine, send } = await startFilled();
const { workspaceId, groupId } = mine;
const globex = await fillWorkspace(app, globexOwner);
const HOUR = 3_600_000;
/** The time between two alerts: long enough that the page limit does not silence one of them. */
const APART_MS = HOUR / 3;
const MAIL = "alice@acme.example";
const SMS = "+4930111111";
const CALL = "+4930222222";
const STRANGER = "+4930999999";

type Id = { id: string };
const call = <Body = Id>(method: Method, path: string, body?: object, as = alice, ws = workspaceId) =>
  app.ask<Body>(`/v1/workspaces/${ws}${path}`, { method, as, ...(body === undefined ? {} : { body }) });
const listTexts = () => textsOf(app);
const readDigit = (message: SmsMessage) => /Reply (\d) to acknowledge$/.exec(joinSmsText(message))?.[1] ?? "";

const addVerifiedDevice = async (
  device: { email: string } | { phone: string; ways: string[] },
  as = alice,
  ws = workspaceId,
) => {
  const { id } = (await call("POST", "/devices", device, as, ws)).body;
  const title = app.pushed.at(-1)?.notification.title.replaceAll(/\D/g, "") ?? "";
  const code = title.slice(0, 6);
  expect((await call("POST", `/devices/${id}/verify`, { code }, as, ws)).status).toBe(200);
  return id;
};
await call("DELETE", `/groups/${groupId}/members/${bob}`);
const devices = {
  mail: await addVerifiedDevice({ email: MAIL }),
  sms: await addVerifiedDevice({ phone: SMS, ways: ["sms"] }),
  call: await addVerifiedDevice({ phone: CALL, ways: ["voice"] }),
};
/** Bob is also a member, with his own numbers, so that messages to him belong to another person. */
await addVerifiedDevice({ phone: "+4930333333", ways: ["sms", "voice"] }, bob);
/** A person of another workspace has verified Alice's number, too: two people share a phone. */
await addVerifiedDevice({ phone: SMS, ways: ["sms"] }, globexOwner, globex.workspaceId);

const sendAlert = async (title: string) => {
  app.advance(APART_MS);
  const eventId = await send({ event: "disk.full", title, body: "2 % left" });
  await app.work();
  return { eventId, mail: mailsOf(app).at(-1)!, text: listTexts().at(-1)!, call: callsOf(app).at(-1)! };
};
type Alert = Awaited<ReturnType<typeof sendAlert>>;
const readState = async ({ eventId }: Alert) =>
  (await call<{ state: string; acknowledgedBy: Id | null }>("GET", `/events/${eventId}`)).body;
const postReceipt = (token: string, fields: object = {}) =>
  app.ask("/v1/receipts", { method: "POST", body: { token, status: "ACKNOWLEDGED", at: 0, ...fields } });
/** `part`: the index of workspace, person, device, subject or expiry. */
const changeTokenPart = (token: string, part: number, to: string) =>
  token
    .split(".")
    .map((text, index) => (index === part ? to : text))
    .join(".");
const listOtherDigits = (except: string) =>
  ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"].filter((one) => one !== except);

const attempts: readonly (readonly [string, (her: Alert, earlier: Alert) => Promise<unknown>])[] = [
  ["mail: no token", () => postReceipt("")],
  ["mail: a token that is made up", () => postReceipt(`${workspaceId}.${alice}.${devices.mail}.ntf_x.9999999999.AAAA`)],
  [
    "mail: the token for another event",
    ({ mail }, earlier) => postReceipt(changeTokenPart(readToken(earlier.mail), 3, readToken(mail))),
  ],
  ["mail: the token with another person's id", ({ mail }) => postReceipt(changeTokenPart(readToken(mail), 1, bob))],
  [
    "mail: the token in another workspace",
    ({ mail }) => postReceipt(changeTokenPart(readToken(mail), 0, globex.workspaceId)),
  ],
  ["mail: the token for a telephone", ({ mail }) => postReceipt(changeTokenPart(readToken(mail), 2, devices.call))],
  ["mail: the token with a later end", ({ mail }) => postReceipt(changeTokenPart(readToken(mail), 4, "9999999999"))],
  ["mail: the token without its proof", ({ mail }) => postReceipt(readToken(mail).replace(/\.[^.]*$/, "."))],
  ["mail: a call's token posted", ({ call: { receipt = "" } }) => postReceipt(receipt)],
  ["mail: a scanner that follows the link", () => app.ask("/press")],
  ["mail: a scanner that adds the token to the link", ({ mail }) => app.ask(`/press?token=${readToken(mail)}`)],
  [
    "mail: a scanner that asks the API by GET, HEAD and a form",
    async ({ mail }) => {
      for (const method of ["GET", "HEAD"] as const)
        await app.ask(`/v1/receipts?token=${readToken(mail)}`, { method: method as "GET" });
      await app.ask("/v1/receipts", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `token=${readToken(mail)}&status=ACKNOWLEDGED&at=0`,
      });
    },
  ],
  ["text message: the right digit from a stranger's number", ({ text }) => app.reply(STRANGER, readDigit(text))],
  ["text message: the right digit from a colleague's number", ({ text }) => app.reply("+4930333333", readDigit(text))],
  [
    "text message: the right digit from a number without its country",
    ({ text }) => app.reply("030111111", readDigit(text)),
  ],
  [
    "text message: the right digit from the right number with a space",
    ({ text }) => app.reply(`${SMS} `, readDigit(text)),
  ],
  ["text message: the right digit from the number that is called", ({ text }) => app.reply(CALL, readDigit(text))],
  [
    "text message: each wrong digit, from the right number",
    async ({ text }) => {
      for (const digit of listOtherDigits(readDigit(text))) await app.reply(SMS, digit);
    },
  ],
  [
    "text message: the right digit, in an answer from before the alert that is redriven now",
    ({ text }) => app.reply(SMS, readDigit(text), { at: app.deps.now() - HOUR }),
  ],
  ["text message: two digits", ({ text }) => app.reply(SMS, `${readDigit(text)}${readDigit(text)}`)],
  ["text message: a token", ({ mail }) => app.reply(SMS, readToken(mail))],
  ["call: the right token from a stranger's number", ({ call: one }) => app.press(one, KEYS.acknowledge, STRANGER)],
  ["call: the right token from the person's other number", ({ call: one }) => app.press(one, KEYS.acknowledge, SMS)],
  ["call: no token", ({ call: one }) => app.press({ ...one, receipt: "" }, KEYS.acknowledge)],
  ["call: a mail's token", ({ call: one, mail }) => app.press({ ...one, receipt: readToken(mail) }, KEYS.acknowledge)],
  [
    "call: the token with another person's id, from his number",
    ({ call: one }) =>
      app.press({ ...one, receipt: changeTokenPart(one.receipt ?? "", 1, bob) }, KEYS.acknowledge, "+4930333333"),
  ],
  [
    "call: an earlier call's token, for an event that is over",
    (_, earlier) => app.press(earlier.call, KEYS.acknowledge),
  ],
  ["call: a stranger asks for the next people", ({ call: one }) => app.press(one, KEYS.escalate, STRANGER)],
];

const earlier = await sendAlert("Earlier");
await call("POST", `/events/${earlier.eventId}/resolve`, {});
await app.work();

describe("an attack by a stranger", () => {
  it.each(attempts)("has no effect if it comes by %s", async (_, attempt) => {
    const her = await sendAlert("Hers");
    const countPushes = () => app.pushed.filter(({ data }) => data["eventId"] === her.eventId).length;
    const before = countPushes();

    await attempt(her, earlier);
    await app.work();
    await app.escalate();

    expect(await readState(her)).toMatchObject({ state: "open", acknowledgedBy: null });
    expect(countPushes()).toBe(before);
    // Alice's own key press still counts.
    await app.press(her.call, KEYS.acknowledge);
    expect(await readState(her)).toMatchObject({ state: "acknowledged", acknowledgedBy: { id: alice } });
  });

  it("costs nothing, because an unknown sender gets no answer", async () => {
    const { text } = await sendAlert("Hers");
    const sent = listTexts().length;

    await app.reply(STRANGER, readDigit(text));
    await app.reply(STRANGER, "STOP");
    await app.reply("", readDigit(text));

    expect(listTexts()).toHaveLength(sent);
  });

  it("stops no other person's number, because STOP counts only for the number that sent it", async () => {
    await app.reply(STRANGER, "STOP");
    await app.reply("+4930333333", "hello");

    const hers = (await call<(Id & { verified: boolean })[]>("GET", "/devices")).body;

    expect(hers.filter(({ id }) => Object.values(devices).includes(id)).every(({ verified }) => verified)).toBe(true);
  });
});

describe("a replayed answer to an alert", () => {
  it.each<readonly [string, (one: Alert) => Promise<unknown>]>([
    ["the token of an email", ({ mail }) => postReceipt(readToken(mail))],
    ["a text message", ({ text }) => app.reply(SMS, readDigit(text), { id: "in-replayed" })],
    ["a key pressed in a call", ({ call: one }) => app.press(one, KEYS.acknowledge)],
  ])("changes nothing after the first time, nor after the event is resolved: %s", async (_, answer) => {
    const her = await sendAlert("Hers");
    await answer(her);
    const first = await readState(her);
    expect(first.state).toBe("acknowledged");
    const sent = app.pushed.length;

    await answer(her);
    expect(await readState(her)).toEqual(first);
    await call("POST", `/events/${her.eventId}/resolve`, {});
    await app.work();
    const after = await readState(her);
    await answer(her);

    expect(await readState(her)).toEqual(after);
    expect(app.pushed.slice(sent).filter((one) => "call" in one || "email" in one)).toEqual([]);
  });
});

describe("a former member, or the former owner of a device,", () => {
  it.each<readonly [string, keyof typeof devices, (one: Alert) => Promise<unknown>]>([
    ["the token of an email", "mail", ({ mail }) => postReceipt(readToken(mail))],
    ["a text message", "sms", ({ text }) => app.reply(SMS, readDigit(text))],
    ["a key pressed in a call", "call", ({ call: one }) => app.press(one, KEYS.acknowledge)],
  ])("cannot acknowledge the device's last alert with %s", async (_, channel, answer) => {
    const her = await sendAlert("Hers");
    await call("DELETE", `/devices/${devices[channel]}`);

    await answer(her);

    expect((await readState(her)).state).toBe("open");
  });

  it("cannot acknowledge by email, text message or call after leaving the workspace", async () => {
    app.advance(25 * HOUR);
    await addVerifiedDevice({ phone: "+4930444444", ways: ["sms", "voice"] });
    await addVerifiedDevice({ email: "again@acme.example" });
    const her = await sendAlert("Hers");
    await call("PATCH", `/members/${bob}`, { role: "owner" });
    expect((await call("DELETE", `/members/${alice}`, undefined, bob)).status).toBe(204);

    await postReceipt(readToken(her.mail));
    await app.reply("+4930444444", readDigit(her.text));
    await app.press(her.call, KEYS.acknowledge);

    const { body } = await call<{ state: string }>("GET", `/events/${her.eventId}`, undefined, bob);
    expect(body.state).toBe("open");
  });
});
