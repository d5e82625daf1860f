import * as v from "valibot";
import { timestamp } from "../basics/clock/timestamp.ts";
import { fromIso } from "../basics/time.ts";
import { DAY_MS } from "../basics/units.ts";
import { UserId } from "../basics/user-id.ts";
import { OVERRIDE_MAX_DAYS } from "./limits.ts";

const lengthOf = ({ start, end }: { start: string; end: string }): number =>
  (fromIso(end) ?? 0) - (fromIso(start) ?? 0);

/** Puts somebody on call from `start` until `end`, in place of the people whom the layers name. */
export const OnCallOverrideInput = v.pipe(
  v.object(
    { userId: UserId, start: timestamp("start"), end: timestamp("end") },
    "An override must be an object: {userId, start, end}.",
  ),
  v.forward(
    v.partialCheck([["start"], ["end"]], (override) => lengthOf(override) > 0, "end must be later than start."),
    ["end"],
  ),
  v.forward(
    v.partialCheck(
      [["start"], ["end"]],
      (override) => lengthOf(override) <= OVERRIDE_MAX_DAYS * DAY_MS,
      `end must be at most ${OVERRIDE_MAX_DAYS} days after start.`,
    ),
    ["end"],
  ),
);
export type OnCallOverrideInput = v.InferOutput<typeof OnCallOverrideInput>;

/**
 * The part of an override that decides who is on call. Times are timestamps. `insteadOf`: the person whose shift a cover
 * takes over; such an override counts only while that person would be on call.
 */
export type OverridePeriod = OnCallOverrideInput & { id: string; insteadOf?: string | undefined };
