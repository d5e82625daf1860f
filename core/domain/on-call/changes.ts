import * as v from "valibot";
import { isSame } from "../basics/same.ts";
import { DAY_MS } from "../basics/units.ts";
import type { DutyGroup } from "./duty.ts";
import { nextChange, stretches } from "./stretches.ts";

/*
 * Who has come on call in a group since somebody last looked. It is worked out from the schedule and from who was on call
 * then, so that neither a shift that begins nor a change of the schedule has to write anything down.
 */

/** Other people came on call. People are ids, in their order; times are in milliseconds. */
export const OnCallChange = v.object({
  /** Counts the changes of a group, from 1. */
  sequence: v.number(),
  at: v.number(),
  /** When it was noticed. It never goes back, whatever the clocks say. */
  told: v.number(),
  onCall: v.array(v.string()),
  before: v.array(v.string()),
});
export type OnCallChange = v.InferOutput<typeof OnCallChange>;

/** Who is on call in a group as far as somebody has looked, and the changes that have yet to be told. */
export const OnCallTimeline = v.object({
  groupId: v.string(),
  /** The group's name as of the last change: a group that is deleted has none any more. */
  name: v.string(),
  onCall: v.array(v.string()),
  at: v.number(),
  told: v.number(),
  sequence: v.number(),
  untold: v.array(OnCallChange),
});
export type OnCallTimeline = v.InferOutput<typeof OnCallTimeline>;

/** A group as it is now. */
export type GroupNow = DutyGroup & { name: string };

/** More changes than this since the last look are not told one by one: only the newest. */
const REPORTED_AT_ONCE = 50;

type Moment = { at: number; onCall: string[] };

const momentsOf = (group: GroupNow, from: number, to: number): Moment[] =>
  [...stretches(group, from, to + 1)].map(({ start, people }) => ({
    at: start,
    onCall: [...new Set(people.map(({ userId }) => userId))].sort(),
  }));

/**
 * The moments at which others came on call, in order. As long as the schedule says the same of the first moment as was
 * seen then, each change has the time that the schedule gives it. If it does not, the schedule or an override was
 * edited since: what it says of the time before is not what was, so there is one change, now.
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
 * A group's story carried on to the moment `to`, or the same story where nobody else is on call. Nothing is known of a
 * group without a story: nobody was on call there. `group` is undefined once it is deleted: then nobody is. `from`: when
 * somebody last looked; undefined if nobody did, so that what is found now is told to nobody.
 */
export const carriedOn = (
  groupId: string,
  timeline: OnCallTimeline | undefined,
  group: GroupNow | undefined,
  { from, to }: { from: number | undefined; to: number },
): OnCallTimeline | undefined => {
  const before = timeline ?? unseen(groupId);
  // The clock of whoever looked last may be ahead of this one.
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

/** Nobody is told of a change later than this because no moment for a look was known. */
const CHECK_AFTER_MS = DAY_MS;

/** When somebody else can come on call next in one of the groups, or when to look again if that is far away. */
export const nextCheckAt = (groups: Iterable<GroupNow>, now: number): number =>
  Math.min(
    now + CHECK_AFTER_MS,
    ...[...groups].map((group) => nextChange(group, now, CHECK_AFTER_MS / DAY_MS)?.at ?? Infinity),
  );
