import { Refusal } from "../domain/basics/refusal.ts";
import { toSeconds } from "../domain/basics/seconds.ts";

/** Returns the refusal of a test or probe that begins less than `pauseMs` after the previous test or probe. */
export const refuseTooSoon = (noun: "test" | "probe", pauseMs: number): Refusal => {
  const retryAfterSeconds = toSeconds(pauseMs);
  return new Refusal("rate_limited", `A ${noun} was just sent. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
};
