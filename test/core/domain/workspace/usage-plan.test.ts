import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { formatUtcMonth, computeEndOfMonth, toUsage, UsagePlan } from "../../../../core/domain/workspace/usage-plan.ts";

describe("the request body for a usage plan", () => {
  const plan = { monthlyEvents: 1_000, eventsPerMinute: 300, burst: 10, retentionDays: 400 };

  it.each(["monthlyEvents", "eventsPerMinute", "burst"])("must have a whole number of at least 1 as %s", (what) => {
    expect(v.is(UsagePlan, { ...plan, [what]: 1 })).toBe(true);
    expect(v.is(UsagePlan, { ...plan, [what]: 0 })).toBe(false);
    expect(v.is(UsagePlan, { ...plan, [what]: 1.5 })).toBe(false);
  });
});

describe("the month of a quota", () => {
  it.each([
    ["2026-11", 7],
    ["2026-10", 0],
  ])("begins at zero: a count of 7 that was stored in %s means %i events in November", (month, used) => {
    const plan = { monthlyEvents: 1_000, eventsPerMinute: 300, burst: 10, retentionDays: 400 };

    expect(toUsage(plan, { month, used: 7 }, Date.UTC(2026, 10, 30, 23, 59))).toEqual({
      month: "2026-11",
      used,
      limit: 1_000,
      resetAt: "2026-12-01T00:00:00.000Z",
    });
  });

  it("is a month in UTC", () => {
    expect(formatUtcMonth("2026-11-30T23:59:59.999Z")).toBe("2026-11");
  });

  it.each([
    ["2026-11", "2026-12-01T00:00:00.000Z"],
    ["2026-12", "2027-01-01T00:00:00.000Z"],
    ["2028-02", "2028-03-01T00:00:00.000Z"],
  ])("%s ends at %s", (month, end) => {
    expect(computeEndOfMonth(month)).toBe(Date.parse(end));
  });
});
