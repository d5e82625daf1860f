import * as v from "valibot";
import { UserId } from "../../basics/user-id.ts";
import { fromIso, toIso } from "../../basics/time.ts";
import { readInstant } from "./clock-text.ts";
import { OVERRIDE_MAX_DAYS, YEAR_MAX, YEAR_MIN } from "./limits.ts";
import { DAY_MS } from "../../basics/units.ts";

/** A timestamp in an input, converted to UTC: `2026-03-02T09:00:00+01:00` becomes `2026-03-02T08:00:00.000Z`. */
export const timestamp = (field: string) => {
  const message =
    `${field} must be an ISO 8601 timestamp with Z or an offset, such as 2026-03-02T08:00:00Z, ` +
    `of a year from ${YEAR_MIN} to ${YEAR_MAX}.`;
  return v.pipe(
    v.string(message),
    v.check((text) => readInstant(text) !== undefined, message),
    v.transform((text) => toIso(readInstant(text) ?? 0)),
  );
};

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

/** The part of an override that decides who is on call. Times are timestamps. */
export type OverridePeriod = OnCallOverrideInput & { id: string };
