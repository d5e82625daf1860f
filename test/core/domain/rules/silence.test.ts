import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileSilence, findTimeFaults } from "../../../../core/domain/rules/silence.ts";
import { isWithinHours, createWallClock, zones } from "../../../support/wall-clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const [first, last] = [Date.UTC(2020, 0, 1), Date.UTC(2030, 0, 1)];
const years = Array.from({ length: 10 }, (_, index) => 2020 + index);
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const at = (iso: string): number => Date.parse(iso);
const once = { startsAt: "2026-11-21T22:00:00.000Z", endsAt: "2026-11-21T23:00:00.000Z", weekly: null };
const nights = { days: [...DAYS], from: "22:00", to: "02:00", timeZone: "Europe/Berlin" };

describe("a silence with one period", () => {
  test("is active from its start until just before its end", () => {
    const stateAt = compileSilence(once);

    expect(stateAt(at("2026-11-21T21:59:59.999Z"))).toEqual({ active: false, until: at(once.startsAt) });
    expect(stateAt(at("2026-11-21T22:00:00.000Z"))).toEqual({ active: true, until: at(once.endsAt) });
    expect(stateAt(at("2026-11-21T22:59:59.999Z")).active).toBe(true);
    expect(stateAt(at("2026-11-21T23:00:00.000Z"))).toEqual({ active: false, until: Infinity });
  });

  test("must end after it starts", () => {
    expect(findTimeFaults({ ...once, endsAt: null })).toMatchObject([{ field: "endsAt", code: "required" }]);
    expect(findTimeFaults({ ...once, endsAt: once.startsAt })).toMatchObject([{ field: "endsAt", code: "invalid" }]);
    expect(findTimeFaults({ ...once, endsAt: null, weekly: nights })).toEqual([]);
  });
});

describe("a weekly silence", () => {
  test("is active only in its weekly hours, and only from its start to its end", () => {
    const stateAt = compileSilence({
      startsAt: "2026-11-21T23:30:00.000Z",
      endsAt: "2026-11-23T22:00:00.000Z",
      weekly: nights,
    });

    expect(stateAt(at("2026-11-21T22:30:00Z"))).toEqual({ active: false, until: at("2026-11-21T23:30:00Z") });
    expect(stateAt(at("2026-11-21T23:30:00Z"))).toEqual({ active: true, until: at("2026-11-22T01:00:00Z") });
    expect(stateAt(at("2026-11-22T12:00:00Z"))).toEqual({ active: false, until: at("2026-11-22T21:00:00Z") });
    expect(stateAt(at("2026-11-23T21:30:00Z"))).toEqual({ active: true, until: at("2026-11-23T22:00:00Z") });
    expect(stateAt(at("2026-11-24T21:30:00Z"))).toEqual({ active: false, until: Infinity });
  });

  test("starts at the clock change if the clocks skip its start, and lasts through an hour that occurs twice", () => {
    const stateAt = compileSilence({
      startsAt: "2026-01-01T00:00:00.000Z",
      endsAt: null,
      weekly: { days: ["sun"], from: "02:30", to: "03:30", timeZone: "Europe/Berlin" },
    });

    // At 01:00 UTC, the clocks go from 02:00 to 03:00 on 29 March, and from 03:00 to 02:00 on 25 October.
    expect(stateAt(at("2026-03-29T00:59:59.999Z")).active).toBe(false);
    expect(stateAt(at("2026-03-29T01:00:00Z"))).toEqual({ active: true, until: at("2026-03-29T01:30:00Z") });
    expect(stateAt(at("2026-10-25T00:30:00Z"))).toEqual({ active: true, until: at("2026-10-25T02:30:00Z") });
  });

  const changes = new Map<string, number>();
  test.each(zones)("agrees with an independent calendar over ten years in %s", (timeZone) => {
    const clock = createWallClock(timeZone, first - 2 * DAY, last + 2 * DAY);
    const minutes = fc.integer({ min: 0, max: 1_439 });
    const formatMinute = (minute: number) => new Date(minute * MINUTE).toISOString().slice(11, 16);
    const change = fc.constantFrom(...clock.changes, first + DAY);
    const nearChange = fc
      .tuple(change, fc.integer({ min: -DAY, max: DAY }))
      .map(([ms, off]) => Math.min(last, Math.max(first, ms + off)));
    // Two random instants of every year, and as many around clock changes.
    const inYears = years.flatMap((year) => {
      const ofYear = fc.integer({ min: Date.UTC(year, 0, 1), max: Date.UTC(year + 1, 0, 1) - 1 });
      return [ofYear, ofYear];
    });
    const moments = fc.tuple(...inYears, ...inYears.map(() => nearChange));
    const hours = fc.record({
      days: fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 1 }),
      from: minutes,
      to: fc.oneof(minutes, fc.constant(1_440)),
    });
    const changing = clock.changes.flatMap((ms) => [ms - 1, ms, ms + 30 * MINUTE, ms + HOUR]);
    changes.set(timeZone, clock.changes.length);
    const lookedAt = new Set<number>();
    fc.assert(
      fc.property(hours, moments, ({ days, from, to }, chosen) => {
        const weekly = { days, from: formatMinute(from), to: to === 1_440 ? "24:00" : formatMinute(to), timeZone };
        const stateAt = compileSilence({ startsAt: new Date(first - DAY).toISOString(), endsAt: null, weekly });
        const isExpected = (ms: number): boolean => isWithinHours(clock, weekly, ms);
        const wrong = [...chosen, ...changing]
          .map((ms) => ({ ms, ...stateAt(ms) }))
          .filter(
            ({ ms, active, until }) => active !== isExpected(ms) || (until <= last && active !== isExpected(until - 1)),
          );
        for (const ms of chosen) lookedAt.add(new Date(ms).getUTCFullYear());
        expect(wrong).toEqual([]);
      }),
      { numRuns: Number(process.env["SILENCE_RUNS"] ?? 15) },
    );
    expect(years.filter((year) => !lookedAt.has(year))).toEqual([]);
  });

  test("is tested in 20 time zones, and at every clock change of ten years", () => {
    expect(changes.size).toBe(20);
    expect([...changes].filter(([, count]) => count === 0).map(([zone]) => zone)).toEqual([
      "UTC",
      "Europe/Moscow",
      "America/Sao_Paulo",
      "Asia/Kolkata",
      "Asia/Kathmandu",
      "Asia/Tokyo",
    ]);
    expect([...changes.values()].every((count) => count === 0 || count >= 14)).toBe(true);
  });
});
