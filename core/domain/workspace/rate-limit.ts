import type { Rate } from "../basics/refusal.ts";
import type { UsagePlan } from "./usage-plan.ts";

/*
 * Implements the generic cell rate algorithm (GCRA). A token bucket is one number: the theoretical arrival time (tat) of the next
 * event at the even rate. The tat is in microseconds since 1970. An admitted event advances the tat by one interval.
 */

type Bucket = { plan: UsagePlan; tat: number };

/** Returns the time between two events at the usage plan's even rate, in microseconds, rounded up. */
export const computeEventIntervalMicros = ({ eventsPerMinute }: UsagePlan): number =>
  Math.ceil(60_000_000 / eventsPerMinute);

/** Returns the latest theoretical arrival time (tat) at which an event is admitted, in microseconds. */
export const computeMaxAdmittedTat = (plan: UsagePlan, nowMs: number): number =>
  nowMs * 1_000 + (plan.burst - 1) * computeEventIntervalMicros(plan);

/** Returns the theoretical arrival time (tat) after a whole burst at `nowMs`: the latest that a plan allows, in microseconds. */
export const computeEmptyBucketTat = (plan: UsagePlan, nowMs: number): number =>
  nowMs * 1_000 + plan.burst * computeEventIntervalMicros(plan);

/** Returns how many more events the plan admits at `nowMs`, and after how many seconds it admits a whole burst again. */
export const computeRateStatus = ({ plan, tat }: Bucket, nowMs: number): Rate => {
  const step = computeEventIntervalMicros(plan);
  const queuedMicros = Math.max(0, tat - nowMs * 1_000);
  return {
    burst: plan.burst,
    remaining: Math.max(0, Math.floor(plan.burst - queuedMicros / step)),
    resetSeconds: Math.ceil(queuedMicros / 1_000_000),
    windowSeconds: Math.max(1, Math.ceil((plan.burst * step) / 1_000_000)),
  };
};

/** Returns after how many seconds an event is admitted; at least one, because an event was just refused. */
export const computeRetryAfterSeconds = ({ plan, tat }: Bucket, nowMs: number): number =>
  Math.max(1, Math.ceil((tat - computeMaxAdmittedTat(plan, nowMs)) / 1_000_000));
