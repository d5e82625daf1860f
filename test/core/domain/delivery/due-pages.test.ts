import { describe, expect, it } from "vitest";
import type { DeviceId } from "../../../../core/domain/basics/ids.ts";
import {
  createNextAttempts,
  listEndPushes,
  computePackExpiry,
  expireUnsentAttempts,
  listChannelKeysToUpdate,
} from "../../../../core/domain/delivery/attempts.ts";
import type { DeviceAttempt, DeviceOutcome } from "../../../../core/domain/delivery/notification.ts";
import type { Pack } from "../../../../core/domain/delivery/pack.ts";
import type { Device } from "../../../../core/domain/device/device.ts";
import type { Channel } from "../../../../core/domain/device/channel.ts";
import { aPack, aRecipient, NOON } from "../support.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const device = (id: string, fields: Partial<Device> = {}): Device => ({
  id: id as DeviceId,
  platform: "ios",
  name: null,
  createdAt: "2026-11-01T00:00:00.000Z",
  registeredAt: "2026-11-01T00:00:00.000Z",
  ...fields,
});
const phone = device("app", { token: "token" });
const mail = device("mail", { email: "ann@acme.example" });
const text = device("text", { phone: "+4915112345678" });
const devicesOfAnn = (...devices: Device[]) => new Map([["usr_ann", devices]]);

const page = (minute: number, ...channels: Channel[]) => ({ at: NOON + minute * MINUTE, ways: channels });
const attempt = (outcome: DeviceOutcome, fields: Partial<DeviceAttempt> = {}): DeviceAttempt => ({
  outcome,
  tries: 1,
  unknowns: 0,
  ...fields,
});
/** A pack for Ann, who is paged in the app at once, by email after five minutes and by text after ten. */
const packOf = (recipient: Parameters<typeof aRecipient>[0], fields: Partial<Pack> = {}): Pack =>
  aPack({
    recipients: [
      aRecipient({
        status: "QUEUED",
        sentAt: undefined,
        rings: [page(0, "push"), page(5, "email"), page(10, "sms")],
        ...recipient,
      }),
    ],
    ...fields,
  });
const packAfter = (
  attempts: Record<string, DeviceAttempt>,
  minute: number,
  fields: Parameters<typeof packOf>[0] = {},
) => packOf({ status: "SENT", attempts, ...fields }, { rangAt: NOON + minute * MINUTE });
const nextAttempts = (pack: Pack, devices: Device[], minute: number, isPutOff = false) =>
  createNextAttempts(pack, devicesOfAnn(...devices), NOON + minute * MINUTE, isPutOff).get(0);

const all = [phone, mail, text];
const byMail = attempt("sending", { way: "email" });
const byText = attempt("sending", { way: "sms" });

describe("the attempts that are due for a page", () => {
  it("are those of the first notification step at the time of that step", () => {
    expect(nextAttempts(packOf({}), all, 0)).toEqual({ app: attempt("sending") });
    expect(nextAttempts(packOf({ rings: [page(1, "push")] }), all, 0)).toBeUndefined();
  });

  it("go, at the time of a later step, to that step's devices, but not to a device that already accepted a push", () => {
    const pack = packAfter({ app: attempt("accepted") }, 0);

    expect(nextAttempts(pack, all, 4)).toBeUndefined();
    expect(nextAttempts(pack, all, 5)).toEqual({ app: attempt("accepted"), mail: byMail });
    expect(nextAttempts(pack, all, 10)).toEqual({ app: attempt("accepted"), mail: byMail, text: byText });
  });

  it.each<[DeviceOutcome, "taken" | "tried"]>([
    ["accepted", "taken"],
    ["invalid", "tried"],
  ])('go again to a device whose first push has the result "%s"', (outcome, rang) => {
    const rings = [page(0, "push"), page(5, "push")];

    expect(nextAttempts(packAfter({ app: attempt(outcome) }, 0, { rings }), all, 5)).toEqual({
      app: attempt("sending", { rang }),
    });
  });

  it("include another attempt for a device that has not answered yet", () => {
    expect(nextAttempts(packAfter({ app: attempt("retry") }, 0), all, 1)).toEqual({
      app: attempt("sending", { tries: 2 }),
    });
    expect(nextAttempts(packAfter({ app: attempt("retry") }, 0), all, 5)).toEqual({
      app: attempt("sending", { tries: 2 }),
      mail: byMail,
    });
    expect(
      nextAttempts(packAfter({ app: attempt("accepted"), mail: attempt("retry", { way: "email" }) }, 5), all, 6),
    ).toEqual({
      app: attempt("accepted"),
      mail: attempt("sending", { way: "email", tries: 2 }),
    });
    expect(
      nextAttempts(packAfter({ app: attempt("retry") }, 0, { rings: [page(0, "push"), page(5, "push")] }), all, 5),
    ).toEqual({
      app: attempt("sending", { tries: 2 }),
    });
  });

  it("include those of a step that begins now, even while the retry of an earlier step is postponed", () => {
    const rings = [page(0, "push"), page(5, "push", "email")];

    expect(nextAttempts(packAfter({ app: attempt("retry") }, 0), all, 1, true)).toBeUndefined();
    expect(nextAttempts(packAfter({ app: attempt("retry") }, 0), all, 5, true)).toEqual({
      app: attempt("retry"),
      mail: byMail,
    });
    expect(nextAttempts(packAfter({ app: attempt("retry") }, 0, { rings }), all, 5, true)).toEqual({
      app: attempt("sending", { tries: 2 }),
      mail: byMail,
    });
  });

  it("are those of the next step that reaches a device, if the due step has no usable channel", () => {
    expect(nextAttempts(packOf({}), [text], 0)).toEqual({ text: byText });
    expect(nextAttempts(packOf({}), [mail, text], 0)).toEqual({ mail: byMail });
    expect(nextAttempts(packAfter({ mail: byMail }, 0), [mail, text], 10)).toMatchObject({ text: byText });
    expect(nextAttempts(packAfter({ app: attempt("accepted") }, 0), [phone, text], 5)).toEqual({
      app: attempt("accepted"),
      text: byText,
    });
  });

  it("include no phone call if the page is silent, unless the person has no other channel", () => {
    const voice = device("text", { phone: "+4915112345678", ways: ["voice"] });
    const rings = [page(0, "voice", "push")];
    const channelsFor = (quiet: "too_many" | undefined, ...devices: Device[]) =>
      Object.keys(nextAttempts(packOf({ rings, quiet }), devices, 0) ?? {});

    expect(channelsFor(undefined, voice, phone)).toEqual(["text.voice", "app"]);
    expect(channelsFor("too_many", voice, phone)).toEqual(["app"]);
    expect(channelsFor("too_many", voice)).toEqual(["text.voice"]);
  });

  it("are those of a later step that reaches a device, if no due step reaches one", () => {
    const rings = [page(0, "push"), page(5, "push"), page(10, "email"), page(15, "sms")];

    expect(nextAttempts(packOf({ rings }), [mail, text], 5)).toEqual({ mail: byMail });
    expect(nextAttempts(packAfter({ mail: attempt("retry", { way: "email" }) }, 0, { rings }), [mail], 1)).toEqual({
      mail: attempt("sending", { way: "email", tries: 2 }),
    });
  });

  it("leave out a device whose retry is postponed, and include the other devices", () => {
    const pack = packAfter({ app: attempt("retry"), mail: attempt("sending", { way: "email" }) }, 0);

    expect(nextAttempts(pack, [phone, mail, text], 10, true)).toEqual({
      app: attempt("retry"),
      mail: attempt("sending", { way: "email", tries: 2, unknowns: 1 }),
      text: byText,
    });
  });

  it("go to every device once, if no step reaches any device", () => {
    const rings = [page(0, "sms"), page(5, "sms")];

    expect(nextAttempts(packOf({ rings }), [phone, mail], 0)).toEqual({ app: attempt("sending"), mail: byMail });
    expect(nextAttempts(packAfter({ app: attempt("accepted") }, 0, { rings }), [phone, mail], 5)).toEqual({
      app: attempt("accepted"),
    });
  });

  it("end once somebody has acknowledged", () => {
    expect(
      nextAttempts(packAfter({ app: attempt("accepted") }, 0, { status: "ACKNOWLEDGED" }), all, 10),
    ).toBeUndefined();
  });

  it("continue after the notification was delivered or opened, because neither is an acknowledgement", () => {
    expect(nextAttempts(packAfter({ app: attempt("accepted") }, 0, { status: "OPENED" }), all, 5)).toMatchObject({
      mail: byMail,
    });
  });
});

describe("giving up on a due page", () => {
  it("does not affect a person whose first notification step is not due yet", () => {
    const countGivenUp = (recipient: Parameters<typeof packOf>[0]) =>
      expireUnsentAttempts(packOf(recipient), () => "expired", NOON).length;

    expect(countGivenUp({ rings: [page(5, "push")] })).toBe(0);
    expect(countGivenUp({ attempts: { app: attempt("retry") } })).toBe(1);
  });
});

describe("the pushes of a pack", () => {
  it.each<[string, Partial<Pack>, number]>([
    ["after 24 hours if the priority is LOW", { priority: "LOW" }, 24 * HOUR],
    ["after four hours if the priority is HIGH", { priority: "HIGH" }, 4 * HOUR],
    ["after one hour if the priority is URGENT", { priority: "URGENT" }, HOUR],
    [
      "an hour after the latest notification step that has begun if the priority is URGENT",
      { priority: "URGENT", rangAt: NOON + 5 * MINUTE },
      HOUR + 5 * MINUTE,
    ],
  ])("expire %s", (_when, fields, after) => {
    expect(computePackExpiry(packOf({}, fields))).toBe(NOON + after);
  });
});

describe("the silent push that reports the end of an event", () => {
  const attempts = {
    app: attempt("accepted"),
    mail: attempt("invalid"),
    text: attempt("unknown", { unknowns: 1 }),
    gone: attempt("accepted"),
    knows: attempt("accepted"),
  };
  const pack = packOf({ attempts }, { toldOver: ["knows"] });

  it("goes to devices that may have shown the event's push and have not been informed of its end", () => {
    expect(listChannelKeysToUpdate(pack)).toEqual(["app", "text", "gone"]);
    expect(listChannelKeysToUpdate(packOf({ attempts: undefined }))).toEqual([]);
  });

  it("goes neither to removed devices nor to devices that were registered after the event's push", () => {
    const calls = listEndPushes(pack, devicesOfAnn(phone, mail, text, device("knows"), device("new")));

    expect(calls.map(({ device: { id }, notificationId, before }) => [id, notificationId, before])).toEqual([
      ["app", "ntf_1", attempts.app],
      ["text", "ntf_1", attempts.text],
    ]);
    expect(listEndPushes(pack, new Map())).toEqual([]);
  });
});
