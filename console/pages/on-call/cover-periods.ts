import { DAY_MS } from "../../../core/domain/basics/units.ts";
import { formatDay, formatMinute, listMidnights, toTimestamp } from "../../app/dates.ts";
import type { Answers } from "../../app/types.ts";
import { listShiftsBetween } from "./shifts.ts";

const NIGHT_BEGINS_HOUR = 18;
const NIGHT_ENDS_HOUR = 8;
const NIGHTS_SHOWN = 7;

/** A period of time, in ms since 1970. */
export type Period = { start: number; end: number };

/** Lists nights in the reader's time zone that are completely in the shift. */
const listNights = ({ start, end }: Period): Period[] =>
  listMidnights(formatDay(start), Math.ceil((end - start) / DAY_MS))
    .map((day) => ({
      start: new Date(day).setHours(NIGHT_BEGINS_HOUR),
      end: new Date(day).setHours(24 + NIGHT_ENDS_HOUR),
    }))
    .filter((night) => night.start >= start && night.end <= end)
    .slice(0, NIGHTS_SHOWN);

/** Returns the rest of a shift from `earliestStart` (`whole`), its nights, and the `periods` that are offered for a cover. */
export const listCoverPeriods = ({ start, end }: Pick<Answers["Shift"], "start" | "end">, earliestStart: number) => {
  const first = Math.max(Date.parse(start), earliestStart);
  // A shift without a known end can be covered night by night.
  const whole = { start: first, end: end === null ? first + NIGHTS_SHOWN * DAY_MS : Date.parse(end) };
  const nights = listNights(whole);
  return { whole, nights, periods: end === null ? nights : [whole, ...nights] };
};

const IN_RETURN_DAYS = 28;

/** Lists a person's shifts in the 28 days after `startMs`, which can be taken in return for a cover. */
export const listReturnShifts = (schedule: Answers["OnCallSchedule"] | undefined, userId: string, startMs: number) =>
  schedule === undefined
    ? []
    : listShiftsBetween(schedule, schedule.overrides, startMs, startMs + IN_RETURN_DAYS * DAY_MS)
        .filter(({ userIds }) => userIds.includes(userId))
        .map(({ start, end }) => ({ start: toTimestamp(formatMinute(start)), end: toTimestamp(formatMinute(end)) }));
