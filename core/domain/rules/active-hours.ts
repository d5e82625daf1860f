import * as v from "valibot";
import type { Fault } from "../basics/refusal.ts";
import { Restriction } from "../basics/clock/week.ts";
import { compileWeekHours } from "../basics/clock/weekly.ts";
import { getZone } from "../basics/clock/zone.ts";

export const ACTIVE_HOURS_MAX = 10;

/** The hours in which a rule is active, in the format of on-call restrictions; null for always. */
export const ActiveHours = v.pipe(
  v.nullable(
    v.pipe(
      v.array(Restriction, "activeHours must be an array of {days, from, to}, or null."),
      v.maxLength(ACTIVE_HOURS_MAX, `activeHours must have at most ${ACTIVE_HOURS_MAX} entries.`),
    ),
  ),
  v.transform((hours) => (hours?.length === 0 ? null : hours)),
);
export type ActiveHours = v.InferOutput<typeof ActiveHours>;

export type Hours = { activeHours: ActiveHours; timeZone: string | null };

/** Returns a fault if active hours have no time zone. */
export const findHoursFaults = ({ activeHours, timeZone }: Hours): Fault[] =>
  activeHours === null || timeZone !== null
    ? []
    : [
        {
          field: "timeZone",
          code: "required",
          message: "timeZone is required with activeHours, such as Europe/Berlin.",
        },
      ];

/** Returns a function that says whether the rule is active at a time (in milliseconds). */
export const compileActiveHours = ({ activeHours, timeZone }: Hours): ((at: number) => boolean) => {
  if (activeHours === null) return () => true;
  const within = compileWeekHours(getZone(timeZone ?? "UTC"), activeHours);
  return (at) => within(at).within;
};
