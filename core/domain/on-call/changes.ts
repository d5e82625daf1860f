import * as v from "valibot";
import { isSame } from "../basics/same.ts";
import { DAY_MS } from "../basics/units.ts";
import type { DutyGroup } from "./duty.ts";
import { nextChange, stretches } from "./stretches.ts";

/*
 * Who has come on call in a group since the last check. It is computed from the schedule and from who was on call then,
 * so neither a beginning shift nor a changed schedule has to store anything.
 */

/** Other people came on call. People are ids, in their order; times are in milliseconds. */
export const OnCallChange = v.object({
  /** Counts the changes of a group, from 1. */
  sequence: v.number(),
  at: v.number(),
  /** When it was noticed. It never decreases, whatever the clocks say. */
  told: v.number(),
  onCall: v.array(v.string()),
  before: v.array(v.string()),
});
export type OnCallChange = v.InferOutput<typeof OnCallChange>;

/** Who was on call in a group at the last check, and the changes that have not been reported yet. */
export const OnCallTimeline = v.object({
  groupId: v.string(),
  /** The group's name as of the last change: a deleted group has none. */
  name: v.string(),
  onCall: v.array(v.string()),
  at: v.number(),
  told: v.number(),
  sequence: v.number(),
  untold: v.array(OnCallChange),
});
export type OnCallTimeline = v.InferOutput<typeof OnCallTimeline>;

/** A group now. */
export type GroupNow = DutyGroup & { name: string };

/** Of more changes than this since the last check, only the newest are reported. */
const REPORTED_AT_ONCE = 50;

type Moment = { at: number; onCall: string[] };

const momentsOf = (group: GroupNow, from: number, to: number): Moment[] =>
  [...stretches(group, from, to + 1)].map(({ start, people }) => ({
    at: start,
    onCall: [...new Set(people.map(({ userId }) => userId))].sort(),
  }));

/**
 * The moments at which others came on call, in order. While the schedule's result for the last checked moment is
 * unchanged, each change has the time that the schedule gives it. Otherwise the schedule or an override was edited
 * since: its past is not what was true then, so there is one change, now.
 */
const changedMoments = (group: GroupNow, seen: readonly string[], from: number, to: number): Moment[] => {
  const [first, ...later] = momentsOf(group, from, to);
  const last = later.at(-1) ?? first;
  const moments = isSame(first?.onCall, seen) || last === undefined ? later : [{ ...last, at: to }];
  const differing = moments.filter(({ onCall }, index) => !isSame(onCall, moments[index - 1]?.onCall ?? seen));
  return differing.slice(-REPORTED_AT_ONCE);
};

const unseen = (groupId: string): OnCallTimeline => ({
  groupId,
  name: "",
  onCall: [],
  at: 0,
  told: 0,
  sequence: 0,
  untold: [],
});

/**
 * A group's state updated to the moment `to`, or the same state if nobody else is on call. A group without a state is
 * unknown: nobody was on call there. `group` is undefined once it is deleted: then nobody is. `from`: the time of the
 * last check; undefined if there was none, so that what is found now is not reported.
 */
export const carriedOn = (
  groupId: string,
  timeline: OnCallTimeline | undefined,
  group: GroupNow | undefined,
  { from, to }: { from: number | undefined; to: number },
): OnCallTimeline | undefined => {
  const before = timeline ?? unseen(groupId);
  // The clock of the last check may be ahead of this one.
  const until = Math.max(to, before.at);
  const since = Math.min(until, Math.max(from ?? until, before.at));
  const told = Math.max(until, before.told);
  const name = group?.name ?? before.name;
  const nobody: Moment[] = before.onCall.length === 0 ? [] : [{ at: until, onCall: [] }];
  if (from === undefined) {
    const onCall = group === undefined ? [] : (momentsOf(group, until, until)[0]?.onCall ?? []);
    if (isSame(onCall, before.onCall) && before.untold.length === 0) return timeline;
    return { ...before, name, onCall, at: until, told, untold: [] };
  }
  const moments = group === undefined ? nobody : changedMoments(group, before.onCall, since, until);
  const last = moments.at(-1);
  if (last === undefined) return timeline;
  const changes = moments.map(({ at, onCall }, index): OnCallChange => ({
    sequence: before.sequence + index + 1,
    at,
    told,
    onCall,
    before: moments[index - 1]?.onCall ?? before.onCall,
  }));
  return {
    ...before,
    name,
    onCall: last.onCall,
    at: until,
    told,
    sequence: before.sequence + changes.length,
    untold: [...before.untold, ...changes],
  };
};

/** The longest delay of a reported change when no moment for a check was known. */
const CHECK_AFTER_MS = DAY_MS;

/** When somebody else can come on call next in one of the groups, or when to check again if that is far away. */
export const nextCheckAt = (groups: Iterable<GroupNow>, now: number): number =>
  Math.min(
    now + CHECK_AFTER_MS,
    ...[...groups].map((group) => nextChange(group, now, CHECK_AFTER_MS / DAY_MS)?.at ?? Infinity),
  );
