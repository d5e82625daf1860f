import { describe, expect, test } from "vitest";
import { isTimeZone, getZone } from "../../../../../core/domain/basics/clock/zone.ts";
import { at } from "../../on-call/support.ts";
import { respell } from "./support.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Returns a local time in milliseconds, as if it were UTC. */
const localTime = (text: string) => at(`${text}Z`);

describe("the UTC offset", () => {
  test.each([
    ["UTC", "2026-07-01T00:00:00Z", 0],
    ["Europe/Berlin", "2026-03-29T00:59:59.999Z", HOUR],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", 2 * HOUR],
    ["Europe/Berlin", "2026-10-25T00:59:59.999Z", 2 * HOUR],
    ["Europe/Berlin", "2026-10-25T01:00:00Z", HOUR],
    ["America/New_York", "2026-03-08T06:59:59.999Z", -5 * HOUR],
    ["America/New_York", "2026-03-08T07:00:00Z", -4 * HOUR],
    ["Asia/Kolkata", "2026-03-08T07:00:00Z", 5.5 * HOUR],
    ["America/St_Johns", "2026-01-08T07:00:00Z", -3.5 * HOUR],
    ["Australia/Lord_Howe", "2026-04-04T15:00:00Z", 10.5 * HOUR],
    ["Africa/Monrovia", "1971-06-01T00:00:00Z", -(44 * MINUTE + 30_000)],
    ["Pacific/Apia", "2011-12-30T09:59:59.999Z", -10 * HOUR],
    ["Pacific/Apia", "2011-12-30T10:00:00Z", 14 * HOUR],
  ])("of %s at %s is %d ms", (name, time, offset) => {
    expect(getZone(respell(name)).offsetAt(at(time))).toBe(offset);
  });
});

describe("the first instant with a given local time", () => {
  test.each([
    ["Europe/Berlin", "2026-03-02T09:00:00", "2026-03-02T08:00:00Z"],
    ["Europe/Berlin", "2026-07-02T09:00:00", "2026-07-02T07:00:00Z"],
    // A time that the clock change skips.
    ["Europe/Berlin", "2026-03-29T01:59:59", "2026-03-29T00:59:59Z"],
    ["Europe/Berlin", "2026-03-29T02:00:00", "2026-03-29T01:00:00Z"],
    ["Europe/Berlin", "2026-03-29T02:59:59", "2026-03-29T01:00:00Z"],
    ["Europe/Berlin", "2026-03-29T03:00:00", "2026-03-29T01:00:00Z"],
    ["America/New_York", "2026-03-08T02:30:00", "2026-03-08T07:00:00Z"],
    ["Pacific/Apia", "2011-12-30T12:00:00", "2011-12-30T10:00:00Z"],
    // A time that occurs twice.
    ["Europe/Berlin", "2026-10-25T02:00:00", "2026-10-25T00:00:00Z"],
    ["Europe/Berlin", "2026-10-25T02:59:59", "2026-10-25T00:59:59Z"],
    ["Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T02:00:00Z"],
    ["America/New_York", "2026-11-01T01:30:00", "2026-11-01T05:30:00Z"],
  ])("in %s, at %s, is %s", (name, local, instant) => {
    expect(getZone(respell(name)).instantOf(localTime(local))).toBe(at(instant));
  });

  test("is the instant of the clock change if the change skips that local time (tested at every hour of four days)", () => {
    // The clocks of Berlin go forward on the last Sunday of March.
    const berlin = getZone(respell("Europe/Berlin"));
    for (let year = 1985; year < 2030; year += 1) {
      const last = new Date(Date.UTC(year, 2, 31));
      const change = Date.UTC(year, 2, 31 - last.getUTCDay(), 1);

      expect(berlin.instantOf(change + 90 * MINUTE)).toBe(change);
    }
  });
});

test("a time zone must be an IANA name and not an offset", () => {
  const names = ["Europe/Berlin", "UTC", "Mars/Olympus", "+01:00", "", `A${"a".repeat(64)}`];

  expect(names.map((name) => isTimeZone(name))).toEqual([true, true, false, false, false, false]);
});

test("the computed UTC offsets are cached, for up to sixty-four time zones", () => {
  const paris = getZone("Europe/Paris");
  expect(getZone("Europe/Paris")).toBe(paris);

  for (let count = 0; count < 64; count += 1) getZone(respell("Europe/Amsterdam"));

  expect(getZone("Europe/Paris")).not.toBe(paris);
});
