import { describe, expect, it } from "vitest";
import {
  computeEmptyBucketTat,
  computeMaxAdmittedTat,
  computeRateStatus,
  computeRetryAfterSeconds,
  computeEventIntervalMicros,
} from "../../../../core/domain/workspace/rate-limit.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const plan = { monthlyEvents: 1_000, eventsPerMinute: 300, burst: 100, retentionDays: 400 };

const bucketAfter = (events: number, eventsPerMinute = 300) => {
  const own = { ...plan, eventsPerMinute };
  return { plan: own, tat: NOW * 1_000 + events * computeEventIntervalMicros(own) };
};

describe("the rate limit of a plan", () => {
  it.each([
    [300, 200_000],
    [1, 60_000_000],
    [7, 8_571_429],
  ])("of %i events a minute allows one event every %i microseconds", (eventsPerMinute, micros) => {
    expect(computeEventIntervalMicros({ ...plan, eventsPerMinute })).toBe(micros);
  });
});

describe("the token bucket of a rate limit", () => {
  it("fills up, after it was emptied, in the time in which the rate allows one burst", () => {
    expect(computeEmptyBucketTat(plan, NOW)).toBe(NOW * 1_000 + 20_000_000);
  });

  it("is full before the first event", () => {
    expect(computeRateStatus({ plan, tat: 0 }, NOW)).toEqual({
      burst: 100,
      remaining: 100,
      resetSeconds: 0,
      windowSeconds: 20,
    });
  });

  it.each([7, 70, 300, 700, 900])("has one token fewer after one event, at %i events a minute", (eventsPerMinute) => {
    expect(computeRateStatus(bucketAfter(1, eventsPerMinute), NOW).remaining).toBe(99);
  });

  it("is empty after a burst, and allows the next event one interval later", () => {
    expect(computeRateStatus(bucketAfter(100), NOW)).toEqual({
      burst: 100,
      remaining: 0,
      resetSeconds: 20,
      windowSeconds: 20,
    });
    expect(bucketAfter(99).tat).toBe(computeMaxAdmittedTat(plan, NOW));
    expect(computeRetryAfterSeconds(bucketAfter(100, 6), NOW)).toBe(10);
    expect(computeRetryAfterSeconds(bucketAfter(100), NOW)).toBe(1);
  });
});
