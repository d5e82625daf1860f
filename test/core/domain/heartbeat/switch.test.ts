import { describe, expect, it } from "vitest";
import type { Device } from "../../../../core/domain/device/device.ts";
import {
  formatRoundId,
  isRoundTimely,
  parseRoundId,
  findRoundsAt,
  toSwitchView,
  type Switch,
} from "../../../../core/domain/heartbeat/switch.ts";

const MINUTE = 60_000;
const SET = Date.UTC(2026, 10, 23, 12, 1);
const stored: Switch = { url: "https://a.example", everyMinutes: 5, deviceId: "dev_1", userId: "usr_1", setAt: SET };
const at = (minutes: number) => SET + minutes * MINUTE;
const created = "2026-11-23T12:00:00.000Z";
const devices: Device[] = [{ id: "dev_1", platform: "web", name: null, createdAt: created, registeredAt: created }];

describe("a round of calls by a dead man's switch", () => {
  it.each([
    [0, 0, 5],
    [4.999, 0, 5],
    [5, 5, 10],
    [31, 30, 35],
  ])(
    "begins every five minutes: at minute %s, the round of minute %s has begun, and the round of minute %s is next",
    (now, round, next) => {
      expect(findRoundsAt(stored, at(now))).toEqual({ round: at(round), next: at(next) });
    },
  );

  it.each([
    ["does not call the URL if it began before the switch was set", -1, 0, false],
    ["calls the URL if it began when the switch was set", 0, 0, true],
    ["calls the URL if it began two intervals ago", 5, 15, true],
    ["does not call the URL if it began more than two intervals ago", 5, 15.001, false],
  ])("%s", (_name, round, now, expected) => {
    expect(isRoundTimely(stored, at(round), at(now))).toBe(expected);
  });

  it("has an id that cannot be that of a probe or a notification", () => {
    expect(formatRoundId(1_795_435_200_000)).toBe("swi_1795435200000");
    expect([parseRoundId("swi_1795435200000"), parseRoundId("prb_1795435200000")]).toEqual([
      1_795_435_200_000,
      undefined,
    ]);
  });
});

describe("the warnings of a dead man's switch", () => {
  it.each<[string, Partial<Switch>, Device[], number, string[]]>([
    ["nothing for a new switch", {}, devices, 10, []],
    ["stopped calls if there was no call in the first two intervals", {}, devices, 10.001, ["calls_stopped"]],
    ["nothing if there was a call in the last two intervals", { answeredAt: at(20) }, devices, 30, []],
    [
      "stopped calls if the last call was more than two intervals ago",
      { answeredAt: at(20) },
      devices,
      30.001,
      ["calls_stopped"],
    ],
    ["a removed device", {}, [], 1, ["device_removed"]],
  ])("report %s", (_name, fields, found, now, codes) => {
    const { warnings } = toSwitchView({ ...stored, ...fields }, found, at(now));
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });
});
