import { expect, it } from "vitest";
import { isNightIn } from "../../../../../core/domain/basics/clock/night.ts";
import { respell } from "./support.ts";

it.each([
  ["UTC", "2026-03-02T21:59:59.999Z", false, "is not"],
  ["UTC", "2026-03-02T22:00:00Z", true, "is"],
  ["UTC", "2026-03-03T00:00:00Z", true, "is"],
  ["UTC", "2026-03-03T06:59:59.999Z", true, "is"],
  ["UTC", "2026-03-03T07:00:00Z", false, "is not"],
  ["Europe/Berlin", "2026-07-02T19:59:59Z", false, "is not"],
  ["Europe/Berlin", "2026-07-02T20:00:00Z", true, "is"],
  ["America/New_York", "2026-01-02T03:00:00Z", true, "is"],
  ["America/New_York", "2026-01-02T12:00:00Z", false, "is not"],
  ["Asia/Kolkata", "2026-01-02T01:29:59Z", true, "is"],
  ["Asia/Kolkata", "2026-01-02T01:30:00Z", false, "is not"],
])("in the time zone %s, the instant %s $3 at night", (zone, time, is) => {
  expect(isNightIn(respell(zone), Date.parse(time))).toBe(is);
});
