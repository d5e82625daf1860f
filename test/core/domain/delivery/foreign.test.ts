import { describe, expect, it } from "vitest";
import type { DeviceId } from "../../../../core/domain/basics/ids.ts";
import type { Call } from "../../../../core/domain/delivery/attempts.ts";
import { interpretAnswers } from "../../../../core/domain/delivery/foreign.ts";
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

const call = (device: Device, answer: PushOutcome | undefined, refusals = 0): Call => ({
  position: 0,
  key: device.id,
  way: undefined,
  device,
  before: { outcome: "sending", tries: 9, unknowns: 0, refusals },
  answer,
});
const accepted: PushOutcome = { kind: "accepted", messageId: "m" };
const foreignOutcome = (proven: boolean): PushOutcome => ({ kind: "foreign", code: "SENDER", proven });
const authOutcome = (code: string): PushOutcome => ({ kind: "auth", code });

const answerOf = (
  firstCall: Call,
  otherCalls: readonly Call[] = [],
  earlierOutcomes: readonly [Device, DeviceOutcome][] = [],
) => {
  const attempts = Object.fromEntries(
    earlierOutcomes.map(([{ id }, outcome]) => [id, { outcome, tries: 1, unknowns: 0 }]),
  );
  const pack = aPack({ recipients: [aRecipient({ status: "QUEUED", attempts }), aRecipient({ userId: "usr_bob" })] });
  const devices = new Map([["usr_ann", [firstCall.device, ...earlierOutcomes.map(([device]) => device)]]]);
  return interpretAnswers(pack, devices, [firstCall, ...otherCalls])[0]?.answer;
};

const phone = aDevice("a");
const browser = aDevice("w", MOZILLA);

describe("a refused push to a device that is registered with another FCM sender", () => {
  it.each<[string, Call, Call[], [Device, DeviceOutcome][], PushOutcome]>([
    ["against the service if no push was accepted", call(phone, foreignOutcome(false)), [], [], authOutcome("SENDER")],
    [
      "against the device if the refusal proves that the device is the cause",
      call(phone, foreignOutcome(true)),
      [],
      [],
      foreignOutcome(true),
    ],
    [
      "against the device if it was already known to have another sender",
      call(aDevice("a", undefined, known), foreignOutcome(false)),
      [],
      [],
      foreignOutcome(false),
    ],
    [
      "against the device if another phone accepted a push",
      call(phone, foreignOutcome(false)),
      [call(aDevice("b"), accepted)],
      [],
      foreignOutcome(false),
    ],
    [
      "against the service if only a browser accepted a push",
      call(phone, foreignOutcome(false)),
      [call(browser, accepted)],
      [],
      authOutcome("SENDER"),
    ],
    [
      "against the service if another device has not answered",
      call(phone, foreignOutcome(false)),
      [call(aDevice("b"), undefined)],
      [],
      authOutcome("SENDER"),
    ],
    [
      "against the device if another phone accepted an earlier push",
      call(phone, foreignOutcome(false)),
      [],
      [[aDevice("b"), "accepted"]],
      foreignOutcome(false),
    ],
    [
      "against the service if an earlier push to another device failed",
      call(phone, foreignOutcome(false)),
      [],
      [[aDevice("b"), "invalid"]],
      authOutcome("SENDER"),
    ],
    [
      "against a browser if another browser accepted a push",
      call(browser, foreignOutcome(false)),
      [call(aDevice("x", GOOGLE), accepted)],
      [],
      foreignOutcome(false),
    ],
  ])("counts %s", (_what, first, others, before, answer) => {
    expect(answerOf(first, others, before)).toEqual(answer);
  });
});

describe("a push refusal, which the service's signature or the browser may have caused,", () => {
  const unclear = authOutcome("HTTP_403");
  const taken = [call(aDevice("x", MOZILLA), accepted)];
  const proven = { kind: "foreign", code: "HTTP_403", proven: true };

  it.each<[string, Call, Call[], object]>([
    [
      "against the browser after five refusals, if its push service accepted another push",
      call(browser, unclear, 4),
      taken,
      proven,
    ],
    [
      "against neither browser nor service before five refusals, and is retried",
      call(browser, unclear, 3),
      taken,
      unclear,
    ],
    [
      "against neither browser nor service if no push was accepted, and is retried",
      call(browser, unclear, 4),
      [],
      unclear,
    ],
    [
      "against neither browser nor service if only another push service accepted a push, and is retried",
      call(browser, unclear, 4),
      [call(aDevice("x", GOOGLE), accepted)],
      unclear,
    ],
    [
      "against neither browser nor service if only FCM accepted a push, and is retried",
      call(browser, unclear, 4),
      [call(phone, accepted)],
      unclear,
    ],
    ["against the browser if an earlier refusal did", call(aDevice("w", MOZILLA, known), unclear), [], proven],
    ["against the service if the code is VAPID", call(browser, authOutcome("VAPID"), 4), taken, authOutcome("VAPID")],
    ["against the service if the device is a phone", call(phone, unclear, 4), [call(aDevice("b"), accepted)], unclear],
    [
      "against neither browser nor service if the push service reported another error",
      call(browser, { kind: "retry", code: "HTTP_500" }, 4),
      taken,
      { kind: "retry", code: "HTTP_500" },
    ],
  ])("counts %s", (_what, first, others, answer) => {
    expect(answerOf(first, others)).toEqual(answer);
  });
});

it("a push without an answer does not count as refused, even if another browser accepted a push", () => {
  expect(answerOf(call(browser, undefined, 4), [call(aDevice("x", MOZILLA), accepted)])).toBeUndefined();
});
