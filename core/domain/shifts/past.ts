import * as v from "valibot";
import { type DutyGroup, OnCallSchedule, type OverridePeriod } from "../on-call/index.ts";
import type { People } from "../people/people.ts";

/*
 * Reconstructs who was on call in the past. The audit trail has every change of a schedule, an override, a cover and
 * a group, so the current state is undone entry by entry.
 */

/** A time (milliseconds) during which the same settings decided who was on call in a group. */
export type Phase = { from: number; to: number; group: DutyGroup };

type Fields = Readonly<Record<string, unknown>> | null;

/** An entry of the audit trail. */
type Change = { at: number; action: string; target: { kind: string; id: string }; before: Fields; after: Fields };

const Schedule = v.object(OnCallSchedule.entries);
const Period = v.object({
  userId: v.string(),
  start: v.string(),
  end: v.string(),
  insteadOf: v.exactOptional(v.string()),
  coverId: v.exactOptional(v.string()),
});
type Override = OverridePeriod & { coverId?: string };

/** `members`: people who have left the group since then. */
type State = { schedule: OnCallSchedule; overrides: readonly Override[]; members: ReadonlySet<string> };

const periodOf = (id: string, fields: object | null): Override[] => {
  const { success, output } = v.safeParse(Period, fields);
  return success ? [{ ...output, id }] : [];
};

const overridesOfCover = (id: string, cover: Change["before"]): Override[] => {
  if (cover?.["state"] !== "taken") return [];
  const { userId, takenBy, inReturn } = cover;
  return [
    ...periodOf(`${id} given`, { ...cover, userId: takenBy, insteadOf: userId, coverId: id }),
    ...periodOf(`${id} returned`, { ...Object(inReturn), userId, insteadOf: takenBy, coverId: id }),
  ];
};

/** Returns the state before a change. The first version of a schedule also counts for the time before it. */
const undo = (state: State, { action, target: { kind, id }, before }: Change): State => {
  if (kind === "group_member" && action === "deleted") return { ...state, members: new Set([...state.members, id]) };
  if (kind === "schedule" && action !== "created") {
    const fields = Object.entries({ ...state.schedule, ...before }).filter(([, value]) => value !== null);
    const schedule = v.safeParse(Schedule, Object.fromEntries(fields));
    return schedule.success ? { ...state, schedule: schedule.output } : state;
  }
  const others = state.overrides.filter((override) => override.id !== id && override.coverId !== id);
  if (kind === "cover") return { ...state, overrides: [...others, ...overridesOfCover(id, before)] };
  if (kind === "override")
    return { ...state, overrides: [...others, ...(action === "deleted" ? periodOf(id, before) : [])] };
  return state;
};

const isOf = (groupId: string, { target, before, after }: Change): boolean =>
  target.kind === "schedule" ? target.id === groupId : (after ?? before)?.["group"] === groupId;

/** Returns the phases of a group between two moments (milliseconds). `changes`: all changes since the first moment, the newest first. */
export const phasesOf = (
  people: People,
  groupId: string,
  changes: readonly Change[],
  { from, to }: { from: number; to: number },
): Phase[] => {
  const { schedule, overrides, blockOf } = people.duty(groupId).group;
  const phases: Phase[] = [];
  let state: State = { schedule, overrides, members: new Set() };
  let until = to;
  const end = (at: number): void => {
    const { members, ...group } = state;
    if (at >= until) return;
    const then = { ...group, blockOf: (userId: string) => (members.has(userId) ? undefined : blockOf?.(userId)) };
    phases.unshift({ from: at, to: until, group: then });
    until = at;
  };
  for (const change of changes.filter((one) => isOf(groupId, one))) {
    end(Math.max(from, change.at));
    state = undo(state, change);
  }
  end(from);
  return phases;
};
