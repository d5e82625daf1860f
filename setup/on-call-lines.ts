import { toIso } from "../core/domain/basics/time.ts";
import { DAY_MS } from "../core/domain/basics/units.ts";
import { type DutyGroup, keepTurns, listStretches } from "../core/domain/on-call/index.ts";
import { listDutyChanges, formatDutyChange } from "../core/domain/on-call/duty-moves.ts";
import { compareNights, NIGHTS_WEEKS } from "../core/domain/on-call/nights.ts";
import type { FileSchedule } from "./file.ts";
import type { Change } from "./plan.ts";
import { convertToPeople } from "./rehearsal.ts";
import type { SetUp } from "./write.ts";

const DAYS_AHEAD = 14;
const HANDOFFS_MAX = 40;

/** Returns `after` as the service would store it at `now` (ms since 1970): rotations keep their current turn. */
export const toStoredForm = (before: SetUp, after: SetUp, now: number): SetUp => ({
  ...after,
  schedules: after.schedules.map((schedule): FileSchedule => {
    const known = before.schedules.find(({ group }) => group === schedule.group);
    if (known === undefined) return schedule;
    const { overrides = known.overrides } = schedule;
    return { ...keepTurns(known, schedule, now), ...(overrides === undefined ? {} : { overrides }) };
  }),
});

const truncateToMinute = (time: string): string => `${time.slice(0, "2026-03-02T09:00".length)}Z`;

/** Returns one line with the next shifts of a group: who is on call, and until when. */
const describeNextShifts = (group: DutyGroup, now: number): string => {
  const found = [...listStretches(group, now, now + DAYS_AHEAD * DAY_MS)];
  const shown = found.slice(0, HANDOFFS_MAX).map(({ end, people }) => {
    const names = people.map(({ userId, blocked }) =>
      blocked === "not_in_group" ? `${userId} (not in the group)` : userId,
    );
    return `${names.length === 0 ? "nobody" : names.join(" and ")} until ${truncateToMinute(toIso(end))}`;
  });
  const others = found.length - shown.length;
  return `${shown.join(", ")}${others > 0 ? ` and ${others} more handoffs` : ""}`;
};

const describeShiftChanges = (before: DutyGroup, after: DutyGroup, now: number): string[] => {
  const { changes, more } = listDutyChanges(before, after, now, now + DAYS_AHEAD * DAY_MS);
  return [
    ...changes.map((change) => `    ${formatDutyChange(change, { nameOf: (name) => name, timeOf: truncateToMinute })}`),
    ...(more === 0 ? [] : [`    and ${more} more changes`]),
  ];
};

/** Returns a line with the people whose number of nights on call changes, as `before -> after`; empty if none changes. */
const describeNightChanges = (before: DutyGroup, after: DutyGroup, now: number): string[] => {
  const changes = compareNights(before, after, now).map(
    ({ userId, before: was, after: is }) => `${userId} ${was} -> ${is}`,
  );
  return changes.length === 0 ? [] : [`    nights in the next ${NIGHTS_WEEKS} weeks: ${changes.join(", ")}`];
};

/** Returns lines that compare, for each changed schedule, the people on call in the next two weeks before and after. */
export const compareShifts = (before: SetUp, after: SetUp, changes: readonly Change[], now: number): string[] => {
  const [was, is] = [convertToPeople(before), convertToPeople(after)];
  return changes
    .filter(({ section }) => section === "schedules")
    .flatMap(({ name }) => {
      const [one, other] = [was.duty(name).group, is.duty(name).group];
      const [old, next] = [describeNextShifts(one, now), describeNextShifts(other, now)];
      const lines =
        old === next
          ? [`schedule "${name}": the same people are on call in the next ${DAYS_AHEAD} days: ${next}`]
          : [
              `schedule "${name}", on call in the next ${DAYS_AHEAD} days:`,
              `    before: ${old}`,
              `    after: ${next}`,
              ...describeShiftChanges(one, other, now),
            ];
      return [...lines, ...describeNightChanges(one, other, now)];
    });
};
