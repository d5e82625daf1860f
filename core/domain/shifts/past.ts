import * as v from "valibot";
import { type DutyGroup, OnCallSchedule, type OverridePeriod } from "../on-call/index.ts";
import { StoredHolidays } from "../on-call/schedule.ts";
import { undoOverrideChange } from "../on-call/override-history.ts";
import type { People } from "../people/people.ts";

/* To find out who was on call in the past, undoes the changes in the audit trail one by one, the newest change first. */

/** A time in which a group's schedule, overrides and members stay the same (milliseconds). */
export type Phase = { from: number; to: number; group: DutyGroup };

type Fields = Readonly<Record<string, unknown>> | null;

type Change = { at: number; action: string; target: { kind: string; id: string }; before: Fields; after: Fields };

const Schedule = v.object({ ...OnCallSchedule.entries, holidays: StoredHolidays });

/** A group at a time in the past. `members`: people who were in the group at that time and have left since. */
type State = { schedule: OnCallSchedule; overrides: readonly OverridePeriod[]; members: ReadonlySet<string> };

/** Returns a group's state before the change. The first version of a schedule also applies before its creation. */
const undoScheduleChange = (state: State, change: Change): State => {
  const { action, target, before } = change;
  if (target.kind === "group_member" && action === "deleted")
    return { ...state, members: new Set([...state.members, target.id]) };
  if (target.kind === "schedule" && action !== "created") {
    const fields = Object.entries({ ...state.schedule, ...before }).filter(([, value]) => value !== null);
    const schedule = v.safeParse(Schedule, Object.fromEntries(fields));
    return schedule.success ? { ...state, schedule: schedule.output } : state;
  }
  if (target.kind === "cover" || target.kind === "override")
    return { ...state, overrides: undoOverrideChange(state.overrides, change) };
  return state;
};

const isChangeOfGroup = (groupId: string, { target, before, after }: Change): boolean =>
  target.kind === "schedule" ? target.id === groupId : (after ?? before)?.["group"] === groupId;

/** Lists the periods between changes of a group's schedule, from `from` to `to` (ms). `changes`: since `from`, newest first. */
export const listGroupPhases = (
  people: People,
  groupId: string,
  changes: readonly Change[],
  { from, to }: { from: number; to: number },
): Phase[] => {
  const { schedule, overrides, blockOf } = people.duty(groupId).group;
  const phases: Phase[] = [];
  let state: State = { schedule, overrides, members: new Set() };
  let until = to;
  const addPhaseFrom = (at: number): void => {
    const { members, ...group } = state;
    if (at >= until) return;
    const then = { ...group, blockOf: (userId: string) => (members.has(userId) ? undefined : blockOf?.(userId)) };
    phases.unshift({ from: at, to: until, group: then });
    until = at;
  };
  for (const change of changes.filter((one) => isChangeOfGroup(groupId, one))) {
    addPhaseFrom(Math.max(from, change.at));
    state = undoScheduleChange(state, change);
  }
  addPhaseFrom(from);
  return phases;
};
