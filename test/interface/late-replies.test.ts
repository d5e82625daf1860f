import { beforeEach, expect, it } from "vitest";
import { joinSmsText } from "../../core/domain/delivery/push/sms.ts";
import { startFilled } from "../support/filled-app.ts";
import { type Device, textsOf } from "./contacts.ts";

/* Replies that waited in the dead-letter queue are processed after a newer alert got the same digit to reply with. */

const PHONE = "+4930777777";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const { app, ask: call, send } = await startFilled();

const readLastText = () => joinSmsText(textsOf(app).at(-1)!);
const { id } = (await call<Device>("POST", "/devices", { phone: PHONE, ways: ["sms"] })).body;
const verifyPhone = () => call<Device>("POST", `/devices/${id}/verify`, { code: readLastText().slice(0, 6) });
await verifyPhone();

const postAlert = async (title: string): Promise<string> => {
  const eventId = await send({ event: "disk.full", title, body: "2 % left" });
  await app.work();
  return eventId;
};
const readState = async (eventId: string) => (await call<{ state: string }>("GET", `/events/${eventId}`)).body.state;
const resolveEvent = async (eventId: string) => {
  await call("POST", `/events/${eventId}/resolve`, {});
  await app.work();
};
const readLastDigit = () => /Reply (\d) to acknowledge$/.exec(readLastText())?.[1] ?? "";

const postUntilDigit = async (digit: string, title: string): Promise<string> => {
  for (;;) {
    const eventId = await postAlert(title);
    if (readLastDigit() === digit) return eventId;
    await resolveEvent(eventId);
  }
};

beforeEach(() => app.advance(49 * HOUR));

it("a late text message reply does not acknowledge a newer alert, and the answer asks to repeat the reply", async () => {
  const first = await postAlert("First");
  const digit = readLastDigit();
  app.advance(MINUTE);
  const answeredAt = app.deps.now();
  app.advance(48 * HOUR);
  const second = await postUntilDigit(digit, "Second");

  await app.reply(PHONE, digit, { at: answeredAt });

  expect(await readState(second)).toBe("open");
  expect(await readState(first)).toBe("open");
  expect(readLastText()).toBe(
    `Your reply arrived late and acknowledged nothing. Reply ${digit} again to acknowledge: Second`,
  );
  await app.reply(PHONE, digit);
  expect(await readState(second)).toBe("acknowledged");
});

it("a text message reply counts as late if it was sent a second before the alert, but not if it was sent at the same moment", async () => {
  const before = app.deps.now();
  app.advance(1000);
  const eventId = await postAlert("Soon");
  const digit = readLastDigit();
  const now = app.deps.now();

  await app.reply(PHONE, digit, { at: before });
  expect(await readState(eventId)).toBe("open");
  await app.reply(PHONE, digit, { at: now });
  expect(await readState(eventId)).toBe("acknowledged");
});

it("a late text message reply still acknowledges its own alert, even if a newer alert has the same reply digit", async () => {
  const first = await postAlert("First");
  const digit = readLastDigit();
  app.advance(MINUTE);
  const answeredAt = app.deps.now();
  app.advance(HOUR);
  const second = await postUntilDigit(digit, "Second");

  await app.reply(PHONE, digit, { at: answeredAt });

  expect(await readState(first)).toBe("acknowledged");
  expect(await readState(second)).toBe("open");
});

it("a text message reply acknowledges nothing if it was sent after the event, but before the number was notified of the event", async () => {
  const steps = [
    { afterMinutes: 0, ways: ["push"] },
    { afterMinutes: 10, ways: ["sms"] },
  ];
  const rules = { rungs: { LOW: [], NORMAL: steps, HIGH: [], URGENT: [] }, quietHours: null };
  expect((await call("PUT", "/notification-rules", rules)).status).toBe(200);
  const eventId = await postAlert("By rungs");
  app.advance(5 * MINUTE);
  const answeredAt = app.deps.now();
  app.advance(6 * MINUTE);
  await app.escalate();
  const digit = readLastDigit();
  expect(readLastText()).toContain("By rungs");

  await app.reply(PHONE, digit, { at: answeredAt });
  expect(await readState(eventId)).toBe("open");
  await app.reply(PHONE, digit);
  expect(await readState(eventId)).toBe("acknowledged");
});

it("a STOP reply that was sent before a number was verified does not stop the number", async () => {
  const stoppedAt = app.deps.now();
  await app.reply(PHONE, "STOP");
  await app.work();
  app.advance(HOUR);
  await call("POST", "/devices", { phone: PHONE, ways: ["sms"] });
  await verifyPhone();
  const readVerified = async () =>
    (await call<Device[]>("GET", "/devices")).body.find((one) => one.id === id)?.verified;

  await app.reply(PHONE, "STOP", { at: stoppedAt });
  expect(await readVerified()).toBe(true);
  await app.reply(PHONE, "STOP");
  expect(await readVerified()).toBe(false);
});
