import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { findNextOnCallChange } from "../../domain/on-call/index.ts";
import { wasReachabilityConfirmed, type ReachabilityCheck } from "../../domain/shifts/reachability-check.ts";
import { toOnCallMembers, type GroupOnCallNow, type OnCallNow } from "../../domain/on-call/views.ts";
import { type People, markUnreachable } from "../../domain/people/people.ts";
import { notFoundRefusal } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import { loadPeople } from "../../store/people/people.ts";
import { listUnreachable, addReachability } from "./reach-of-people.ts";
import { listReachabilityChecks } from "../../store/schedules/reachability-checks.ts";

/** Returns who is on call in a group at `now` (ms), and the next change. `checks`: say whose devices have confirmed. */
const toOnCallNow = (people: People, checks: readonly ReachabilityCheck[], groupId: string, now: number): OnCallNow => {
  const { group, at: findDutyAt } = people.duty(groupId);
  const createConfirmationCheck = (shiftAt: number) => (userId: string) =>
    wasReachabilityConfirmed(checks, { groupId, userId, at: shiftAt });
  const next = findNextOnCallChange(group, now);
  return {
    groupId,
    at: toIso(now),
    onCall: toOnCallMembers(findDutyAt(now).people, people.members, createConfirmationCheck(now)),
    next:
      next === undefined
        ? null
        : {
            at: toIso(next.at),
            onCall: toOnCallMembers(next.people, people.members, createConfirmationCheck(next.at)),
          },
  };
};

/** Reads who is on call at `at` (ms) in the groups that `chooseGroups` selects. Also returns the workspace's people. */
const readOnCallAt = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  at: number,
  chooseGroups: (people: People) => readonly string[],
): Promise<{ people: People; onCall: OnCallNow[] }> => {
  const [loaded, proofs] = await Promise.all([
    loadPeople(deps, ws),
    listReachabilityChecks(deps, ws, { consistent: false }),
  ]);
  const groupIds = chooseGroups(loaded);
  const deciding = await addReachability(deps, ws, loaded, { from: at, to: Infinity });
  const shown = groupIds.map((groupId) => toOnCallNow(deciding, proofs, groupId, at));
  const named = shown.flatMap(({ onCall, next }) => [...onCall, ...(next?.onCall ?? [])]).map(({ userId }) => userId);
  const unreachable = await listUnreachable(deps, ws, [...new Set(named)], loaded.members.size);
  const people = markUnreachable(deciding, new Set([...(deciding.unreachable ?? []), ...unreachable]));
  return { people, onCall: groupIds.map((groupId) => toOnCallNow(people, proofs, groupId, at)) };
};

/** Reads who is on call in a group at `at` (milliseconds). Throws Refusal `not_found` for an unknown group. */
export const readOnCallNow = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  groupId: string,
  at: number,
): Promise<OnCallNow> => {
  const { onCall } = await readOnCallAt(deps, ws, at, ({ groups }) => (groups.has(groupId) ? [groupId] : []));
  const [only] = onCall;
  if (only === undefined) throw notFoundRefusal("group");
  return only;
};

export const readOnCallOfAllGroups = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  at: number,
): Promise<GroupOnCallNow[]> => {
  const { people, onCall } = await readOnCallAt(deps, ws, at, ({ groups }) =>
    [...groups.values()]
      .map(({ group }) => group)
      .toSorted((one, other) =>
        one.createdAt === other.createdAt ? (one.id < other.id ? -1 : 1) : one.createdAt < other.createdAt ? -1 : 1,
      )
      .map(({ id }) => id),
  );
  return onCall.map((one) => ({
    groupName: people.groups.get(one.groupId)?.group.name ?? "",
    hasSchedule: people.schedules.has(one.groupId) || (people.overrides.get(one.groupId)?.length ?? 0) > 0,
    ...one,
  }));
};
