import type { AuditDeps, TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import {
  findGaps,
  keepTurns,
  listScheduleUsers,
  findEverOnCall,
  listStretches,
  type OnCallOverrideInput,
  type OnCallSchedule,
} from "../../domain/on-call/index.ts";
import {
  noSchedule,
  type OnCallOverride,
  type OverrideView,
  type OnCallView,
  type WrittenOverride,
  type WrittenSchedule,
} from "../../domain/on-call/views.ts";
import { listOverridePeople, type People, markUnreachable } from "../../domain/people/people.ts";
import { listDutyMoves } from "../../domain/on-call/duty-moves.ts";
import { endsAfter } from "../../domain/on-call/override.ts";
import { checkUnattendedGroups } from "../../domain/planning/reach.ts";
import { findScheduleReferenceFaults } from "../../domain/planning/references.ts";
import { invalidInput, refuseField, notFoundRefusal } from "../../domain/basics/refusal.ts";
import { fromIso, toIso } from "../../domain/basics/time.ts";
import { createWarning } from "../../domain/people/warning.ts";
import { type Warning } from "../../domain/basics/warning.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import { loadPeople, readGroupMember } from "../../store/people/people.ts";
import { addGroupMember, listGroupMembers, readGroup } from "../../store/people/groups.ts";
import { createMemberNamer } from "../../store/people/read-members.ts";
import * as onCall from "../../store/schedules/on-call.ts";
import { readPeopleWarnings } from "../read/find-warnings.ts";
import { listUnreachable } from "../read/reach-of-people.ts";

export type NotifyOfShifts = (ws: WorkspaceId, before: People, after: People) => Promise<void>;

/** Warns of people in the schedule who are not in the group, because the group's events do not notify these people. */
const warnOfOutsiders = (userIds: readonly string[], memberIds: readonly string[]): Warning[] =>
  [...new Set(userIds)]
    .filter((userId) => !memberIds.includes(userId))
    .map((id) => createWarning("participant_not_in_group", id));

/** Returns a warning for each person who was on call before the change, and whose shifts the change moves. */
const warnOfMovedTurns = (before: People, after: People, groupId: string, now: number): Warning[] =>
  listDutyMoves(before.duty(groupId).group, after.duty(groupId).group, now)
    .filter(({ wasOnCall }) => wasOnCall)
    .map(({ userId }) => createWarning("turns_moved", userId));

/** Stores a schedule. A rotation whose people change continues from its current turn. Throws `not_found`, `invalid_input`. */
export const putSchedule = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  groupId: string,
  schedule: OnCallSchedule,
  expected: IfMatch | undefined,
  notify: NotifyOfShifts,
): Promise<WrittenSchedule> => {
  const before = await loadPeople(deps, ws);
  const group = before.groups.get(groupId);
  if (group === undefined) throw notFoundRefusal("group");
  const faults = findScheduleReferenceFaults(schedule, before);
  if (faults.length > 0) throw invalidInput(faults);
  const now = deps.now();
  const keepCurrentTurns = (previous: OnCallSchedule | undefined): OnCallSchedule =>
    previous === undefined ? schedule : keepTurns(previous, schedule, now);
  const stored = await onCall.putSchedule(deps, ws, groupId, keepCurrentTurns, expected);
  const after = await loadPeople(deps, ws);
  const participants = listScheduleUsers(stored);
  const named = [...participants, ...listScheduleUsers(before.schedules.get(groupId) ?? noSchedule)];
  const asked = [...new Set([...named, ...listOverridePeople(after, now, Infinity)])];
  const unreachable = new Set(await listUnreachable(deps, ws, asked, after.members.size));
  const [was, is] = [markUnreachable(before, unreachable), markUnreachable(after, unreachable)];
  const found = findGaps(is.duty(groupId).group, now);
  await notify(ws, before, after);
  return {
    ...stored,
    gaps: found.map(({ start, end }) => ({ start: toIso(start), end: toIso(end) })),
    warnings: [
      ...checkUnattendedGroups(was, is, now).filter(({ id }) => id === groupId),
      ...warnOfMovedTurns(was, is, groupId, now),
      ...warnOfOutsiders(participants, group.memberIds),
      ...findEverOnCall(stored, now).never.map((userId) => createWarning("never_on_duty", userId)),
      ...(found.length === 0 ? [] : [createWarning("gaps")]),
      ...(await readPeopleWarnings(deps, ws, participants)),
    ],
  };
};

const createOverrideViews = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  groupId: string,
  overrides: readonly OnCallOverride[],
): Promise<OverrideView[]> => {
  if (overrides.length === 0) return [];
  const now = deps.now();
  const present = overrides.filter((override) => endsAfter(override, now)).map(({ userId }) => userId);
  const [call, members, unreachable] = await Promise.all([
    createMemberNamer(
      deps,
      ws,
      overrides.map(({ createdBy }) => createdBy),
    ),
    listGroupMembers(deps, ws, groupId),
    listUnreachable(deps, ws, [...new Set(present)]),
  ]);
  return overrides.map((override) => ({
    ...override,
    createdBy: call(override.createdBy),
    covers: members.some(({ userId }) => userId === override.userId) && !unreachable.includes(override.userId),
  }));
};

/** Returns a group's schedule and overrides. With only overrides, the schedule is empty. Undefined if neither exists. */
export const findOnCallView = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  groupId: string,
): Promise<OnCallView | undefined> => {
  if ((await readGroup(deps, ws, groupId)) === undefined) throw notFoundRefusal("group");
  const [stored, overrides] = await Promise.all([
    onCall.readSchedule(deps, ws, groupId),
    onCall.listOverrides(deps, ws, groupId),
  ]);
  const updatedAt = overrides
    .map(({ createdAt }) => createdAt)
    .toSorted()
    .at(-1);
  const empty = updatedAt === undefined ? undefined : { ...noSchedule, groupId, version: 0, updatedAt };
  const schedule = stored ?? empty;
  if (schedule === undefined) return undefined;
  return { ...schedule, overrides: await createOverrideViews(deps, ws, groupId, overrides) };
};

/** Like `findOnCallView`, but throws Refusal `not_found` instead of returning undefined. */
export const readOnCallView = async (deps: TimedDeps, ws: WorkspaceId, groupId: string): Promise<OnCallView> => {
  const found = await findOnCallView(deps, ws, groupId);
  if (found === undefined) throw notFoundRefusal("on-call schedule");
  return found;
};

/** Returns whether the override would put the caller on call, in a group that the caller already belongs to. */
export const isOwnOverride = async (
  deps: TableDeps,
  { ws, groupId, caller }: { ws: WorkspaceId; groupId: string; caller: string },
  { userId }: OnCallOverrideInput,
): Promise<boolean> => userId === caller && (await readGroupMember(deps, ws, { groupId, userId })) !== undefined;

/**
 * Returns whether the caller created the override, is on call by it, or would be on call alone without it. Returns true for an
 * unknown override, and false for the override of a cover that has begun.
 */
export const mayDeleteOwnOverride = async (
  deps: TimedDeps,
  { ws, groupId, caller }: { ws: WorkspaceId; groupId: string; caller: string },
  overrideId: string,
): Promise<boolean> => {
  const all = await onCall.listOverrides(deps, ws, groupId);
  const known = all.find(({ id }) => id === overrideId);
  if (known?.coverId !== undefined && (fromIso(known.start) ?? 0) <= deps.now()) return false;
  if (known === undefined || known.userId === caller || known.createdBy === caller) return true;
  const schedule = (await onCall.readSchedule(deps, ws, groupId)) ?? noSchedule;
  const overrides = all.filter(({ id }) => id !== overrideId);
  const times = listStretches({ schedule, overrides }, fromIso(known.start) ?? 0, fromIso(known.end) ?? 0);
  return [...times].every(({ people }) => people.length === 1 && people[0]?.userId === caller);
};

/** Stores an override; adds its person to the group if necessary. Throws `not_found`, and `invalid_input` for a non-member. */
export const addOverride = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  groupId: string,
  input: OnCallOverrideInput,
  notify: NotifyOfShifts,
): Promise<WrittenOverride> => {
  const before = await loadPeople(deps, ws);
  if (!before.groups.has(groupId)) throw notFoundRefusal("group");
  const { userId } = input;
  if (!before.members.has(userId))
    throw refuseField("userId", "unknown_reference", "userId must be the id of a member of this workspace.");
  const { kind } = await addGroupMember(deps, ws, { groupId, userId });
  const override = await onCall.addOverride(deps, ws, groupId, input);
  await notify(ws, before, await loadPeople(deps, ws));
  const warnings = [
    ...(kind === "created" ? [createWarning("joined_group", userId)] : []),
    ...(await readPeopleWarnings(deps, ws, [userId])),
  ];
  const [shown = { ...override, createdBy: null, covers: false }] = await createOverrideViews(deps, ws, groupId, [
    override,
  ]);
  return { ...shown, warnings };
};
