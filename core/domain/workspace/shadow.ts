import * as v from "valibot";
import { timestampSchema } from "../basics/clock/timestamp.ts";
import { SHADOW_DAYS_MAX } from "../basics/limits.ts";
import type { Fault } from "../basics/refusal.ts";
import { fromIso } from "../basics/time.ts";
import { DAY_MS } from "../basics/units.ts";

/* During a shadow, events are matched and planned, but nobody is notified. */

/** The workspace's last shadow, which may have ended. */
export const Shadow = v.object({ since: v.string(), until: v.string() });
export type Shadow = v.InferOutput<typeof Shadow>;

export const ShadowInput = v.strictObject({ until: timestampSchema("until") });
export type ShadowInput = v.InferOutput<typeof ShadowInput>;

/** Returns a fault if the end of a shadow is past or too far in the future; otherwise undefined. */
export const findShadowEndFault = ({ until }: ShadowInput, now: number): Fault | undefined => {
  const ms = fromIso(until) ?? 0;
  if (ms > now && ms <= now + SHADOW_DAYS_MAX * DAY_MS) return undefined;
  const message = `until must be in the future, and at most ${SHADOW_DAYS_MAX} days ahead.`;
  return { field: "until", code: "out_of_range", message };
};
