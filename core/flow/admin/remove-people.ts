import type { AuditDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import type { MemberOfGroup } from "../../domain/people/group.ts";
import type { Warning } from "../../domain/basics/warning.ts";
import { checkUnattendedGroups } from "../../domain/planning/reach.ts";
import { findPoliciesThatName, refuseUsedByPolicies, type RemovedTarget } from "../../domain/planning/uses.ts";
import { deleteApiKey, listApiKeys } from "../../store/people/api-keys.ts";
import { deleteCalendar, listOwnersOfFeedsCreatedBy } from "../../store/schedules/calendars.ts";
import { loadPeople } from "../../store/people/people.ts";
import * as groups from "../../store/people/groups.ts";
import * as members from "../../store/people/members.ts";
import { listRules } from "../../store/rules/rules.ts";
import * as onCall from "../../store/schedules/on-call.ts";
import type { NotifyOfShifts } from "./write-on-call.ts";

/** The outcome of a removal, and warnings of groups that the removal leaves without anybody to notify. */
export type Removal<Outcome> = { outcome: Outcome; warnings: Warning[] };

/** Throws Refusal `used_by_policies` if `target` is an existing group or user that an escalation step names. */
const requireNotInPolicies = async (deps: AuditDeps, ws: WorkspaceId, target: RemovedTarget): Promise<void> => {
  const { groups: known, members: present, policies } = await loadPeople(deps, ws);
  if ("groupId" in target ? !known.has(target.groupId) : !present.has(target.userId)) return;
  const users = findPoliciesThatName(target, policies.values());
  if (users.length > 0) throw refuseUsedByPolicies(target, users, await listRules(deps, ws));
};

/** Deletes a group. Returns whether the group existed. Throws `used_by_policies` if steps name the group, unless `force`. */
export const deleteGroup = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  groupId: string,
  { force, expected }: { force: boolean; expected: IfMatch },
): Promise<boolean> => {
  if (!force) await requireNotInPolicies(deps, ws, { groupId });
  return groups.deleteGroup(deps, ws, groupId, expected);
};

/** Calls `remove`, then `notify` with the people before and after the removal. Returns the result of `remove`, and warnings. */
const removeAndNotify = async <Outcome>(
  deps: AuditDeps,
  ws: WorkspaceId,
  notify: NotifyOfShifts,
  remove: () => Promise<Outcome>,
): Promise<Removal<Outcome>> => {
  const before = await loadPeople(deps, ws);
  const outcome = await remove();
  const after = await loadPeople(deps, ws);
  await notify(ws, before, after);
  return { outcome, warnings: checkUnattendedGroups(before, after, deps.now()) };
};

/** Removes a member from a group, and notifies people whose shifts change. `outcome`: whether the person was in the group. */
export const removeFromGroup = (
  deps: AuditDeps,
  ws: WorkspaceId,
  member: MemberOfGroup,
  notify: NotifyOfShifts,
): Promise<Removal<boolean>> => removeAndNotify(deps, ws, notify, () => groups.removeGroupMember(deps, ws, member));

/** The kinds of credentials of a leaving member that the caller can revoke. */
export const revocable = ["keys", "feeds"] as const;
export type Revocable = (typeof revocable)[number];

/** The ids of the member's API keys that remain valid, and of the groups whose calendar feeds remain valid. */
export type Left = Record<Revocable, string[]>;

/** Removes a member, with API keys and calendars if in `revokes`. Idempotent. Throws `used_by_policies` unless `force`. */
export const removeFromWorkspace = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  userId: string,
  { revokes, force }: { revokes: readonly Revocable[]; force: boolean },
  notify: NotifyOfShifts,
): Promise<Removal<Awaited<ReturnType<typeof members.removeMember>>> & { left: Left }> => {
  if (!force) await requireNotInPolicies(deps, ws, { userId });
  const removal = await removeAndNotify(deps, ws, notify, () => members.removeMember(deps, ws, userId));
  if (removal.outcome === "last" || removal.outcome === "last_owner")
    return { ...removal, left: { keys: [], feeds: [] } };
  const keys = (await listApiKeys(deps, ws)).filter(({ createdBy }) => createdBy?.id === userId).map(({ id }) => id);
  const feeds = await listOwnersOfFeedsCreatedBy(deps, ws, userId);
  if (revokes.includes("keys")) for (const id of keys) await deleteApiKey(deps, ws, id);
  if (revokes.includes("feeds")) for (const id of feeds) await deleteCalendar(deps, ws, id);
  const left = { keys: revokes.includes("keys") ? [] : keys, feeds: revokes.includes("feeds") ? [] : feeds };
  return { ...removal, left };
};

/** Deletes an override, and notifies people whose shifts change. `outcome`: whether the override existed. */
export const removeOverride = (
  deps: AuditDeps,
  ws: WorkspaceId,
  groupId: string,
  overrideId: string,
  notify: NotifyOfShifts,
): Promise<Removal<boolean>> =>
  removeAndNotify(deps, ws, notify, () => onCall.deleteOverride(deps, ws, groupId, overrideId));
