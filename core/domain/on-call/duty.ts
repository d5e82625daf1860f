import { fromIso } from "../basics/time.ts";
import { compileLayer, type CompiledLayer } from "./layer.ts";
import type { OverridePeriod } from "./override.ts";
import type { OnCallSchedule } from "./schedule.ts";
import { getZone } from "../basics/clock/zone.ts";

export const blocks = ["not_in_group", "unreachable"] as const;
export type Block = (typeof blocks)[number];

/** Somebody on call, and by which layer or override. Times are in milliseconds; `layer`: its index, from 0. */
export type OnCallPerson = {
  userId: string;
  /** Why events would not notify the person; absent if events would notify them. */
  blocked?: Block;
  source:
    | { kind: "layer"; layer: number; shiftStart: number; shiftEnd: number }
    | { kind: "override"; overrideId: string; start: number; end: number };
};

export type DutyGroup = {
  schedule: OnCallSchedule;
  overrides: readonly OverridePeriod[];
  /** Returns why events would not notify a user, or `left` for a former member; absent if events would notify everybody. */
  blockOf?: (userId: string) => Block | "left" | undefined;
};

/** Who is on call at a time. `until`: when somebody else may be on call. `isGap`: events would notify nobody. */
export type Duty = { people: OnCallPerson[]; until: number; isGap: boolean };

type State = Omit<Duty, "isGap">;

type Period = Omit<OverridePeriod, "start" | "end"> & { start: number; end: number };

const compareStarts = (first: Period, second: Period): number =>
  first.start - second.start || (first.id < second.id ? -1 : 1);

/** Returns the overrides with times in milliseconds, sorted by start. */
const toPeriods = (overrides: readonly OverridePeriod[]): Period[] =>
  overrides
    .map((override) => ({ ...override, start: fromIso(override.start) ?? 0, end: fromIso(override.end) ?? 0 }))
    .sort(compareStarts);

/** Returns the override's person, with the override as the reason for being on call. */
const toOverridePerson = ({ id, userId, start, end }: Period): OnCallPerson => ({
  userId,
  source: { kind: "override", overrideId: id, start, end },
});

/** Returns the overrides that apply at `ms`, and the time (`until`) at which an override next begins or ends. */
const findOverridesAt = (periods: readonly Period[], ms: number): { present: Period[]; until: number } => {
  const present: Period[] = [];
  let until = Infinity;
  for (const period of periods) {
    if (period.end <= ms) continue;
    until = Math.min(until, period.start > ms ? period.start : period.end);
    if (period.start <= ms) present.push(period);
  }
  return { present, until };
};

/** Keeps only the first entry of each person. */
const removeDuplicatePeople = (people: readonly OnCallPerson[]): OnCallPerson[] => {
  const first = new Map<string, OnCallPerson>();
  for (const person of people) if (!first.has(person.userId)) first.set(person.userId, person);
  return [...first.values()];
};

/** Replaces each person who gave the shift away by the person who took it over last. */
const applyCovers = (people: readonly OnCallPerson[], present: readonly Period[]): OnCallPerson[] =>
  people.map((person) => {
    const unused = new Set(present);
    let last = person;
    let takenAt = "";
    for (;;) {
      const cover = [...unused].find(
        ({ insteadOf, createdAt = takenAt }) => insteadOf === last.userId && createdAt >= takenAt,
      );
      if (cover === undefined) return last;
      unused.delete(cover);
      last = toOverridePerson(cover);
      takenAt = cover.createdAt ?? takenAt;
    }
  });

/** Returns who is on call by the layers: the last layer with somebody on duty decides. */
const findLayerPeopleAt = (layersLastFirst: readonly (readonly [number, CompiledLayer])[], ms: number): State => {
  let until = Infinity;
  for (const [layer, { findStateAt }] of layersLastFirst) {
    const state = findStateAt(ms);
    until = Math.min(until, state.until);
    if (state.shift === undefined) continue;
    const { userIds, start, end } = state.shift;
    const source = { kind: "layer", layer, shiftStart: start, shiftEnd: end } as const;
    return { people: userIds.map((userId) => ({ userId, source })), until };
  }
  return { people: [], until };
};

/** Adds to each person why events would not notify the person. Leaves out former members. */
const addBlockReasons = (people: OnCallPerson[], blockOf: NonNullable<DutyGroup["blockOf"]>): OnCallPerson[] =>
  people.flatMap((person) => {
    const blocked = blockOf(person.userId);
    if (blocked === "left") return [];
    return blocked === undefined ? person : { ...person, blocked };
  });

/** Returns a function that finds who is on call at a time, faster than `findDutyAt` for many times. */
export const compileDuty = ({ schedule, overrides, blockOf }: DutyGroup): ((at: number) => Duty) => {
  const zone = getZone(schedule.timeZone);
  const lastFirst = schedule.layers.map((layer, index) => [index, compileLayer(layer, zone)] as const).toReversed();
  const periods = toPeriods(overrides.filter(({ userId }) => blockOf?.(userId) === undefined));
  const findStateAt = (at: number): State => {
    const { present, until } = findOverridesAt(periods, at);
    const overriding = present.filter(({ insteadOf }) => insteadOf === undefined);
    if (overriding.length > 0) return { people: applyCovers(overriding.map(toOverridePerson), present), until };
    const { people: named, until: layersUntil } = findLayerPeopleAt(lastFirst, at);
    const people = blockOf === undefined ? named : addBlockReasons(named, blockOf);
    return { people: applyCovers(people, present), until: Math.min(until, layersUntil) };
  };
  return (at) => {
    const { people: all, until } = findStateAt(at);
    const people = removeDuplicatePeople(all);
    return { people, until, isGap: people.every(({ blocked }) => blocked !== undefined) };
  };
};

/**
 * Returns who is on call. Overrides take precedence over layers. People with overrides at the same time are on call
 * together. An override of a person whom events would not notify is ignored. A cover replaces only the person who gave the
 * shift away. Without overrides, everybody in the current turn of the last layer with somebody on duty is on call.
 */
export const findDutyAt = (group: DutyGroup, atMs: number): Duty => compileDuty(group)(atMs);
