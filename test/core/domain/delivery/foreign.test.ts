import { describe, expect, it } from "vitest";
import type { DeviceId } from "../../../../core/domain/basics/ids.ts";
import type { Call } from "../../../../core/domain/delivery/attempts.ts";
import { judged } from "../../../../core/domain/delivery/foreign.ts";
import type { DeviceOutcome } from "../../../../core/domain/delivery/notification.ts";
import type { PushOutcome } from "../../../../core/domain/delivery/push/outcome.ts";
import type { Device } from "../../../../core/domain/device/device.ts";
import { aPack, aRecipient } from "../support.ts";

const aDevice = (id: string, host?: string, fields: Partial<Device> = {}): Device => ({
  id: id as DeviceId,
  token: `token of ${id}`,
  platform: host === undefined ? "ios" : "web",
  name: null,
  createdAt: "2026-11-01T00:00:00.000Z",
  registeredAt: "2026-11-01T00:00:00.000Z",
  ...(host === undefined
    ? {}
    : { subscription: { endpoint: `https://${host}/${id}`, keys: { p256dh: "p", auth: "a" } } }),
  ...fields,
});
const MOZILLA = "updates.push.services.mozilla.com";
const GOOGLE = "fcm.googleapis.com";
const known = { foreignSince: "2026-11-20T00:00:00.000Z" };

const call = (device: Device, answer: PushOutcome | undefined, tries = 1): Call => ({
  position: 0,
  key: device.id,
  way: undefined,
  device,
  before: { outcome: "sending", tries, unknowns: 0 },
  answer,
});
const accepted: PushOutcome = { kind: "accepted", messageId: "m" };
const foreign = (proven: boolean): PushOutcome => ({ kind: "foreign", code: "SENDER", proven });
const auth = (code: string): PushOutcome => ({ kind: "auth", code });

/** The outcome of the first call, given the other devices' calls and earlier attempts. */
const answerOf = (first: Call, others: readonly Call[] = [], before: readonly [Device, DeviceOutcome][] = []) => {
  const attempts = Object.fromEntries(before.map(([{ id }, outcome]) => [id, { outcome, tries: 1, unknowns: 0 }]));
  const pack = aPack({ recipients: [aRecipient({ status: "QUEUED", attempts }), aRecipient({ userId: "usr_bob" })] });
  const devices = new Map([["usr_ann", [first.device, ...before.map(([device]) => device)]]]);
  return judged(pack, devices, [first, ...others])[0]?.answer;
};

const phone = aDevice("a");
const browser = aDevice("w", MOZILLA);

describe("a refusal of a device's push by a service that may have accepted the pushes of others", () => {
  it.each<[string, Call, Call[], [Device, DeviceOutcome][], PushOutcome]>([
    ["is our fault where nothing was taken", call(phone, foreign(false)), [], [], auth("SENDER")],
    ["is the device's where it is proven", call(phone, foreign(true)), [], [], foreign(true)],
    [
      "is the device's where it was known before",
      call(aDevice("a", undefined, known), foreign(false)),
      [],
      [],
      foreign(false),
    ],
    [
      "is the device's where another phone's was taken",
      call(phone, foreign(false)),
      [call(aDevice("b"), accepted)],
      [],
      foreign(false),
    ],
    [
      "is our fault where only a browser's was taken",
      call(phone, foreign(false)),
      [call(browser, accepted)],
      [],
      auth("SENDER"),
    ],
    [
      "is our fault where another has no answer",
      call(phone, foreign(false)),
      [call(aDevice("b"), undefined)],
      [],
      auth("SENDER"),
    ],
    [
      "is the device's where another took it before",
      call(phone, foreign(false)),
      [],
      [[aDevice("b"), "accepted"]],
      foreign(false),
    ],
    [
      "is our fault where another failed before",
      call(phone, foreign(false)),
      [],
      [[aDevice("b"), "invalid"]],
      auth("SENDER"),
    ],
    [
      "of a browser is its own where another browser's was taken",
      call(browser, foreign(false)),
      [call(aDevice("x", GOOGLE), accepted)],
      [],
      foreign(false),
    ],
  ])("counts against the service or the device: it %s", (_what, first, others, before, answer) => {
    expect(answerOf(first, others, before)).toEqual(answer);
  });
});

describe("a refusal of a browser's push that may be caused by our signature", () => {
  const unclear = auth("HTTP_403");
  const taken = [call(aDevice("x", MOZILLA), accepted)];
  const proven = { kind: "foreign", code: "HTTP_403", proven: true };

  it.each<[string, Call, Call[], object]>([
    ["is the device's after five tries, where its service took another's", call(browser, unclear, 5), taken, proven],
    ["is tried again before that", call(browser, unclear, 4), taken, unclear],
    ["is tried again where nothing was taken", call(browser, unclear, 5), [], unclear],
    [
      "is tried again where another service took one",
      call(browser, unclear, 5),
      [call(aDevice("x", GOOGLE), accepted)],
      unclear,
    ],
    ["is tried again where only FCM took one", call(browser, unclear, 5), [call(phone, accepted)], unclear],
    ["is the device's at once where that was known", call(aDevice("w", MOZILLA, known), unclear, 1), [], proven],
    ["is ours where the code is no answer of the service", call(browser, auth("VAPID"), 5), taken, auth("VAPID")],
    ["is ours for a phone", call(phone, unclear, 5), [call(aDevice("b"), accepted)], unclear],
    [
      "is nothing else",
      call(browser, { kind: "retry", code: "HTTP_500" }, 5),
      taken,
      { kind: "retry", code: "HTTP_500" },
    ],
  ])("counts against the service or the browser: it %s", (_what, first, others, answer) => {
    expect(answerOf(first, others)).toEqual(answer);
  });
});

it("a push attempt without an answer stays unchanged", () => {
  expect(answerOf(call(browser, undefined, 5), [call(aDevice("x", MOZILLA), accepted)])).toBeUndefined();
});
