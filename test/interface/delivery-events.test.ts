import { expect, it } from "vitest";
import { smsFates } from "../../core/domain/delivery/push/delivery-event.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice } from "../support/people.ts";
import { type Device, textsOf } from "./contacts.ts";

const PHONE = "+4930777777";

const { app, ask: call, send } = await startFilled();

const listTexts = () => textsOf(app);
const findLastText = () => listTexts().at(-1)!;
const readCode = () => findLastText().notification.title.slice(0, 6);
const registerPhone = () => call<Device>("POST", "/devices", { phone: PHONE, ways: ["sms"] });
const { id } = (await registerPhone()).body;
const verifyPhone = () => call<Device>("POST", `/devices/${id}/verify`, { code: readCode() });
await verifyPhone();

const readDevice = async (): Promise<Device> => {
  const found = (await call<Device[]>("GET", "/devices")).body.find((one) => one.id === id);
  if (found === undefined) throw new Error("the number is gone");
  return found;
};
const countNotices = async () => (await call<{ total: number }>("GET", "/events?eventKey=service.device")).body.total;

const sendAlert = async () => {
  app.advance(60_000);
  const eventId = await send({ event: "disk.full", title: "Disk full", body: "2 % left" });
  await app.work();
  const { receipt = "", phone } = findLastText();
  const at = app.deps.now();
  return {
    receipt,
    says: (eventType: string, fields: object = {}) =>
      app.fromPhones({
        eventType,
        eventVersion: "1.0",
        isFinal: true,
        destinationPhoneNumber: phone,
        messageId: "m-1",
        messageRequestTimestamp: at,
        context: { receipt },
        ...fields,
      }),
    status: async () =>
      (await call<{ notifications: { status: string }[] }>("GET", `/events/${eventId}`)).body.notifications[0]?.status,
  };
};

it("a report of a delivered text message proves that the number works, and sets the notification to DELIVERED once", async () => {
  const { says, status } = await sendAlert();
  expect(await status()).toBe("SENT");
  app.advance(5000);

  await says("TEXT_DELIVERED");

  expect(await status()).toBe("DELIVERED");
  const first = (await readDevice()).lastDeliveredAt;
  expect(Date.parse(first ?? "")).toBe(app.deps.now());
  app.advance(5000);
  await says("TEXT_DELIVERED");
  expect((await readDevice()).lastDeliveredAt).toBe(first);
});

it("a report of a delivered text message confirms a device test, as an app does when it shows the test's push", async () => {
  app.advance(60_000);
  await call("POST", `/devices/${id}/test`);
  expect((await readDevice()).lastTest?.shownAt).toBeNull();

  await app.fromPhones({
    eventType: "TEXT_DELIVERED",
    destinationPhoneNumber: PHONE,
    messageRequestTimestamp: app.deps.now(),
    context: { receipt: findLastText().receipt },
  });

  expect((await readDevice()).lastTest?.shownAt).not.toBeNull();
});

it.each<[string, object | ((receipt: string) => object)]>([
  ["has a token that we have not made", { context: { receipt: "ws_1.usr_1.dev_1.ntf_1.99999999999.AAAA" } }],
  ["has a changed token", (receipt: string) => ({ context: { receipt: receipt.replace(/\.dev_/, ".dev_x") } })],
  ["is about a message to another number", { destinationPhoneNumber: "+4930888888" }],
  ["is about somebody else's message", { context: { account: "other" } }],
  ["has no context, and thus no token", { context: null }],
])("a report about a text message changes nothing if it %s", async (_, fields) => {
  const { says, status, receipt } = await sendAlert();
  const before = await readDevice();

  await says("TEXT_DELIVERED", typeof fields === "function" ? fields(receipt) : fields);
  await says("TEXT_INVALID", typeof fields === "function" ? fields(receipt) : fields);

  expect(await status()).toBe("SENT");
  expect(await readDevice()).toEqual(before);
  expect(app.queued()).toEqual({ Records: [] });
});

it("a report about a text message changes nothing after 25 hours", async () => {
  const { says, status } = await sendAlert();
  app.advance(25 * 3_600_000 + 1000);

  await says("TEXT_DELIVERED");

  expect(await status()).toBe("SENT");
});

it("a report that the carrier has a text message does not set the notification to DELIVERED", async () => {
  const { says, status } = await sendAlert();

  await says("TEXT_SUCCESSFUL");
  await says("TEXT_PENDING", { isFinal: false });

  expect(await status()).toBe("SENT");
  expect(Object.keys(smsFates)).not.toContain("TEXT_SUCCESSFUL");
});

it("a report of a lost text message is stored as the device's last failure, and changes nothing else", async () => {
  const { says, status } = await sendAlert();
  const before = await readDevice();

  await says("TEXT_UNREACHABLE");

  const after = await readDevice();
  expect(after).toEqual({ ...before, lastFailure: { at: expect.any(String), code: "TEXT_UNREACHABLE" } });
  await says("TEXT_UNREACHABLE");
  expect(await readDevice()).toEqual(after);
  expect(await status()).toBe("SENT");
});

it("a report of an invalid number marks the number as failing until a message arrives, and notifies the owner once", async () => {
  const notified = await countNotices();
  const first = await sendAlert();
  await first.says("TEXT_INVALID");
  await app.work();

  expect(await readDevice()).toMatchObject({ verified: true, failing: { code: "TEXT_INVALID" } });
  expect(app.pushed.map(({ notification }) => notification.title)).toContain("Alerts do not reach your phone number");
  const since = (await readDevice()).failing?.since;
  // The number is still tried, because a carrier's report alone must not stop notifications.
  const second = await sendAlert();
  expect(second.receipt).not.toBe(first.receipt);
  await second.says("TEXT_INVALID");
  await first.says("TEXT_INVALID");
  await app.work();
  expect((await readDevice()).failing?.since).toBe(since);
  expect(await countNotices()).toBe(notified + 1);

  const third = await sendAlert();
  app.advance(1000);
  await third.says("TEXT_DELIVERED");

  expect((await readDevice()).failing).toBeNull();
  await second.says("TEXT_INVALID");
  expect((await readDevice()).failing).toBeNull();
});

it("a report that an earlier text message was delivered does not end the failure of a later one", async () => {
  const first = await sendAlert();
  const second = await sendAlert();
  await second.says("TEXT_BLOCKED");
  expect((await readDevice()).failing).not.toBeNull();

  await first.says("TEXT_DELIVERED");

  expect(await first.status()).toBe("DELIVERED");
  expect((await readDevice()).failing).not.toBeNull();
});

it("a failing phone number is usable again only after a new verification code", async () => {
  expect((await readDevice()).failing).not.toBeNull();
  const readReachability = async () =>
    (await call<{ userId: string; reachable: string }[]>("GET", "/members")).body.find(
      ({ userId }) => userId === alice,
    );
  const count = listTexts().length;

  expect((await registerPhone()).status).toBe(200);
  expect(listTexts()).toHaveLength(count + 1);
  expect(await readDevice()).toMatchObject({ verified: true, failing: { code: "TEXT_BLOCKED" } });
  app.advance(1000);
  expect((await verifyPhone()).body).toMatchObject({ verified: true, failing: null });

  expect(await readReachability()).toMatchObject({ reachable: "proven" });
  expect((await registerPhone()).status).toBe(200);
  expect(listTexts()).toHaveLength(count + 1);
});

it("a report about a number that was removed or has replied STOP changes nothing", async () => {
  const { says, status } = await sendAlert();
  await app.reply(PHONE, "STOP");
  const before = await readDevice();

  await says("TEXT_DELIVERED");
  expect(await status()).toBe("SENT");
  expect(await readDevice()).toEqual(before);

  await call("DELETE", `/devices/${id}`);
  await says("TEXT_INVALID");
  expect(await status()).toBe("SENT");
});
