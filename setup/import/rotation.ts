import { toIso } from "../../core/domain/basics/time.ts";
import { RESTRICTIONS_MAX, TURN_PEOPLE_MAX, TURNS_MAX } from "../../core/domain/on-call/index.ts";
import { getZone } from "../../core/domain/basics/clock/zone.ts";
import type { FileSchedule } from "../file.ts";
import { toRestrictions, type WeekSpan } from "./hours.ts";
import { HOUR_MS } from "../../core/domain/basics/units.ts";

export type FileLayer = FileSchedule["layers"][number];
type Zone = ReturnType<typeof getZone>;

export const unitMs = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;

/** A rotation, with local times and instants in milliseconds, and people by email address. */
export type Rotation = {
  /** The local time of the first turn, from which handoffs are counted. */
  anchor: number;
  every: number;
  unit: FileLayer["unit"];
  turns: readonly (readonly string[])[];
  duty?: boolean;
  /** Instants in ms since 1970; -Infinity without a beginning, Infinity without an end. */
  fromMs: number;
  untilMs: number;
  hours: readonly WeekSpan[];
};

/** Converts a duration to a number and a unit; returns undefined if the duration is not in whole hours. */
export const toCadence = (lengthMs: number): Pick<FileLayer, "every" | "unit"> | undefined => {
  const unit = (["week", "day", "hour"] as const).find((unit) => lengthMs > 0 && lengthMs % unitMs[unit] === 0);
  return unit === undefined ? undefined : { every: lengthMs / unitMs[unit], unit };
};

export const formatLocal = (localTime: number): string => toIso(localTime).slice(0, localTime % 60_000 === 0 ? 16 : 19);

/** Returns the local time as text, or the UTC time if the local time occurs twice. */
export const formatInstant = (instant: number, zone: Zone): string => {
  const local = toLocal(instant, zone);
  return zone.instantOf(local) === instant ? formatLocal(local) : toIso(instant);
};

export const toLocal = (ms: number, zone: Zone): number => ms + zone.offsetAt(ms);

/** Returns one turn as files write it: a name, or a list of several names. */
export const toTurn = (people: readonly string[]): FileLayer["participants"][number] => {
  const [one, ...others] = people;
  return one !== undefined && others.length === 0 ? one : [...people];
};

/** Describes the limit that a rotation exceeds; undefined if the rotation exceeds no limit. */
export const findExceededLimit = ({
  turns,
  every,
  hours,
}: Pick<Rotation, "turns" | "every" | "hours">): string | undefined => {
  if (turns.length > TURNS_MAX) return `there are ${turns.length} turns, and a layer has at most ${TURNS_MAX} turns`;
  if (turns.some((people) => people.length > TURN_PEOPLE_MAX)) return `a turn has more than ${TURN_PEOPLE_MAX} people`;
  if (every > 1_000) return `a turn has more than 1000 hours, days or weeks`;
  return toRestrictions(hours).length > RESTRICTIONS_MAX
    ? `the hours need more than ${RESTRICTIONS_MAX} restrictions`
    : undefined;
};

/** Returns the remainder, which is not negative even if `value` is negative. */
export const modulo = (value: number, count: number): number => ((value % count) + count) % count;

/** Converts a rotation to layers; returns an empty list if the rotation has ended. */
export const rotationToLayers = (rotation: Rotation, timeZone: string, nowMs: number): FileLayer[] => {
  const { anchor, every, unit, turns, duty = false, fromMs, untilMs, hours } = rotation;
  if (untilMs <= nowMs || untilMs <= fromMs) return [];
  const zone = getZone(timeZone);
  const restrictions = toRestrictions(hours);
  const createLayer = (start: string, until: string | undefined, firstTurn: number): FileLayer => ({
    start,
    ...(until === undefined ? {} : { until }),
    every,
    unit,
    participants: turns.map(toTurn),
    ...(duty ? { turns: "duty" as const } : {}),
    ...(firstTurn === 0 ? {} : { first: firstTurn }),
    ...(restrictions.length === 0 ? {} : { restrictions }),
  });
  const until = untilMs === Infinity ? undefined : formatInstant(untilMs, zone);
  const from = fromMs === -Infinity ? anchor : toLocal(fromMs, zone);
  if (unit === "month" || duty || from <= anchor) return [createLayer(formatLocal(anchor), until, 0)];
  const period = every * unitMs[unit];
  const turn = Math.floor((from - anchor) / period);
  const begin = anchor + turn * period;
  const first = modulo(turn, turns.length);
  if (begin === from || fromMs <= nowMs) return [createLayer(formatLocal(begin), until, first)];
  // The rotation begins within a turn, so another layer covers the time until the next handoff.
  const handoff = begin + period;
  const isAll = zone.instantOf(handoff) >= untilMs;
  const rest = createLayer(formatInstant(fromMs, zone), isAll ? until : formatLocal(handoff), 0);
  const part = { ...rest, participants: [toTurn(turns[first] ?? [])] };
  return isAll ? [part] : [part, createLayer(formatLocal(handoff), until, modulo(turn + 1, turns.length))];
};
