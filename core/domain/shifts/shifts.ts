import * as v from "valibot";
import { toIso, toIsoOrNull } from "../basics/time.ts";
import { findOnCallStart, findOnCallEnd, listStretches } from "../on-call/index.ts";
import type { People } from "../people/people.ts";
import { DAY_MS } from "../basics/units.ts";

export const SHIFTS_AHEAD_DAYS = 28;

/** A person's time on call without a break, in milliseconds. `end`: undefined if the end is unknown. */
export type Shift = { groupId: string; groupName: string; userId: string; start: number; end: number | undefined };

export const ShiftView = v.object({
  groupId: v.string(),
  groupName: v.string(),
  start: v.string(),
  /** The shift's end; null if unknown. */
  end: v.nullable(v.string()),
  /** False for people on the schedule who are not in the group, because rules do not notify them. */
  inGroup: v.boolean(),
});
export type ShiftView = v.InferOutput<typeof ShiftView>;

/** Lists the group's shifts that overlap a time (ms), one per person, with their full start and end, sorted by start. */
const listShiftsByPerson = (people: People, groupId: string, from: number, to: number): Shift[] => {
  const groupName = people.groups.get(groupId)?.group.name ?? "";
  const { group } = people.duty(groupId);
  const shifts: Shift[] = [];
  const open = new Map<string, Shift>();
  for (const stretch of listStretches(group, from, to)) {
    const present = new Set(stretch.people.map(({ userId }) => userId));
    for (const userId of open.keys()) if (!present.has(userId)) open.delete(userId);
    for (const userId of present) {
      const going = open.get(userId);
      if (going !== undefined) going.end = stretch.end;
      else {
        const start = stretch.start === from ? findOnCallStart(group, userId, from) : stretch.start;
        const shift: Shift = { groupId, groupName, userId, start, end: stretch.end };
        open.set(userId, shift);
        shifts.push(shift);
      }
    }
  }
  for (const [userId, shift] of open) if (shift.end === to) shift.end = findOnCallEnd(group, userId, to - 1);
  return shifts.toSorted((one, other) => one.start - other.start);
};

/** Lists the group's shifts that overlap a time (ms), sorted by start. */
export const listGroupShifts = (people: People, groupId: string, from: number, to: number): Shift[] =>
  listShiftsByPerson(people, groupId, from, to);

/** Lists the user's shifts in all groups that overlap a time (ms), sorted by start. */
export const listUserShifts = (people: People, userId: string, from: number, to: number): Shift[] =>
  [...people.groups.keys()]
    .flatMap((groupId) => listShiftsByPerson(people, groupId, from, to))
    .filter((shift) => shift.userId === userId)
    .toSorted((one, other) => one.start - other.start || (one.groupId < other.groupId ? -1 : 1));

/** Lists the person's shifts of the next four weeks, and a current shift. */
export const toShiftViews = (people: People, userId: string, now: number): ShiftView[] =>
  listUserShifts(people, userId, now, now + SHIFTS_AHEAD_DAYS * DAY_MS).map(({ groupId, groupName, start, end }) => ({
    groupId,
    groupName,
    start: toIso(start),
    end: toIsoOrNull(end),
    inGroup: people.groups.get(groupId)?.memberIds.includes(userId) ?? false,
  }));
