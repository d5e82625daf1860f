import {
  compileDuty,
  type OnCallSchedule,
  type OverridePeriod,
  listStretches,
} from "../../../core/domain/on-call/index.ts";
import { getZone } from "../../../core/domain/basics/clock/zone.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

export { keepTurns, OnCallSchedule, toUserIds } from "../../../core/domain/on-call/index.ts";
export type { OverridePeriod } from "../../../core/domain/on-call/index.ts";

/** Times are in milliseconds. A shift without people is a gap. `insteadOf`: the person whose shift is covered. */
export type Shift = {
  start: number;
  end: number;
  userIds: readonly string[];
  isOverride: boolean;
  insteadOf?: string | undefined;
};

/** Lists the shifts between two times, by the code that decides who is notified. */
export const listShiftsBetween = (
  schedule: OnCallSchedule,
  overrides: readonly (OverridePeriod & { covers: boolean })[],
  from: number,
  to: number,
): Shift[] =>
  [...listStretches({ schedule, overrides: overrides.filter(({ covers }) => covers) }, from, to)].map(
    ({ start, end, people }) => ({
      start,
      end,
      userIds: people.map(({ userId }) => userId),
      isOverride: people.some(({ source }) => source.kind === "override"),
      insteadOf: overrides.find(
        ({ id, insteadOf }) =>
          insteadOf !== undefined &&
          people.some(({ source }) => source.kind === "override" && source.overrideId === id),
      )?.insteadOf,
    }),
  );

/** `byMinutes`: negative if the clocks go back. */
export type ClockChange = { at: number; byMinutes: number; userIds: readonly string[] };

/** Lists changes to and from daylight saving time, with their times rounded up to a full hour. */
export const listClockChanges = (schedule: OnCallSchedule, startMs: number, dayCount: number): ClockChange[] => {
  const zone = getZone(schedule.timeZone);
  const stateAt = compileDuty({ schedule, overrides: [] });
  const changes: ClockChange[] = [];
  let before = zone.offsetAt(startMs);
  for (let at = Math.ceil(startMs / HOUR_MS) * HOUR_MS; at < startMs + dayCount * 24 * HOUR_MS; at += HOUR_MS) {
    const offset = zone.offsetAt(at);
    if (offset === before) continue;
    const userIds = stateAt(at).people.map(({ userId }) => userId);
    changes.push({ at, byMinutes: (offset - before) / 60_000, userIds });
    before = offset;
  }
  return changes;
};
