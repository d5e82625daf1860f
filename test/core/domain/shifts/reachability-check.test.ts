import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { Device } from "../../../../core/domain/device/device.ts";
import type { OnCallSchedule, Turn } from "../../../../core/domain/on-call/index.ts";
import {
  createReachabilityCheck,
  listComingShifts,
  hasConfirmedSince,
  wasReachabilityConfirmed,
  computeNextReachabilityCheckTime,
  ProveShifts,
  decideNextCheckStep,
  type ReachabilityCheck,
} from "../../../../core/domain/shifts/reachability-check.ts";

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);
const iso = (ms: number) => new Date(ms).toISOString();

/** A schedule with turns of an hour each, from 09:00. */
const hourlySchedule = (...participants: Turn[]): OnCallSchedule => ({
  timeZone: "UTC",
  layers: [{ start: "2026-11-23T09:00", every: 1, unit: "hour", participants }],
});
const override = (userId: string, start: string, end: string) => ({
  id: `ovr_${userId}`,
  userId,
  start: iso(at(start)),
  end: iso(at(end)),
});

it.each<[string, unknown, boolean]>([
  ["may be null", null, true],
  ["may be 10 minutes", { minutesBefore: 10 }, true],
  ["may be 1,440 minutes", { minutesBefore: 1_440 }, true],
  ["may not be 9 minutes", { minutesBefore: 9 }, false],
  ["may not be 1,441 minutes", { minutesBefore: 1_441 }, false],
  ["may not be 10.5 minutes", { minutesBefore: 10.5 }, false],
  ["may not have an unknown field", { minutesBefore: 60, ways: [] }, false],
  ["may not be an object without minutes", {}, false],
  ["may not be a number instead of an object", 60, false],
])("the setting of the reachability check before shifts %s", (_, value, good) => {
  expect(v.is(ProveShifts, value)).toBe(good);
});

describe("a shift that is checked in advance", () => {
  const comingShifts = (
    schedule: OnCallSchedule,
    from: string,
    to: string,
    overrides: ReturnType<typeof override>[] = [],
  ) =>
    listComingShifts("grp_ops", { schedule, overrides }, { from: at(from), to: at(to) }).map(
      ({ groupId, userId, start, before }) => `${groupId} ${iso(start).slice(11, 16)} ${userId} after ${before.join()}`,
    );

  it.each<[string, Turn[], string, string, string[]]>([
    [
      "is that of each person who comes on call",
      ["ann", "bob"],
      "09:30",
      "11:30",
      ["10:00 bob after ann", "11:00 ann after bob"],
    ],
    ["is not that of a person who is already on call", ["ann", "bob"], "09:30", "09:59", []],
    ["may begin at the end of the period", ["ann", "bob"], "09:30", "10:00", ["10:00 bob after ann"]],
    ["does not begin at the start of the period", ["ann", "bob"], "10:00", "10:30", []],
    ["may follow a time with nobody on call", ["ann", []], "10:30", "11:00", ["11:00 ann after "]],
    ["may be the first of a schedule", ["ann", "bob"], "08:00", "09:00", ["09:00 ann after "]],
    ["is not that of a person who stays on call", ["ann", ["bob", "ann"]], "09:30", "11:30", ["10:00 bob after ann"]],
    ["does not exist if people only go off call", [["ann", "bob"], "ann"], "09:30", "10:30", []],
    [
      "is that of each person who comes on call at the same time",
      ["ann", ["bob", "cat"]],
      "09:30",
      "10:30",
      ["10:00 bob after ann", "10:00 cat after ann"],
    ],
    ["names all people who go off call", [["ann", "bob"], "cat"], "09:30", "10:30", ["10:00 cat after ann,bob"]],
    ["is not the next turn of the same person", ["ann", "ann"], "09:30", "11:30", []],
  ])("%s", (_, turns, from, to, shifts) => {
    expect(comingShifts(hourlySchedule(...turns), from, to)).toEqual(shifts.map((shift) => `grp_ops ${shift}`));
  });

  it("may be the shift of an override, or the rest of a shift after an override", () => {
    expect(comingShifts(hourlySchedule("ann"), "09:00", "12:00", [override("bob", "09:20", "09:50")])).toEqual([
      "grp_ops 09:20 bob after ann",
      "grp_ops 09:50 ann after bob",
    ]);
  });
});

const device = (fields: Partial<Device>): Device => ({
  id: "dev_1",
  platform: "web",
  name: null,
  createdAt: iso(at("06:00")),
  registeredAt: iso(at("06:00")),
  ...fields,
});
const app = device({ token: "t", receiptKey: "key" });
const verifiedAt = iso(at("07:00"));
const mail = device({ email: "ann@acme.example", verifiedAt });
const phone = (...channels: ("sms" | "voice")[]) => device({ phone: "+4930123456", ways: channels, verifiedAt });

describe("a reachability check", () => {
  const shift = { groupId: "grp_ops", userId: "ann", start: at("09:00"), before: ["bob"] };

  it.each<[string, Device[], string[]]>([
    ["no device", [], []],
    ["an app", [app], ["push", "push"]],
    ["an app that cannot confirm", [device({ token: "t" })], []],
    ["two apps, one of which can confirm", [device({ token: "t" }), app], ["push", "push"]],
    ["an email address", [mail], ["email"]],
    ["an unverified email address", [device({ email: "ann@acme.example" })], []],
    ["a phone number for text messages", [phone("sms")], ["sms"]],
    ["a phone number for calls", [phone("voice")], ["voice"]],
    ["every channel, twice", [phone("voice", "sms"), mail, app, mail, app], ["push", "push", "sms", "email", "voice"]],
  ])("tries silent channels before loud channels, for a person with %s", (_, devices, ways) => {
    expect(createReachabilityCheck(shift, devices, at("08:00"))).toEqual({
      ...shift,
      since: at("08:00"),
      ways,
      asked: 0,
    });
  });

  it.each<[string, Device[], boolean]>([
    ["not passed without a device", [], false],
    ["not passed with a device without a stored confirmation", [app], false],
    ["not passed with a device that has confirmed nothing", [{ ...app, lastDeliveredAt: null }], false],
    [
      "not passed with a confirmation from before the check",
      [{ ...app, lastDeliveredAt: "2026-11-23T07:59:59.999Z" }],
      false,
    ],
    [
      "passed with a confirmation at the moment at which the check begins",
      [{ ...app, lastDeliveredAt: "2026-11-23T08:00:00.000Z" }],
      true,
    ],
    [
      "passed with a confirmation by one of several devices",
      [app, { ...mail, lastDeliveredAt: "2026-11-23T08:10:00.000Z" }],
      true,
    ],
    [
      "not passed with a confirmation by an unverified address",
      [device({ email: "ann@acme.example", lastDeliveredAt: "2026-11-23T08:10:00.000Z" })],
      false,
    ],
  ])("is %s", (_, devices, confirmed) => {
    expect(hasConfirmedSince(devices, at("08:00"))).toBe(confirmed);
  });
});

/** A check for a shift at 09:00, which tries one channel at 08:00 and another at 08:20, and ends at 08:40. */
const aCheck = (fields: Partial<ReachabilityCheck> = {}): ReachabilityCheck => ({
  groupId: "grp_ops",
  userId: "ann",
  start: at("09:00"),
  before: ["bob"],
  since: at("08:00"),
  ways: ["push", "sms"],
  asked: 0,
  ...fields,
});

describe("the next step of a reachability check", () => {
  const waits = { kind: "wait" };
  const proven = { provenAt: at("08:05") };
  const notified = { asked: 2, toldAt: at("08:40") };
  const confirmed: Device[] = [{ ...app, lastDeliveredAt: iso(at("08:05")) }];

  it.each<[string, Partial<ReachabilityCheck>, Device[], string, object]>([
    ["the first channel is tried at once", {}, [app], "08:00:00", { kind: "try", way: "push" }],
    ["the next channel is not tried before its time", { asked: 1 }, [app], "08:19:59.999", waits],
    ["the next channel is tried when its time has come", { asked: 1 }, [app], "08:20:00", { kind: "try", way: "sms" }],
    ["after the last channel, the check waits", { asked: 2 }, [app], "08:39:59.999", waits],
    ["after the last channel, the failed check is reported", { asked: 2 }, [app], "08:40:00", { kind: "tell" }],
    ["the failed check is reported once", notified, [app], "08:41:00", waits],
    ["a person who has passed is not asked again", proven, confirmed, "08:30:00", waits],
    ["a confirmation passes the check", { asked: 1 }, confirmed, "08:10:00", { kind: "proven" }],
    [
      "a confirmation passes the check even after it was reported as failed",
      notified,
      confirmed,
      "09:30:00",
      { kind: "proven" },
    ],
    ["a person without channels is reported at once", { ways: [] }, [], "08:00:00", { kind: "tell" }],
    [
      "a check that is not passed is reported when the shift begins",
      { since: at("09:00"), asked: 2 },
      [],
      "09:00:00",
      { kind: "tell" },
    ],
    [
      "a check after the shift began tries the next channel without waiting",
      { since: at("09:10"), asked: 1 },
      [],
      "09:10:00",
      { kind: "try", way: "sms" },
    ],
  ])("is chosen by the time and the confirmations: %s", (_, fields, devices, now, step) => {
    expect(decideNextCheckStep(aCheck(fields), devices, at(now))).toEqual(step);
  });
});

describe("the reachability checks of a workspace run", () => {
  const NOW = at("07:02:30");
  const handover = hourlySchedule("ann", "bob");
  const never: OnCallSchedule = { timeZone: "UTC", layers: [] };

  it.each<[string, Parameters<typeof computeNextReachabilityCheckTime>[1], number, string]>([
    ["every five minutes", [], NOW, "07:05:00"],
    ["at the next full five minutes", [], at("07:05:00"), "07:10:00"],
    ["every five minutes if nobody comes on call", [{ schedule: never, overrides: [] }], NOW, "07:05:00"],
    [
      "at the requested time before a shift",
      [
        { schedule: never, overrides: [] },
        { schedule: handover, overrides: [] },
      ],
      at("07:56:00"),
      "08:00:00",
    ],
    [
      "before the first of several shifts",
      [
        { schedule: handover, overrides: [] },
        { schedule: never, overrides: [override("cat", "08:58", "10:00")] },
      ],
      at("07:56:00"),
      "07:58:00",
    ],
    [
      "not again for a shift that the check at this time covers",
      [{ schedule: handover, overrides: [] }],
      at("08:00:00"),
      "08:05:00",
    ],
  ])("%s", (_, schedules, now, next) => {
    expect(iso(computeNextReachabilityCheckTime([], schedules, 60, now))).toBe(iso(at(next)));
  });

  it.each<[string, ReachabilityCheck[], string]>([
    ["a check under way", [aCheck({ provenAt: 1 }), aCheck()], "07:03:00"],
    ["a check that was confirmed", [aCheck({ provenAt: 1 })], "07:05:00"],
    ["a check whose failure was reported", [aCheck({ toldAt: 1 })], "07:05:00"],
    ["a check that was confirmed after its failure was reported", [aCheck({ provenAt: 1, toldAt: 1 })], "07:05:00"],
  ])("each minute while a check is open, and otherwise every five minutes; example: %s", (_, checks, next) => {
    expect(iso(computeNextReachabilityCheckTime(checks, [], 60, NOW))).toBe(iso(at(next)));
  });
});

describe("the answer whether the person on call confirmed a check", () => {
  const asked = { groupId: "grp_ops", userId: "ann", at: at("09:00") };

  it.each<[string, Partial<ReachabilityCheck>[], boolean | null]>([
    ["is unknown without a check", [], null],
    ["is unknown before the check is passed or reported", [{}], null],
    ["is yes if the check was passed", [{ provenAt: 5 }], true],
    ["is yes if the check was passed after it was reported", [{ provenAt: 5, toldAt: 4 }], true],
    ["is no if the failed check was reported", [{ toldAt: 4 }], false],
    ["does not depend on checks of another group", [{ groupId: "grp_lead", provenAt: 5 }], null],
    ["does not depend on checks of another person", [{ userId: "bob", provenAt: 5 }], null],
    ["does not depend on checks of a later shift", [{ start: at("09:00") + 1, provenAt: 5 }], null],
    [
      "depends on the last shift that has begun",
      [{ provenAt: 5, start: at("07:00") }, { toldAt: 4 }, { start: at("10:00") }],
      false,
    ],
    [
      "depends only on the checks of the group and the person",
      [{ toldAt: 4 }, { groupId: "grp_lead", provenAt: 5 }, { userId: "bob", provenAt: 5 }],
      false,
    ],
  ])("%s", (_, checks, expected) => {
    expect(wasReachabilityConfirmed(checks.map(aCheck), asked)).toBe(expected);
  });
});
