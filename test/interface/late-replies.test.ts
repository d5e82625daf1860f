import { beforeEach, expect, it } from "vitest";
import { joinSmsText } from "../../core/domain/delivery/push/sms.ts";
import { startFurnished } from "../support/furnished.ts";
import { type Device, textsOf } from "./contacts.ts";

/* Replies by text message that waited in the dead-letter queue, and are processed after other alerts had the same digit. */

const PHONE = "+4930777777";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const { app, ask: call, send } = await startFurnished();

const last = () => joinSmsText(textsOf(app).at(-1)!);
const { id } = (await call<Device>("POST", "/devices", { phone: PHONE, ways: ["sms"] })).body;
const verify = () => call<Device>("POST", `/devices/${id}/verify`, { code: last().slice(0, 6) });
await verify();

const post = async (title: string): Promise<string> => {
  const eventId = await send({ event: "disk.full", title, body: "2 % left" });
  await app.work();
  return eventId;
};
const stateOf = async (eventId: string) => (await call<{ state: string }>("GET", `/events/${eventId}`)).body.state;
const resolve = async (eventId: string) => {
  await call("POST", `/events/${eventId}/resolve`, {});
  await app.work();
};
const digitIn = () => /Reply (\d) to acknowledge$/.exec(last())?.[1] ?? "";

/** Posts events until one has the digit. */
const nextWith = async (digit: string, title: string): Promise<string> => {
  for (;;) {
    const eventId = await post(title);
    if (digitIn() === digit) return eventId;
    await resolve(eventId);
  }
};

beforeEach(() => app.advance(49 * HOUR));

it("a late text message reply acknowledges no newer alert, the answer says so, and repeating the reply acknowledges the newer alert", async () => {
  const first = await post("First");
  const digit = digitIn();
  app.advance(MINUTE);
  const answeredAt = app.deps.now();
  app.advance(48 * HOUR);
  const second = await nextWith(digit, "Second");

  await app.reply(PHONE, digit, { at: answeredAt });

  expect(await stateOf(second)).toBe("open");
  expect(await stateOf(first)).toBe("open");
  expect(last()).toBe(`Your reply arrived late and acknowledged nothing. Reply ${digit} again to acknowledge: Second`);
  await app.reply(PHONE, digit);
  expect(await stateOf(second)).toBe("acknowledged");
});

it("a text message reply counts as late if it was sent a second before the alert, but not if it was sent at the same moment", async () => {
  const before = app.deps.now();
  app.advance(1000);
  const eventId = await post("Soon");
  const digit = digitIn();
  const now = app.deps.now();

  await app.reply(PHONE, digit, { at: before });
  expect(await stateOf(eventId)).toBe("open");
  await app.reply(PHONE, digit, { at: now });
  expect(await stateOf(eventId)).toBe("acknowledged");
});

it("a late text message reply still acknowledges its own alert, even if a newer alert has been given the same digit", async () => {
  const first = await post("First");
  const digit = digitIn();
  app.advance(MINUTE);
  const answeredAt = app.deps.now();
  app.advance(HOUR);
  const second = await nextWith(digit, "Second");

  await app.reply(PHONE, digit, { at: answeredAt });

  expect(await stateOf(first)).toBe("acknowledged");
  expect(await stateOf(second)).toBe("open");
});

it("a text message reply acknowledges nothing if it was sent after the event, but before the number was notified of it", async () => {
  const steps = [
    { afterMinutes: 0, ways: ["push"] },
    { afterMinutes: 10, ways: ["sms"] },
  ];
  const rules = { rungs: { LOW: [], NORMAL: steps, HIGH: [], URGENT: [] }, quietHours: null };
  expect((await call("PUT", "/notification-rules", rules)).status).toBe(200);
  const eventId = await post("By rungs");
  app.advance(5 * MINUTE);
  const answeredAt = app.deps.now();
  app.advance(6 * MINUTE);
  await app.escalate();
  const digit = digitIn();
  expect(last()).toContain("By rungs");

  await app.reply(PHONE, digit, { at: answeredAt });
  expect(await stateOf(eventId)).toBe("open");
  await app.reply(PHONE, digit);
  expect(await stateOf(eventId)).toBe("acknowledged");
});

it("a STOP reply that was sent before a number was verified does not stop the number", async () => {
  const stoppedAt = app.deps.now();
  await app.reply(PHONE, "STOP");
  await app.work();
  app.advance(HOUR);
  await call("POST", "/devices", { phone: PHONE, ways: ["sms"] });
  await verify();
  const verified = async () => (await call<Device[]>("GET", "/devices")).body.find((one) => one.id === id)?.verified;

  await app.reply(PHONE, "STOP", { at: stoppedAt });
  expect(await verified()).toBe(true);
  await app.reply(PHONE, "STOP");
  expect(await verified()).toBe(false);
});
