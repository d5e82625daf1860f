import { expect, it } from "vitest";
import { isNightIn } from "../../../../../core/domain/basics/clock/night.ts";
import { respell } from "./support.ts";

it.each([
  ["UTC", "2026-03-02T21:59:59.999Z", false],
  ["UTC", "2026-03-02T22:00:00Z", true],
  ["UTC", "2026-03-03T00:00:00Z", true],
  ["UTC", "2026-03-03T06:59:59.999Z", true],
  ["UTC", "2026-03-03T07:00:00Z", false],
  ["Europe/Berlin", "2026-07-02T19:59:59Z", false],
  ["Europe/Berlin", "2026-07-02T20:00:00Z", true],
  ["America/New_York", "2026-01-02T03:00:00Z", true],
  ["America/New_York", "2026-01-02T12:00:00Z", false],
  ["Asia/Kolkata", "2026-01-02T01:29:59Z", true],
  ["Asia/Kolkata", "2026-01-02T01:30:00Z", false],
])("in the time zone %s, %s is at night: %j", (zone, time, is) => {
  expect(isNightIn(respell(zone), Date.parse(time))).toBe(is);
});
