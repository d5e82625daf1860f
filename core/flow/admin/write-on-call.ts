import type { Recording, TableDeps } from "../../deps.ts";
import {
  gaps,
  keepingTurns,
  peopleOfSchedule,
  serving,
  stretches,
  type OnCallOverrideInput,
  type OnCallSchedule,
} from "../../domain/on-call/index.ts";
import {
  noSchedule,
  type OnCallOverride,
  type OnCallView,
  type WrittenOverride,
  type WrittenSchedule,
} from "../../domain/on-call/views.ts";
import type { People } from "../../domain/people/people.ts";
import { lossWarnings } from "../../domain/planning/reach.ts";
import { scheduleReferenceFaults } from "../../domain/planning/references.ts";
import { invalid, notFound } from "../../domain/basics/refusal.ts";
import { fromIso, toIso } from "../../domain/basics/time.ts";
import { warn } from "../../domain/people/warning.ts";
import { type Warning } from "../../domain/basics/warning.ts";
import type { Expected } from "../../domain/basics/version.ts";
import { loadPeople } from "../../store/people.ts";
import { listGroupMembers, readGroup } from "../../store/groups.ts";
import { readMember } from "../../store/members.ts";
import * as onCall from "../../store/on-call.ts";
import { warningsOfPeople } from "../read/find-warnings.ts";

/** Warns if nobody in the group is on call any more at this moment. */
const lossesBy = async (
  deps: TableDeps,
  ws: string,
  groupId: string,
  before: People,
  now: number,
): Promise<Warning[]> => lossWarnings(before, await loadPeople(deps, ws), now).filter(({ id }) => id === groupId);

/** Warns of people who are on call but not in the group: their shifts tell nobody. */
const outsiderWarnings = (userIds: readonly string[], memberIds: readonly string[]): Warning[] =>
  [...new Set(userIds)]
    .filter((userId) => !memberIds.includes(userId))
    .map((id) => warn("participant_not_in_group", id));

/**
 * Gives a group its schedule. A rotation that people were added to or removed from continues from its current turn.
 * Throws Refusal `not_found` for an unknown group, `invalid_input` for people who are not members of the workspace.
 */
export const putSchedule = async (
  deps: Recording,
  ws: string,
  groupId: string,
  written: OnCallSchedule,
  expected?: Expected,
): Promise<WrittenSchedule> => {
  const people = await loadPeople(deps, ws);
  const group = people.groups.get(groupId);
  if (group === undefined) throw notFound("group");
  const faults = scheduleReferenceFaults(written, people);
  if (faults.length > 0) throw invalid(faults);
  const now = deps.now();
  const next = (previous: OnCallSchedule | undefined): OnCallSchedule =>
    previous === undefined ? written : keepingTurns(previous, written, now);
  const stored = await onCall.putSchedule(deps, ws, groupId, next, expected);
  const found = gaps(stored, people.overrides.get(groupId) ?? [], now);
  const participants = peopleOfSchedule(stored);
  return {
    ...stored,
    gaps: found.map(({ start, end }) => ({ start: toIso(start), end: toIso(end) })),
    warnings: [
      ...(await lossesBy(deps, ws, groupId, people, now)),
      ...outsiderWarnings(participants, group.memberIds),
      ...serving(stored, now).never.map((userId) => warn("never_on_duty", userId)),
      ...(found.length === 0 ? [] : [warn("gaps")]),
      ...(await warningsOfPeople(deps, ws, participants)),
    ],
  };
};

/** Undefined for a group without a schedule. Throws Refusal `not_found` for an unknown group. */
export const findOnCall = async (deps: TableDeps, ws: string, groupId: string): Promise<OnCallView | undefined> => {
  if ((await readGroup(deps, ws, groupId)) === undefined) throw notFound("group");
  const schedule = await onCall.readSchedule(deps, ws, groupId);
  return schedule === undefined ? undefined : { ...schedule, overrides: await onCall.listOverrides(deps, ws, groupId) };
};

/** Throws Refusal `not_found` for an unknown group or one without a schedule. */
export const readOnCall = async (deps: TableDeps, ws: string, groupId: string): Promise<OnCallView> => {
  const found = await findOnCall(deps, ws, groupId);
  if (found === undefined) throw notFound("on-call schedule");
  return found;
};

/**
 * Whether a change of who is on call from `start` to `end` (timestamps) is about somebody's own shifts: they take over,
 * or would be on call alone in all of that time if it were not for the overrides that are left out.
 */
const isOwnShift = async (
  deps: TableDeps,
  { ws, groupId, by }: { ws: string; groupId: string; by: string },
  { userId, start, end }: Pick<OnCallOverride, "userId" | "start" | "end">,
  without?: string,
): Promise<boolean> => {
  if (userId === by) return true;
  const schedule = await onCall.readSchedule(deps, ws, groupId);
  const overrides = (await onCall.listOverrides(deps, ws, groupId)).filter(({ id }) => id !== without);
  const times = stretches(schedule ?? noSchedule, overrides, fromIso(start) ?? 0, fromIso(end) ?? 0);
  return [...times].every(({ people }) => people.length === 1 && people[0]?.userId === by);
};

/** Whether an override that somebody asks for gives away, or takes over, a shift of their own. */
export const isOwnOverride = (
  deps: TableDeps,
  of: { ws: string; groupId: string; by: string },
  input: OnCallOverrideInput,
): Promise<boolean> => isOwnShift(deps, of, input);

/** Whether an override put somebody on call, or took them off who would be without it. */
export const wasOwnOverride = async (
  deps: TableDeps,
  of: { ws: string; groupId: string; by: string },
  overrideId: string,
): Promise<boolean> => {
  const overrides = await onCall.listOverrides(deps, of.ws, of.groupId);
  const known = overrides.find(({ id }) => id === overrideId);
  return known === undefined || isOwnShift(deps, of, known, overrideId);
};

/** Throws Refusal `not_found` for an unknown group, `invalid_input` for a user who is not a member of the workspace. */
export const addOverride = async (
  deps: Recording,
  ws: string,
  groupId: string,
  input: OnCallOverrideInput,
): Promise<WrittenOverride> => {
  if ((await readGroup(deps, ws, groupId)) === undefined) throw notFound("group");
  if ((await readMember(deps, ws, input.userId)) === undefined)
    throw invalid([
      { field: "userId", code: "unknown_reference", message: "userId must be the id of a member of this workspace." },
    ]);
  const override = await onCall.addOverride(deps, ws, groupId, input);
  const members = await listGroupMembers(deps, ws, groupId);
  return {
    ...override,
    warnings: [
      ...outsiderWarnings(
        [input.userId],
        members.map(({ userId }) => userId),
      ),
      ...(await warningsOfPeople(deps, ws, [input.userId])),
    ],
  };
};
