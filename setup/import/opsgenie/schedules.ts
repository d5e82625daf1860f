import { getZone } from "../../../core/domain/basics/clock/zone.ts";
import { takeFittingLayers, type Draft } from "../draft.ts";
import { ALWAYS, DAY_MINUTES, EVERY_DAY, createDailyHours, WEEK_MINUTES, type WeekSpan } from "../hours.ts";
import { splitIntoLanes, type OnCallHours } from "../lanes.ts";
import { convertPeriods, splitOverlaps } from "../periods.ts";
import { type FileLayer, rotationToLayers, findExceededLimit, toLocal } from "../rotation.ts";
import type { PeopleFinder } from "./people.ts";
import { createOnCallReader, replacesRotation } from "./reading.ts";
import type { Override, Rotation, Schedule, TimeRestriction } from "./shape.ts";

const UNITS = { hourly: "hour", daily: "day", weekly: "week" } as const;

/** Returns the length of a span, which may end in the next cycle. Equal `from` and `to` mean a whole cycle. */
const measureSpan = (from: number, to: number, cycle: number): number => (to > from ? to - from : to - from + cycle);

export const toWeekSpans = (timeRestriction: TimeRestriction): readonly WeekSpan[] => {
  if (timeRestriction.type === "time-of-day") {
    const { startHour, startMin, endHour, endMin } = timeRestriction.restriction;
    const [from, to] = [startHour * 60 + startMin, endHour * 60 + endMin];
    return createDailyHours(EVERY_DAY, from, measureSpan(from, to, DAY_MINUTES));
  }
  return timeRestriction.restrictions.map(({ startDay, startHour, startMin, endDay, endHour, endMin }) => {
    const from = startDay * DAY_MINUTES + startHour * 60 + startMin;
    const to = endDay * DAY_MINUTES + endHour * 60 + endMin;
    return { from, to: from + measureSpan(from, to, WEEK_MINUTES) };
  });
};

const listWeekHours = ({ timeRestriction }: Rotation): readonly WeekSpan[] =>
  timeRestriction === null || timeRestriction === undefined ? ALWAYS : toWeekSpans(timeRestriction);

type Current = OnCallHours & { rotation: Rotation; called: string };

/** Returns the rotations that are not over, and reports the other rotations. */
const listCurrentRotations = (draft: Draft, what: string, rotations: readonly Rotation[], nowMs: number): Current[] =>
  rotations.flatMap((rotation, index): Current[] => {
    const called = rotation.name ?? `rotation ${index + 1}`;
    const untilMs = rotation.endDate ?? Infinity;
    if (untilMs > nowMs && rotation.participants.length > 0)
      return [{ rotation, called, hours: listWeekHours(rotation), fromMs: rotation.startDate, untilMs }];
    draft.left(`${what}, ${called}`, untilMs > nowMs ? "The rotation has no people." : "The rotation is over.");
    return [];
  });

/** Rotations that are never on call at the same time, and the overrides that replace the rotations. */
type Lane = { members: readonly Current[]; overrides: readonly Override[] };

/** Splits rotations into lanes. If an override replaces only some rotations, each rotation becomes a lane of its own. */
const toLanes = (all: readonly Rotation[], current: readonly Current[], overrides: readonly Override[]): Lane[] => {
  const together = overrides.every(({ rotations }) => rotations.length === 0);
  const lanes = (together ? splitIntoLanes(current) : current.map((one) => [one])).map((lane) => ({
    members: lane,
    overrides: overrides.filter((override) => lane.some(({ rotation }) => replacesRotation(override, rotation))),
  }));
  // An override of a rotation that has ended still puts its person on call.
  const alone = overrides.filter(
    (override) =>
      all.some((rotation) => replacesRotation(override, rotation)) &&
      !current.some(({ rotation }) => replacesRotation(override, rotation)),
  );
  return alone.length === 0 ? lanes : [...lanes, { members: [], overrides: alone }];
};

type ScheduleContext = { what: string; timeZone: string; people: PeopleFinder; nowMs: number };

const toLayers = (
  draft: Draft,
  { rotation, hours, fromMs, untilMs, called }: Current,
  { what, timeZone, people, nowMs }: ScheduleContext,
): FileLayer[] => {
  const { type, length, participants } = rotation;
  const drafted = {
    anchor: toLocal(rotation.startDate, getZone(timeZone)),
    every: length,
    unit: UNITS[type],
    turns: participants.map(people.findEmailsOrReport),
    fromMs,
    untilMs,
    hours,
  };
  const limit = findExceededLimit(drafted);
  if (limit === undefined) return rotationToLayers(drafted, timeZone, nowMs);
  draft.left(`${what}, ${called}`, `This rotation exceeds a limit of this service: ${limit}.`);
  return [];
};

/** Adds a group for each lane (rotations that are never on call together) of a schedule. Returns the names of the groups. */
export const addSchedule = (
  draft: Draft,
  what: string,
  { name, timezone: timeZone, rotations }: Schedule,
  overrides: readonly Override[],
  people: PeopleFinder,
  { fromMs: nowMs }: { fromMs: number },
): string[] => {
  const ahead = overrides.filter(({ endDate }) => endDate > nowMs);
  const lanes = toLanes(rotations, listCurrentRotations(draft, what, rotations, nowMs), ahead);
  const groups = lanes.map(({ members, overrides: own }) => {
    const periods = own.map(({ startDate, endDate, user }) => ({
      start: startDate,
      end: endDate,
      people: people.findEmailsOrReport(user),
    }));
    const layers = members.flatMap((member) => toLayers(draft, member, { what, timeZone, people, nowMs }));
    const wanted = members.map(({ called }) => called).join(", ") || "overrides";
    return draft.addGroup(lanes.length === 1 ? name : `${name}: ${wanted}`, [], {
      timeZone,
      layers: takeFittingLayers(draft, what, layers, convertPeriods(splitOverlaps(periods), timeZone)),
    });
  });
  if (groups.length === 0) draft.left(what, "The schedule has no rotation that puts anybody on call.");
  else draft.taken(what, groups.length === 1 ? `group ${groups.join("")}` : `groups ${groups.join(", ")}`);
  if (ahead.length > 0)
    draft.taken(
      draft.count("overrides", `${what}: ${ahead.length} overrides ahead`, ahead.length),
      "layers that end when the overrides end",
    );
  draft.checks.push({
    schedule: name,
    groups,
    timeZone,
    source: "its rotations, evaluated by Opsgenie's rules",
    reading: createOnCallReader(rotations, ahead, (ms) => toLocal(ms, getZone(timeZone)), people.listNamesToShow),
  });
  return groups;
};

/** Adds groups in which each turn has the people of the next (`by` is 1) or previous (-1) turn. Returns the groups' names. */
export const addShiftedGroups = (
  draft: Draft,
  what: string,
  { name, timezone: timeZone, rotations }: Schedule,
  people: PeopleFinder,
  { fromMs: nowMs }: { fromMs: number },
  by: 1 | -1,
): string[] => {
  const who = by === 1 ? "next" : "previous";
  const turned = rotations
    .filter(({ endDate, participants }) => (endDate ?? Infinity) > nowMs && participants.length > 0)
    .map((rotation) => ({
      ...rotation,
      participants: [...rotation.participants.slice(by), ...rotation.participants.slice(0, by)],
    }));
  draft.different(
    what,
    `Steps that notify the ${who} person have a group of their own, with the rotations shifted by one turn and without overrides.`,
  );
  return toLanes(turned, listCurrentRotations(draft, what, turned, nowMs), []).map(({ members }) => {
    const layers = members.flatMap((member) => toLayers(draft, member, { what, timeZone, people, nowMs }));
    return draft.addGroup(`${name}: ${who}`, [], { timeZone, layers: takeFittingLayers(draft, what, layers) });
  });
};
