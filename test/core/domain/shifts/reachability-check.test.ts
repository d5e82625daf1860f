import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { Device } from "../../../../core/domain/device/device.ts";
import type { OnCallSchedule, Turn } from "../../../../core/domain/on-call/index.ts";
import {
  beginReachabilityCheck,
  comingShifts,
  isConfirmed,
  isProven,
  nextReachabilityCheck,
  ProveShifts,
  stepOf,
  type ReachabilityCheck,
} from "../../../../core/domain/shifts/reachability-check.ts";

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);
const iso = (ms: number) => new Date(ms).toISOString();

/** Turns of an hour each, the first from 09:00 on. */
const hourly = (...participants: Turn[]): OnCallSchedule => ({
  timeZone: "UTC",
  layers: [{ start: "2026-11-23T09:00", every: 1, unit: "hour", participants }],
});
const override = (userId: string, start: string, end: string) => ({
  id: `ovr_${userId}`,
  userId,
  start: iso(at(start)),
  end: iso(at(end)),
});

it.each<[unknown, boolean]>([
  [null, true],
  [{ minutesBefore: 10 }, true],
  [{ minutesBefore: 1_440 }, true],
  [{ minutesBefore: 9 }, false],
  [{ minutesBefore: 1_441 }, false],
  [{ minutesBefore: 10.5 }, false],
  [{ minutesBefore: 60, ways: [] }, false],
  [{}, false],
  [60, false],
])("the reachability check before shifts may have the setting %j: %s", (value, good) => {
  expect(v.is(ProveShifts, value)).toBe(good);
});

describe("a shift that is checked in advance", () => {
  const coming = (schedule: OnCallSchedule, from: string, to: string, overrides: ReturnType<typeof override>[] = []) =>
    comingShifts("grp_ops", { schedule, overrides }, { from: at(from), to: at(to) }).map(
      ({ groupId, userId, start, before }) => `${groupId} ${iso(start).slice(11, 16)} ${userId} after ${before.join()}`,
    );

  it.each<[string, Turn[], string, string, string[]]>([
    ["is of each who takes over", ["ann", "bob"], "09:30", "11:30", ["10:00 bob after ann", "11:00 ann after bob"]],
    ["is none of who is on call already", ["ann", "bob"], "09:30", "09:59", []],
    ["may begin at the end of the time", ["ann", "bob"], "09:30", "10:00", ["10:00 bob after ann"]],
    ["does not begin at the beginning of the time", ["ann", "bob"], "10:00", "10:30", []],
    ["may follow nobody", ["ann", []], "10:30", "11:00", ["11:00 ann after "]],
    ["is the first of a schedule", ["ann", "bob"], "08:00", "09:00", ["09:00 ann after "]],
    ["is none where somebody stays", ["ann", ["bob", "ann"]], "09:30", "11:30", ["10:00 bob after ann"]],
    ["is none where people only leave", [["ann", "bob"], "ann"], "09:30", "10:30", []],
    [
      "is of all who come at once",
      ["ann", ["bob", "cat"]],
      "09:30",
      "10:30",
      ["10:00 bob after ann", "10:00 cat after ann"],
    ],
    ["follows all who leave", [["ann", "bob"], "cat"], "09:30", "10:30", ["10:00 cat after ann,bob"]],
    ["is none of the same person's next turn", ["ann", "ann"], "09:30", "11:30", []],
  ])("%s", (_, turns, from, to, shifts) => {
    expect(coming(hourly(...turns), from, to)).toEqual(shifts.map((shift) => `grp_ops ${shift}`));
  });

  it("may also be that of a person who comes on call by an override, or who returns after it", () => {
    expect(coming(hourly("ann"), "09:00", "12:00", [override("bob", "09:20", "09:50")])).toEqual([
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
const phone = (...ways: ("sms" | "voice")[]) => device({ phone: "+4930123456", ways, verifiedAt });

describe("a reachability check", () => {
  const shift = { groupId: "grp_ops", userId: "ann", start: at("09:00"), before: ["bob"] };

  it.each<[string, Device[], string[]]>([
    ["no device", [], []],
    ["an app", [app], ["push", "push"]],
    ["an app that can confirm nothing", [device({ token: "t" })], []],
    ["one app of two that can", [device({ token: "t" }), app], ["push", "push"]],
    ["mail", [mail], ["email"]],
    ["mail that is not verified", [device({ email: "ann@acme.example" })], []],
    ["a number for messages", [phone("sms")], ["sms"]],
    ["a number for calls", [phone("voice")], ["voice"]],
    ["everything, twice", [phone("voice", "sms"), mail, app, mail, app], ["push", "push", "sms", "email", "voice"]],
  ])("tries the silent channels first with %s", (_, devices, ways) => {
    expect(beginReachabilityCheck(shift, devices, at("08:00"))).toEqual({
      ...shift,
      since: at("08:00"),
      ways,
      asked: 0,
    });
  });

  it.each<[string, Device[], boolean]>([
    ["nothing", [], false],
    ["a device of which nothing is known", [app], false],
    ["a device that has confirmed nothing", [{ ...app, lastDeliveredAt: null }], false],
    ["what was confirmed before", [{ ...app, lastDeliveredAt: "2026-11-23T07:59:59.999Z" }], false],
    [
      "what is confirmed at the moment at which it begins",
      [{ ...app, lastDeliveredAt: "2026-11-23T08:00:00.000Z" }],
      true,
    ],
    ["one device of several", [app, { ...mail, lastDeliveredAt: "2026-11-23T08:10:00.000Z" }], true],
    [
      "an address that is nobody's",
      [device({ email: "ann@acme.example", lastDeliveredAt: "2026-11-23T08:10:00.000Z" })],
      false,
    ],
  ])("is not passed without an answer: %s", (_, devices, confirmed) => {
    expect(isConfirmed(devices, at("08:00"))).toBe(confirmed);
  });
});

/** A check for a shift at 09:00 with two channels: tried at 08:00 and 08:20, and ending at 08:40. */
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
    ["the first way is tried at once", {}, [app], "08:00:00", { kind: "try", way: "push" }],
    ["the next one is not tried before its time", { asked: 1 }, [app], "08:19:59.999", waits],
    ["the next one is tried when its time has come", { asked: 1 }, [app], "08:20:00", { kind: "try", way: "sms" }],
    ["the last one has its time as well", { asked: 2 }, [app], "08:39:59.999", waits],
    ["then it is told", { asked: 2 }, [app], "08:40:00", { kind: "tell" }],
    ["it is told once", notified, [app], "08:41:00", waits],
    ["who is proven is asked nothing more", proven, confirmed, "08:30:00", waits],
    ["what is confirmed proves", { asked: 1 }, confirmed, "08:10:00", { kind: "proven" }],
    ["what is confirmed proves also when it was told", notified, confirmed, "09:30:00", { kind: "proven" }],
    ["who has no way is told of at once", { ways: [] }, [], "08:00:00", { kind: "tell" }],
    ["a shift that has begun leaves no time", { since: at("09:00"), asked: 2 }, [], "09:00:00", { kind: "tell" }],
    [
      "a shift that began before leaves none either",
      { since: at("09:10"), asked: 1 },
      [],
      "09:10:00",
      { kind: "try", way: "sms" },
    ],
  ])("is decided: %s", (_, fields, devices, now, step) => {
    expect(stepOf(aCheck(fields), devices, at(now))).toEqual(step);
  });
});

describe("reachability checks are repeated", () => {
  const NOW = at("07:02:30");
  const handover = hourly("ann", "bob");
  const never: OnCallSchedule = { timeZone: "UTC", layers: [] };

  it.each<[string, Parameters<typeof nextReachabilityCheck>[1], number, string]>([
    ["every five minutes", [], NOW, "07:05:00"],
    ["after a whole five minutes in the next ones", [], at("07:05:00"), "07:10:00"],
    ["as often where nobody comes on call", [{ schedule: never, overrides: [] }], NOW, "07:05:00"],
    [
      "so long before a shift as is asked for",
      [
        { schedule: never, overrides: [] },
        { schedule: handover, overrides: [] },
      ],
      at("07:56:00"),
      "08:00:00",
    ],
    [
      "before the first of several",
      [
        { schedule: handover, overrides: [] },
        { schedule: never, overrides: [override("cat", "08:58", "10:00")] },
      ],
      at("07:56:00"),
      "07:58:00",
    ],
    [
      "for a shift that comes after this look alone",
      [{ schedule: handover, overrides: [] }],
      at("08:00:00"),
      "08:05:00",
    ],
  ])("%s", (_, schedules, now, next) => {
    expect(iso(nextReachabilityCheck([], schedules, 60, now))).toBe(iso(at(next)));
  });

  it.each<[string, ReachabilityCheck[], string]>([
    ["one that is under way", [aCheck({ provenAt: 1 }), aCheck()], "07:03:00"],
    ["one that is proven", [aCheck({ provenAt: 1 })], "07:05:00"],
    ["one that was told of", [aCheck({ toldAt: 1 })], "07:05:00"],
    ["one that was proven when it was told of", [aCheck({ provenAt: 1, toldAt: 1 })], "07:05:00"],
  ])("each minute while channels are tried, but not for %s alone", (_, checks, next) => {
    expect(iso(nextReachabilityCheck(checks, [], 60, NOW))).toBe(iso(at(next)));
  });
});

describe("the confirmation of the person on call", () => {
  const asked = { groupId: "grp_ops", userId: "ann", at: at("09:00") };

  it.each<[string, Partial<ReachabilityCheck>[], boolean | null]>([
    ["is not known where nothing was asked", [], null],
    ["is not known before it is told", [{}], null],
    ["is so with a proof", [{ provenAt: 5 }], true],
    ["is so also with one that came late", [{ provenAt: 5, toldAt: 4 }], true],
    ["is not so where it was told", [{ toldAt: 4 }], false],
    ["is not said by another group's proof", [{ groupId: "grp_lead", provenAt: 5 }], null],
    ["is not said by another person's proof", [{ userId: "bob", provenAt: 5 }], null],
    ["is not said by a later shift", [{ start: at("09:00") + 1, provenAt: 5 }], null],
    [
      "is said by the last shift that has begun",
      [{ provenAt: 5, start: at("07:00") }, { toldAt: 4 }, { start: at("10:00") }],
      false,
    ],
    [
      "is said by that of this group and this person",
      [{ toldAt: 4 }, { groupId: "grp_lead", provenAt: 5 }, { userId: "bob", provenAt: 5 }],
      false,
    ],
  ])("%s", (_, checks, expected) => {
    expect(isProven(checks.map(aCheck), asked)).toBe(expected);
  });
});
