import { expect, it } from "vitest";
import { smsFates } from "../../core/domain/delivery/push/delivery-event.ts";
import { startFurnished } from "../support/furnished.ts";
import { alice } from "../support/people.ts";
import { type Device, textsOf } from "./contacts.ts";

const PHONE = "+4930777777";

const { app, ask: call, send } = await startFurnished();

const texts = () => textsOf(app);
const lastText = () => texts().at(-1)!;
const code = () => lastText().notification.title.slice(0, 6);
const register = () => call<Device>("POST", "/devices", { phone: PHONE, ways: ["sms"] });
const { id } = (await register()).body;
const verify = () => call<Device>("POST", `/devices/${id}/verify`, { code: code() });
await verify();

const device = async (): Promise<Device> => {
  const found = (await call<Device[]>("GET", "/devices")).body.find((one) => one.id === id);
  if (found === undefined) throw new Error("the number is gone");
  return found;
};
const notices = async () => (await call<{ total: number }>("GET", "/events?eventKey=service.device")).body.total;

/** Sends an alert by text message; returns functions for its later reports and the state of the notification. */
const alert = async () => {
  app.advance(60_000);
  const eventId = await send({ event: "disk.full", title: "Disk full", body: "2 % left" });
  await app.work();
  const { receipt = "", phone } = lastText();
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

it("a report of a delivered text message sets the notification to DELIVERED and proves that the number works, once", async () => {
  const { says, status } = await alert();
  expect(await status()).toBe("SENT");
  app.advance(5000);

  await says("TEXT_DELIVERED");

  expect(await status()).toBe("DELIVERED");
  const first = (await device()).lastDeliveredAt;
  expect(Date.parse(first ?? "")).toBe(app.deps.now());
  app.advance(5000);
  await says("TEXT_DELIVERED");
  expect((await device()).lastDeliveredAt).toBe(first);
});

it("a report of a delivered text message confirms a device test, like an app that shows the test's push", async () => {
  app.advance(60_000);
  await call("POST", `/devices/${id}/test`);
  expect((await device()).lastTest?.shownAt).toBeNull();

  await app.fromPhones({
    eventType: "TEXT_DELIVERED",
    destinationPhoneNumber: PHONE,
    messageRequestTimestamp: app.deps.now(),
    context: { receipt: lastText().receipt },
  });

  expect((await device()).lastTest?.shownAt).not.toBeNull();
});

it.each<[string, object | ((receipt: string) => object)]>([
  ["of a token that we have not made", { context: { receipt: "ws_1.usr_1.dev_1.ntf_1.99999999999.AAAA" } }],
  ["of a token that was changed", (receipt: string) => ({ context: { receipt: receipt.replace(/\.dev_/, ".dev_x") } })],
  ["of a message to another number", { destinationPhoneNumber: "+4930888888" }],
  ["of somebody else's message", { context: { account: "other" } }],
  ["without a context", { context: null }],
])("a report about a text message changes nothing if it is %s", async (_, fields) => {
  const { says, status, receipt } = await alert();
  const before = await device();

  await says("TEXT_DELIVERED", typeof fields === "function" ? fields(receipt) : fields);
  await says("TEXT_INVALID", typeof fields === "function" ? fields(receipt) : fields);

  expect(await status()).toBe("SENT");
  expect(await device()).toEqual(before);
  expect(app.queued()).toEqual({ Records: [] });
});

it("a report about a text message changes nothing after 25 hours", async () => {
  const { says, status } = await alert();
  app.advance(25 * 3_600_000 + 1000);

  await says("TEXT_DELIVERED");

  expect(await status()).toBe("SENT");
});

it("a report that the carrier has a text message does not count as delivered to the phone", async () => {
  const { says, status } = await alert();

  await says("TEXT_SUCCESSFUL");
  await says("TEXT_PENDING", { isFinal: false });

  expect(await status()).toBe("SENT");
  expect(Object.keys(smsFates)).not.toContain("TEXT_SUCCESSFUL");
});

it("a report of a lost text message is stored as the device's last failure, and changes nothing else", async () => {
  const { says, status } = await alert();
  const before = await device();

  await says("TEXT_UNREACHABLE");

  const after = await device();
  expect(after).toEqual({ ...before, lastFailure: { at: expect.any(String), code: "TEXT_UNREACHABLE" } });
  await says("TEXT_UNREACHABLE");
  expect(await device()).toEqual(after);
  expect(await status()).toBe("SENT");
});

it("a report that a number is invalid marks it as failing and notifies its owner once, until a message arrives", async () => {
  const notified = await notices();
  const first = await alert();
  await first.says("TEXT_INVALID");
  await app.work();

  expect(await device()).toMatchObject({ verified: true, failing: { code: "TEXT_INVALID" } });
  expect(app.pushed.map(({ notification }) => notification.title)).toContain("Alerts do not reach your phone number");
  const since = (await device()).failing?.since;
  // The number is still tried, because a carrier's report alone must not stop notifications.
  const second = await alert();
  expect(second.receipt).not.toBe(first.receipt);
  await second.says("TEXT_INVALID");
  await first.says("TEXT_INVALID");
  await app.work();
  expect((await device()).failing?.since).toBe(since);
  expect(await notices()).toBe(notified + 1);

  const third = await alert();
  app.advance(1000);
  await third.says("TEXT_DELIVERED");

  expect((await device()).failing).toBeNull();
  await second.says("TEXT_INVALID");
  expect((await device()).failing).toBeNull();
});

it("a report about an earlier text message does not end a failure", async () => {
  const first = await alert();
  const second = await alert();
  await second.says("TEXT_BLOCKED");
  expect((await device()).failing).not.toBeNull();

  await first.says("TEXT_DELIVERED");

  expect(await first.status()).toBe("DELIVERED");
  expect((await device()).failing).not.toBeNull();
});

it("a failing phone number is usable again only after a new verification code", async () => {
  expect((await device()).failing).not.toBeNull();
  const person = async () =>
    (await call<{ userId: string; reachable: string }[]>("GET", "/members")).body.find(
      ({ userId }) => userId === alice,
    );
  const count = texts().length;

  expect((await register()).status).toBe(200);
  expect(texts()).toHaveLength(count + 1);
  expect(await device()).toMatchObject({ verified: true, failing: { code: "TEXT_BLOCKED" } });
  app.advance(1000);
  expect((await verify()).body).toMatchObject({ verified: true, failing: null });

  expect(await person()).toMatchObject({ reachable: "proven" });
  expect((await register()).status).toBe(200);
  expect(texts()).toHaveLength(count + 1);
});

it("a report about a number that was removed or has replied STOP changes nothing", async () => {
  const { says, status } = await alert();
  await app.reply(PHONE, "STOP");
  const before = await device();

  await says("TEXT_DELIVERED");
  expect(await status()).toBe("SENT");
  expect(await device()).toEqual(before);

  await call("DELETE", `/devices/${id}`);
  await says("TEXT_INVALID");
  expect(await status()).toBe("SENT");
});
