import * as v from "valibot";
import { DEFAULT_PLAN } from "../basics/limits.ts";
import { utcMs } from "../basics/time.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(1));

/** How much a workspace may send: events per UTC month, and a token bucket that refills evenly through the minute. */
export const UsagePlan = v.object({ monthlyEvents: count, eventsPerMinute: count, burst: count });
export type UsagePlan = v.InferOutput<typeof UsagePlan>;

export const defaultUsagePlan: UsagePlan = DEFAULT_PLAN;

/** The UTC month of a timestamp, such as `2026-11`: the quota's period. */
export const monthOf = (iso: string): string => iso.slice(0, 7);

/** The first millisecond after a month such as `2026-11`. */
export const nextMonth = (month: string): number => utcMs(Number(month.slice(0, 4)), Number(month.slice(5, 7)) + 1, 1);
