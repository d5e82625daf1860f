import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  mayBePastRetention,
  mayNotificationBePastRetention,
  computePreviousDay,
  computeFirstShownTime,
  isKeptAfterSnooze,
  computeDeletableTime,
  computeNotificationRetentionEdge,
  computeLastPastDay,
  changeRetention,
  type Retention,
} from "../../../../core/domain/workspace/retention.ts";

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const at = (iso: string) => Date.parse(iso);

describe("the oldest day that retention keeps", () => {
  it("begins at 00:00 UTC, and notifications are kept for a week longer than events", () => {
    expect(computeFirstShownTime({ days: 31 }, NOON)).toBe(at("2026-10-21T00:00:00Z"));
    expect(computeNotificationRetentionEdge({ days: 31 }, NOON)).toBe(at("2026-10-14T00:00:00Z"));
    expect(["2026-11-21", "2026-03-01", "2027-01-01"].map(computePreviousDay)).toEqual([
      "2026-11-20",
      "2026-02-28",
      "2026-12-31",
    ]);
  });

  it("lies as many days back as the usage plan keeps, and the day before is past retention", () => {
    expect(computeLastPastDay({ days: 31 }, NOON)).toBe("2026-10-20");
    expect(computeLastPastDay({ days: 400 }, NOON)).toBe("2025-10-16");
    expect(computeLastPastDay({ days: 31 }, at("2026-11-22T00:00:00Z"))).toBe("2026-10-21");
  });

  it("moves at once when a plan keeps events for fewer days", () => {
    expect(computeLastPastDay(changeRetention({ days: 400 }, 31, NOON), NOON)).toBe("2026-10-20");
  });

  it.each<[string, Retention, number, Retention]>([
    ["of the same number of days does not move", { days: 31 }, 31, { days: 31 }],
    ["of fewer days moves at once", { days: 400 }, 31, { days: 31 }],
    ["of more days moves after a week", { days: 31 }, 400, { days: 400, before: { days: 31, till: NOON + 7 * DAY } }],
    [
      "of fewer days does not bring back what an earlier plan deleted",
      { days: 400, before: { days: 31, till: NOON } },
      100,
      { days: 100, before: { days: 31, till: NOON } },
    ],
    [
      "of more days does not bring back what an earlier plan deleted",
      { days: 400, before: { days: 31, till: NOON - 400 * DAY + 1 } },
      900,
      { days: 900, before: { days: 31, till: NOON + 7 * DAY } },
    ],
    [
      "of more days ignores an earlier plan that ended longer ago than events are kept",
      { days: 400, before: { days: 31, till: NOON - 400 * DAY } },
      900,
      { days: 900, before: { days: 400, till: NOON + 7 * DAY } },
    ],
  ])("under a new usage plan %s", (_, retention, days, then) => {
    expect(changeRetention(retention, days, NOON)).toEqual(then);
  });

  it("stays the same for a while after a change to a usage plan of more days", () => {
    const longer = changeRetention({ days: 31 }, 400, NOON);

    expect(computeLastPastDay(longer, NOON)).toBe("2026-10-20");
    expect(computeLastPastDay(longer, NOON + 30 * DAY)).toBe("2026-11-19");
    expect(computeLastPastDay(longer, NOON + 38 * DAY)).toBe("2026-11-27");
    expect(computeLastPastDay(longer, NOON + 390 * DAY)).toBe("2026-11-27");
    expect(computeLastPastDay(longer, NOON + 410 * DAY)).toBe("2026-11-30");
  });

  it("never moves to an earlier day, and events of later days are not yet deleted, however the usage plan changes", () => {
    const step = fc.record({ pause: fc.integer({ min: 0, max: 300 }), days: fc.integer({ min: 31, max: 900 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        let retention: Retention = { days: 400 };
        let now = NOON;
        let edge = "";
        const events: { day: string; kept: number }[] = [];
        for (const { pause, days } of [...steps, { pause: 900, days: 31 }]) {
          for (let left = pause; left >= 0; left -= 3) {
            const next = computeLastPastDay(retention, now);
            expect(next >= edge).toBe(true);
            edge = next;
            // An event of a day after `edge` must not be deletable yet.
            const time = now;
            expect(events.find(({ day, kept }) => day > edge && kept * 1000 <= time)).toBeUndefined();
            events.push({
              day: new Date(now).toISOString().slice(0, 10),
              kept: computeDeletableTime(now, retention.days),
            });
            now += 3 * DAY;
          }
          retention = changeRetention(retention, days, now);
        }
      }),
      { seed: 3, numRuns: 40 },
    );
  });
});

it("retention keeps the data that belong to an event for a week longer than the event", () => {
  expect(computeDeletableTime(at("2026-11-21T00:00:00Z"), 31)).toBe(at("2026-12-30T00:00:00Z") / 1000);
  expect(computeDeletableTime(at("2026-11-21T23:59:59Z"), 31)).toBe(at("2026-12-30T00:00:00Z") / 1000);
});

it("an event of less than 31 days is never past retention, nor is a notification of less than a day", () => {
  expect([30, 31].map((days) => mayBePastRetention(NOON, NOON + days * DAY))).toEqual([false, true]);
  expect([0.5, 1].map((days) => mayNotificationBePastRetention(NOON, NOON + days * DAY))).toEqual([false, true]);
});

it("a snooze must end before retention removes the event, unless the event is kept for ever", () => {
  const kept = computeDeletableTime(NOON, 31);

  expect(isKeptAfterSnooze(NOON + 28 * DAY, kept)).toBe(true);
  expect(isKeptAfterSnooze(NOON + 30 * DAY, kept)).toBe(false);
  const last = kept * 1000 - 10 * DAY;
  expect([last, last + 1].map((until) => isKeptAfterSnooze(until, kept))).toEqual([true, false]);
  expect(isKeptAfterSnooze(NOON + 1000 * DAY, undefined)).toBe(true);
});
