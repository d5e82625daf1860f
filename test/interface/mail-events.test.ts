import { expect, it } from "vitest";
import { toReceiptTags } from "../../core/domain/delivery/push/delivery-event.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { startFurnished } from "../support/furnished.ts";
import { type Device, mailsOf, tokenIn } from "./contacts.ts";

const EMAIL = "Alice@Acme.example";

const { app, ask: call, send } = await startFurnished();

const mails = () => mailsOf(app);
const lastMail = () => mails().at(-1)!;
const register = () => call<Device>("POST", "/devices", { email: EMAIL });
const { id } = (await register()).body;
const verify = () => call<Device>("POST", `/devices/${id}/verify`, { code: lastMail().notification.title.slice(0, 6) });
await verify();

const device = async () => (await call<Device[]>("GET", "/devices")).body.find((one) => one.id === id);
const titles = () => app.pushed.map(({ notification }) => notification.title);

/** Sends an alert by email; returns functions for SES's later reports. */
const alert = async () => {
  app.advance(60_000);
  await send({ event: "disk.full", title: "Disk full", body: "2 % left" });
  await app.work();
  const sent = mails().findLast(({ notification: { title } }) => title === "Disk full")!;
  const { receipt = "", email } = sent;
  const tags = Object.fromEntries(toReceiptTags(receipt).map(({ Name, Value }) => [Name, [Value]]));
  const mail = { timestamp: toIso(app.deps.now()), source: "alerts@acme.example", destination: [email], tags };
  const publish = (body: object, fields: object = {}) => app.fromSns({ ...body, mail: { ...mail, ...fields } });
  return {
    bounces: (bounceType: string, bounceSubType: string, fields?: object) =>
      publish({ eventType: "Bounce", bounce: { bounceType, bounceSubType, bouncedRecipients: [] } }, fields),
    complains: (fields?: object) =>
      publish({ eventType: "Complaint", complaint: { complaintFeedbackType: "abuse" } }, fields),
    token: tokenIn(sent),
  };
};

it("an email that bounces marks its address as failing, and the owner is notified once by other channels", async () => {
  const first = await alert();

  await first.bounces("Permanent", "General");
  await app.work();

  expect(await device()).toMatchObject({ verified: true, failing: { code: "Bounce.Permanent.General" } });
  const notified = "Alerts do not reach your email address";
  expect(titles().filter((title) => title === notified)).toHaveLength(2);
  const count = titles().length;
  await first.bounces("Permanent", "General");
  await app.work();
  expect(titles()).toHaveLength(count);
  // The address still gets each alert.
  const before = mails().length;
  await (await alert()).bounces("Permanent", "Suppressed");
  await app.work();
  expect(mails()).toHaveLength(before + 1);
  expect((await device())?.failing?.code).toBe("Bounce.Permanent.General");
});

it("a press in an email that arrived despite an earlier failure ends the failure of the email address", async () => {
  const { token } = await alert();
  expect((await device())?.failing).not.toBeNull();

  await app.ask("/v1/receipts", { method: "POST", body: { token, status: "ACKNOWLEDGED", at: 0 } });

  expect((await device())?.failing).toBeNull();
});

it("a complaint about an email marks its address as failing until a new code is entered", async () => {
  const { complains } = await alert();
  await complains();
  expect((await device())?.failing?.code).toBe("Complaint");
  const count = mails().length;

  await register();

  expect(mails().length).toBe(count + 1);
  expect((await verify()).body).toMatchObject({ verified: true, failing: null });
});

it("a full mailbox is recorded as the last failure, and changes nothing else", async () => {
  await (await alert()).bounces("Transient", "MailboxFull");

  expect(await device()).toMatchObject({ failing: null, lastFailure: { code: "Bounce.Transient.MailboxFull" } });
});

it.each([
  ["without our tags", { tags: { "ses:configuration-set": ["other"] } }],
  ["of an email to somebody else", { destination: ["bob@acme.example"] }],
  ["of an email that was sent before the last contact with the address", { timestamp: "2020-01-01T00:00:00.000Z" }],
])("an SES event %s changes nothing", async (_, fields) => {
  const { bounces, complains } = await alert();
  const before = await device();

  await bounces("Permanent", "General", fields);
  await complains(fields);

  expect(await device()).toEqual(before);
});
