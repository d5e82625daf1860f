import { expect, it } from "vitest";
import { toReceiptTags } from "../../core/domain/delivery/push/delivery-event.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { startFilled } from "../support/filled-app.ts";
import { type Device, mailsOf, readToken } from "./contacts.ts";

const EMAIL = "Alice@Acme.example";

const { app, ask: call, send } = await startFilled();

const listMails = () => mailsOf(app);
const findLastMail = () => listMails().at(-1)!;
const registerMailbox = () => call<Device>("POST", "/devices", { email: EMAIL });
const { id } = (await registerMailbox()).body;
const verifyMailbox = () =>
  call<Device>("POST", `/devices/${id}/verify`, { code: findLastMail().notification.title.slice(0, 6) });
await verifyMailbox();

const readDevice = async () => (await call<Device[]>("GET", "/devices")).body.find((one) => one.id === id);
const listTitles = () => app.pushed.map(({ notification }) => notification.title);

const sendAlert = async () => {
  app.advance(60_000);
  await send({ event: "disk.full", title: "Disk full", body: "2 % left" });
  await app.work();
  const sent = listMails().findLast(({ notification: { title } }) => title === "Disk full")!;
  const { receipt = "", email } = sent;
  const tags = Object.fromEntries(toReceiptTags(receipt).map(({ Name, Value }) => [Name, [Value]]));
  const mail = { timestamp: toIso(app.deps.now()), source: "alerts@acme.example", destination: [email], tags };
  const publishSesEvent = (body: object, fields: object = {}) => app.fromSns({ ...body, mail: { ...mail, ...fields } });
  return {
    bounces: (bounceType: string, bounceSubType: string, fields?: object) =>
      publishSesEvent({ eventType: "Bounce", bounce: { bounceType, bounceSubType, bouncedRecipients: [] } }, fields),
    complains: (fields?: object) =>
      publishSesEvent({ eventType: "Complaint", complaint: { complaintFeedbackType: "abuse" } }, fields),
    token: readToken(sent),
  };
};

it("an email that bounces marks its address as failing, and the owner is notified once by other channels", async () => {
  const first = await sendAlert();

  await first.bounces("Permanent", "General");
  await app.work();

  expect(await readDevice()).toMatchObject({ verified: true, failing: { code: "Bounce.Permanent.General" } });
  const notified = "Alerts do not reach your email address";
  expect(listTitles().filter((title) => title === notified)).toHaveLength(2);
  const count = listTitles().length;
  await first.bounces("Permanent", "General");
  await app.work();
  expect(listTitles()).toHaveLength(count);
  // The address still gets each alert.
  const before = listMails().length;
  await (await sendAlert()).bounces("Permanent", "Suppressed");
  await app.work();
  expect(listMails()).toHaveLength(before + 1);
  expect((await readDevice())?.failing?.code).toBe("Bounce.Permanent.General");
});

it("the failure of an email address ends when an email to it is acknowledged after all", async () => {
  const { token } = await sendAlert();
  expect((await readDevice())?.failing).not.toBeNull();

  await app.ask("/v1/receipts", { method: "POST", body: { token, status: "ACKNOWLEDGED", at: 0 } });

  expect((await readDevice())?.failing).toBeNull();
});

it("a complaint about an email marks its address as failing until a new code is entered", async () => {
  const { complains } = await sendAlert();
  await complains();
  expect((await readDevice())?.failing?.code).toBe("Complaint");
  const count = listMails().length;

  await registerMailbox();

  expect(listMails().length).toBe(count + 1);
  expect((await readDevice())?.failing?.code).toBe("Complaint");
  expect((await verifyMailbox()).body).toMatchObject({ verified: true, failing: null });
});

it("a full mailbox is recorded as the device's last failure, but the device does not count as failing", async () => {
  await (await sendAlert()).bounces("Transient", "MailboxFull");

  expect(await readDevice()).toMatchObject({ failing: null, lastFailure: { code: "Bounce.Transient.MailboxFull" } });
});

it.each([
  ["without our tags", { tags: { "ses:configuration-set": ["other"] } }],
  ["of an email to somebody else", { destination: ["bob@acme.example"] }],
  ["of an email that was sent before the last contact with the address", { timestamp: "2020-01-01T00:00:00.000Z" }],
])("an SES event %s changes nothing", async (_, fields) => {
  const { bounces, complains } = await sendAlert();
  const before = await readDevice();

  await bounces("Permanent", "General", fields);
  await complains(fields);

  expect(await readDevice()).toEqual(before);
});
