import * as v from "valibot";
import { isDeepEqual } from "../basics/equality.ts";
import { DAY_MS } from "../basics/units.ts";
import type { DutyGroup } from "./duty.ts";
import { findNextOnCallChange, listStretches } from "./stretches.ts";

/* No code runs when a shift begins. Each check finds who came on call since the previous check. */

/** A change of the people on call. People are ids, sorted; times are in milliseconds. */
export const OnCallChange = v.object({
  /** The change's number in its group, from 1. */
  sequence: v.number(),
  at: v.number(),
  /** When the change was detected; never before earlier changes, even if clocks differ. */
  told: v.number(),
  onCall: v.array(v.string()),
  before: v.array(v.string()),
});
export type OnCallChange = v.InferOutput<typeof OnCallChange>;

/** The people on call at the last check, and the changes that were not reported yet. */
export const OnCallTimeline = v.object({
  groupId: v.string(),
  /** The group's name at the last change, which is still known after the group's deletion. */
  name: v.string(),
  onCall: v.array(v.string()),
  at: v.number(),
  told: v.number(),
  sequence: v.number(),
  untold: v.array(OnCallChange),
});
export type OnCallTimeline = v.InferOutput<typeof OnCallTimeline>;

export type GroupNow = DutyGroup & { name: string };

/** The maximum number of changes that one check reports. If a check finds more changes, the oldest are skipped. */
const REPORTED_AT_ONCE = 50;

type Moment = { at: number; onCall: string[] };

/** Lists who is on call at `from`, and after each change up to `to`. */
const listOnCallMoments = (group: GroupNow, from: number, to: number): Moment[] =>
  [...listStretches(group, from, to + 1)].map(({ start, people }) => ({
    at: start,
    onCall: [...new Set(people.map(({ userId }) => userId))].sort(),
  }));

/** Lists the changes after `from`, up to `to`. If an edit of the schedule made `lastOnCall` wrong, lists one change, at `to`. */
const listNewOnCallMoments = (group: GroupNow, lastOnCall: readonly string[], from: number, to: number): Moment[] => {
  const all = listOnCallMoments(group, from, to);
  const isUnedited = isDeepEqual(all[0]?.onCall, lastOnCall);
  const moments = isUnedited ? all.slice(1) : all.slice(-1).map((last) => ({ ...last, at: to }));
  const differing = moments.filter(
    ({ onCall }, index) => !isDeepEqual(onCall, moments[index - 1]?.onCall ?? lastOnCall),
  );
  return differing.slice(-REPORTED_AT_ONCE);
};

const createEmptyTimeline = (groupId: string): OnCallTimeline => ({
  groupId,
  name: "",
  onCall: [],
  at: 0,
  told: 0,
  sequence: 0,
  untold: [],
});

/**
 * Adds the changes of who is on call between `from` and `to`. Without `from`, only stores who is on call at `to`.
 * Returns the same object if nothing changes. `group`: undefined if deleted.
 */
export const advanceTimeline = (
  groupId: string,
  timeline: OnCallTimeline | undefined,
  group: GroupNow | undefined,
  { from, to }: { from: number | undefined; to: number },
): OnCallTimeline | undefined => {
  const before = timeline ?? createEmptyTimeline(groupId);
  // The function that made the last check may have had a faster clock.
  const until = Math.max(to, before.at);
  const since = Math.min(until, Math.max(from ?? until, before.at));
  const told = Math.max(until, before.told);
  const name = group?.name ?? before.name;
  const nobody: Moment[] = before.onCall.length === 0 ? [] : [{ at: until, onCall: [] }];
  if (from === undefined) {
    const [present] = group === undefined ? [] : listOnCallMoments(group, until, until);
    const onCall = present?.onCall ?? [];
    if (isDeepEqual(onCall, before.onCall) && before.untold.length === 0) return timeline;
    return { ...before, name, onCall, at: until, told, untold: [] };
  }
  const moments = group === undefined ? nobody : listNewOnCallMoments(group, before.onCall, since, until);
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

const CHECK_AFTER_DAYS = 1;

/** Returns when the people on call change next, but at most one day from now. */
export const computeNextOnCallCheckTime = (groups: Iterable<GroupNow>, now: number): number =>
  Math.min(
    now + CHECK_AFTER_DAYS * DAY_MS,
    ...[...groups].map((group) => findNextOnCallChange(group, now, CHECK_AFTER_DAYS)?.at ?? Infinity),
  );
