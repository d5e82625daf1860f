import { createTokenBucket } from "../bucket.ts";
import { DAY_MS, SECOND_MS } from "../../core/domain/basics/units.ts";

/** AWS's limits for an account: requests per second, requests in a burst, and requests in any 24 hours. */
export type Limits = { perSecond: number; burst?: number; perDay?: number };

/** Returns a function that counts a request, and returns the limit that the request exceeds, if any. */
export const createLimiter = ({ perSecond, burst = perSecond, perDay = Infinity }: Limits, now: () => number) => {
  const takes = createTokenBucket(burst, SECOND_MS / perSecond, now);
  const taken: number[] = [];
  return (): "rate" | "day" | undefined => {
    while ((taken[0] ?? Infinity) <= now() - DAY_MS) taken.shift();
    if (taken.length >= perDay) return "day";
    if (!takes()) return "rate";
    taken.push(now());
    return undefined;
  };
};
