import type { Override, Recipient, Rotation, TimeRestriction } from "./shape.ts";
import { MINUTE_MS } from "../../../core/domain/basics/units.ts";

/* In Opsgenie, all rotations of a schedule are on call together. This file shares no code with the conversion that it checks. */

const DAY = 1_440 * MINUTE_MS;
/** Monday, 1970-01-05, in ms since 1970. */
const MONDAY = 4 * DAY;
const LENGTHS = { hourly: 60 * MINUTE_MS, daily: DAY, weekly: 7 * DAY } as const;

/** Returns whether a local time is in a range that repeats each `cycle` (all in ms). Equal `begin` and `end` mean always. */
const isBetween = (localMs: number, begin: number, end: number, cycle: number): boolean => {
  const [length, since] = [end - begin, localMs - MONDAY - begin].map((span) => ((span % cycle) + cycle) % cycle);
  return length === 0 || (since ?? 0) < (length ?? 0);
};

/** Returns whether a restriction includes a local time. Without a restriction, all times are included. */
const isWithinRestriction = (restriction: TimeRestriction | null | undefined, localMs: number): boolean => {
  if (restriction === null || restriction === undefined) return true;
  if (restriction.type === "time-of-day") {
    const { startHour, startMin, endHour, endMin } = restriction.restriction;
    return isBetween(localMs, (startHour * 60 + startMin) * MINUTE_MS, (endHour * 60 + endMin) * MINUTE_MS, DAY);
  }
  return restriction.restrictions.some(({ startDay, startHour, startMin, endDay, endHour, endMin }) =>
    isBetween(
      localMs,
      startDay * DAY + (startHour * 60 + startMin) * MINUTE_MS,
      endDay * DAY + (endHour * 60 + endMin) * MINUTE_MS,
      7 * DAY,
    ),
  );
};

/** Returns who is on call in a rotation at `ms`, when the local time is `localMs`; undefined if nobody is on call. */
const findParticipant = (
  { startDate, endDate, type, length, participants, timeRestriction }: Rotation,
  ms: number,
  localMs: number,
  clock: (ms: number) => number,
): Recipient | undefined => {
  if (ms < startDate || (typeof endDate === "number" && ms >= endDate)) return undefined;
  if (!isWithinRestriction(timeRestriction, localMs)) return undefined;
  const turn = Math.floor((localMs - clock(startDate)) / (LENGTHS[type] * length));
  return participants[turn % participants.length];
};

/** Returns whether an override applies to a rotation. An override without `rotations` applies to all rotations. */
export const replacesRotation = ({ rotations }: Override, { id, name }: Rotation): boolean =>
  rotations.length === 0 ||
  rotations.some((one) => (typeof id === "string" && one.id === id) || (typeof name === "string" && one.name === name));

/** Returns a function that lists who is on call. `clock`: the schedule's local time; `namesOf`: a participant's people. */
export const createOnCallReader =
  (
    rotations: readonly Rotation[],
    overrides: readonly Override[],
    clock: (ms: number) => number,
    namesOf: (participant: Recipient) => readonly string[],
  ) =>
  (ms: number, localMs: number): string[] => {
    const instead = overrides.filter(({ startDate, endDate }) => startDate <= ms && ms < endDate);
    return rotations.flatMap((rotation) => {
      const replacing = instead.filter((override) => replacesRotation(override, rotation));
      if (replacing.length > 0) return replacing.flatMap(({ user }) => namesOf(user));
      const participant = findParticipant(rotation, ms, localMs, clock);
      return participant === undefined ? [] : namesOf(participant);
    });
  };
