import * as v from "valibot";
import { DEFAULT_PLAN } from "../basics/limits.ts";
import { toIso, toUtcMs } from "../basics/time.ts";
import { RetentionDays } from "./retention.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A usage plan's limits: events per month (UTC), a token bucket (`burst`, `eventsPerMinute`), and days of retention. */
export const UsagePlan = v.object({
  monthlyEvents: count,
  eventsPerMinute: count,
  burst: count,
  retentionDays: RetentionDays,
});
export type UsagePlan = v.InferOutput<typeof UsagePlan>;

export const defaultUsagePlan: UsagePlan = DEFAULT_PLAN;

/** Returns the UTC month, such as `2026-11`, which is the period of the quota. */
export const formatUtcMonth = (iso: string): string => iso.slice(0, 7);

/** Returns the end of the month: the first millisecond of the next month. */
export const computeEndOfMonth = (month: string): number =>
  toUtcMs(Number(month.slice(0, 4)), Number(month.slice(5, 7)) + 1, 1);

export const Usage = v.object({ month: v.string(), used: v.number(), limit: v.number(), resetAt: v.string() });
export type Usage = v.InferOutput<typeof Usage>;

/** Returns this month's usage. `lastCount`: the last count and its month; in a later month, the count is 0. */
export const toUsage = (plan: UsagePlan, lastCount: { month: string; used: number }, now: number): Usage => {
  const month = formatUtcMonth(toIso(now));
  const used = lastCount.month === month ? lastCount.used : 0;
  return { month, used, limit: plan.monthlyEvents, resetAt: toIso(computeEndOfMonth(month)) };
};
