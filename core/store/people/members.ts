import * as v from "valibot";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { GroupMember } from "../../domain/people/group.ts";
import { toRole, type Member } from "../../domain/people/member.ts";
import type { Role } from "../../domain/people/role.ts";
import { MEMBERS_MAX } from "../../domain/basics/limits.ts";
import { refuseLastOwner, Refusal } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import { deleteCalendar } from "../schedules/calendars.ts";
import { raisePeopleVersion } from "../events/control.ts";
import { removeDevices } from "./devices.ts";
import { deleteInvitationsBy } from "./invitations.ts";
import {
  anyGroupMemberPrefix,
  groupMemberKey,
  groupPrefix,
  memberKey,
  memberSetKey,
  membershipKey,
  notificationRulesKey,
  peoplePk,
} from "../keys.ts";
import { removeFromOnCall } from "../schedules/on-call.ts";
import { deleteSlackAccounts } from "../delivery/slack.ts";
import { deleteItem, getItem, putItem, queryItems, updateItem, updateWrite } from "../table.ts";
import { MemberItem, MemberSet, readMember } from "./read-members.ts";
import { writeRecorded } from "../configuration/audit-trail.ts";
import { createRecordedItem, deleteRecordedItem, type AuditOf } from "../configuration/versioned.ts";

const setNames = { "#users": "users", "#owners": "owners" };

const WithId = v.object({ id: v.string() });

const describeMemberForTrail = (ws: WorkspaceId, userId: string): AuditOf<Member> => ({
  ws,
  kind: "member",
  id: userId,
  shown: ({ role }) => ({ role }),
});

export const describeGroupMemberForTrail = (ws: WorkspaceId, userId: string): AuditOf<GroupMember> => ({
  ws,
  kind: "group_member",
  id: userId,
  shown: ({ groupId }) => ({ group: groupId }),
});

/** Adds a user to the set of the workspace's members, unless the set has the maximum size (`full`). */
const joinMemberSet = async (deps: TableDeps, ws: WorkspaceId, userId: string): Promise<"joined" | "full"> => {
  const joined = await updateItem(deps, memberSetKey(ws), MemberSet, {
    update: "ADD #users :user",
    condition: "attribute_not_exists(#users) OR contains(#users, :id) OR size(#users) < :max",
    names: { "#users": "users" },
    values: { ":user": new Set([userId]), ":id": userId, ":max": MEMBERS_MAX },
  });
  return joined.kind === "done" ? "joined" : "full";
};

/** Stores all current members as owners when the first role is set, because later members are not owners by default. */
const makeRolesExplicit = async (deps: TableDeps, ws: WorkspaceId): Promise<void> => {
  await updateItem(deps, memberSetKey(ws), MemberSet, {
    update: "SET #owners = #users",
    condition: "attribute_exists(#users) AND attribute_not_exists(#owners)",
    names: setNames,
  });
};

const writeRole = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  userId: string,
  role: Role,
): Promise<"done" | "unknown" | "last_owner"> => {
  await makeRolesExplicit(deps, ws);
  return retryChange({ item: `the role of ${userId}` }, async () => {
    const member = await readMember(deps, ws, userId);
    const { users, owners } = (await getItem(deps, memberSetKey(ws), MemberSet)) ?? {};
    if (member === undefined || users?.has(userId) !== true) return "unknown";
    const before = toRole(member, owners);
    // This function always runs, because an earlier attempt may have stored the role and died before these writes.
    const deleteInvitationsAndRaiseVersion = async (): Promise<"done"> => {
      if (role !== "owner") await deleteInvitationsBy(deps, ws, userId);
      await raisePeopleVersion(deps, ws);
      return "done";
    };
    if (before === role) return deleteInvitationsAndRaiseVersion();
    if (before === "owner" && owners?.size === 1) return "last_owner";
    const ids = { ":user": new Set([userId]), ":id": userId };
    const isOwner =
      before === "owner" ? "contains(#owners, :id) AND size(#owners) > :one" : "NOT contains(#owners, :id)";
    const record = {
      action: "updated",
      target: { kind: "member", id: userId },
      before: { role: before },
      after: { role },
    } as const;
    const written = await writeRecorded(
      deps,
      ws,
      record,
      updateWrite(deps, memberSetKey(ws), {
        update: `${role === "owner" ? "ADD" : "DELETE"} #owners :user`,
        condition: `contains(#users, :id) AND ${isOwner}`,
        names: setNames,
        values: { ...ids, ...(before === "owner" ? { ":one": 1 } : {}) },
      }),
      // Owners are stored in the member set. The role in a member's item applies only to members who are not owners.
      updateWrite(deps, memberKey(ws, userId), {
        update: "SET #role = :role",
        condition: `attribute_exists(pk) AND ${member.role === undefined ? "attribute_not_exists(#role)" : "#role = :before"}`,
        names: { "#role": "role" },
        values: { ":role": role, ...(member.role === undefined ? {} : { ":before": member.role }) },
      }),
    );
    return written.kind === "refused" ? AGAIN : deleteInvitationsAndRaiseVersion();
  });
};

/** Sets the role of a member. Returns `last_owner`, and changes nothing, if the member is the workspace's only owner. */
export const setRole: typeof writeRole = async (deps, ws, userId, role) =>
  (await readMember(deps, ws, userId)) === undefined ? "unknown" : writeRole(deps, ws, userId, role);

/** Changes a member's name and email, which the audit entry does not contain. Returns false after a concurrent change. */
const renameMember = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  known: Member,
  { name, email }: Pick<Member, "name" | "email">,
): Promise<boolean> => {
  const given = [...(known.name === name ? [] : ["name"]), ...(known.email === email ? [] : ["email"])];
  if (given.length === 0) return true;
  const renamed = await writeRecorded(
    deps,
    ws,
    { action: "updated", target: { kind: "member", id: known.userId }, before: {}, after: { given } },
    updateWrite(deps, memberKey(ws, known.userId), {
      update: "SET #name = :name, #email = :email",
      condition: "#name = :known AND #email = :address",
      names: { "#name": "name", "#email": "email" },
      values: { ":name": name, ":email": email, ":known": known.name, ":address": known.email },
    }),
  );
  return renamed.kind === "done";
};

/**
 * Adds a member, or changes a member's name and email. A repeated call completes an interrupted call. `adderId`: the id of the
 * member who adds the person; ignored for an existing member. Without `role`, a new member has the default role, or is an owner
 * if no roles were ever set. Throws Refusal `last_owner` if the only owner would lose the role of owner.
 */
export const saveMember = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  person: Pick<Member, "userId" | "name" | "email"> & { role?: Role },
  adderId?: string,
): Promise<{ kind: "created" | "updated"; member: Member }> => {
  const { userId, name, email, role } = person;
  const given = role === "owner" ? undefined : role;
  const newcomer: Member = { userId, name, email, createdAt: toIso(deps.now()), addedBy: adderId, role: given };
  if (role !== undefined) await makeRolesExplicit(deps, ws);
  await putItem(deps, membershipKey(userId, ws), {});
  const put = await createRecordedItem(deps, memberKey(ws, userId), newcomer, {
    schema: MemberItem,
    recorded: describeMemberForTrail(ws, userId),
    stored: newcomer,
  });
  const known = put.kind === "refused" ? put.item : undefined;
  const member = known === undefined ? newcomer : { ...known, name, email, role: given ?? known.role };
  if (known !== undefined && !(await renameMember(deps, ws, known, person)))
    return saveMember(deps, ws, person, adderId);
  // The member's item is written before the member set, so that the last other member cannot leave between the writes.
  if ((await joinMemberSet(deps, ws, userId)) === "full") {
    await deleteRecordedItem(deps, memberKey(ws, userId), MemberItem, describeMemberForTrail(ws, userId));
    throw new Refusal("limit_reached", `A workspace has at most ${MEMBERS_MAX} members.`);
  }
  if (role !== undefined && (await writeRole(deps, ws, userId, role)) === "last_owner") throw refuseLastOwner();
  await raisePeopleVersion(deps, ws);
  return { kind: known === undefined ? "created" : "updated", member };
};

/** Removes a user from all groups and their schedules. */
const removeFromAllGroups = async (deps: AuditDeps, ws: WorkspaceId, userId: string): Promise<void> => {
  const groupMembers = await queryItems(deps, { pk: peoplePk(ws), prefix: anyGroupMemberPrefix }, GroupMember);
  for (const { groupId } of groupMembers.filter((member) => member.userId === userId))
    await deleteRecordedItem(
      deps,
      groupMemberKey(ws, { groupId, userId }),
      GroupMember,
      describeGroupMemberForTrail(ws, userId),
    );
  const groups = await queryItems(deps, { pk: peoplePk(ws), prefix: groupPrefix }, WithId);
  for (const { id } of groups) await removeFromOnCall(deps, ws, { groupId: id, userId });
};

/**
 * Removes a member. A repeated call completes an interrupted call. The membership is removed last, because members who remove
 * themselves can repeat the call only while they are members. If two last members remove each other, one of them stays.
 */
export const removeMember = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  userId: string,
): Promise<"removed" | "unknown" | "last" | "last_owner"> => {
  const known = (await readMember(deps, ws, userId)) !== undefined;
  const left = await updateItem(deps, memberSetKey(ws), MemberSet, {
    update: "DELETE #users :user, #owners :user",
    condition:
      "(size(#users) > :one OR NOT contains(#users, :id)) AND (NOT contains(#owners, :id) OR size(#owners) > :one)",
    names: setNames,
    values: { ":user": new Set([userId]), ":id": userId, ":one": 1 },
  });
  if (left.kind === "refused") return left.item?.users?.size === 1 ? "last" : "last_owner";
  await deleteInvitationsBy(deps, ws, userId);
  await removeFromAllGroups(deps, ws, userId);
  await removeDevices(deps, ws, userId);
  await deleteCalendar(deps, ws, userId);
  await deleteItem(deps, notificationRulesKey(ws, userId));
  await deleteSlackAccounts(deps, ws, userId);
  await deleteRecordedItem(deps, memberKey(ws, userId), MemberItem, describeMemberForTrail(ws, userId));
  await deleteItem(deps, membershipKey(userId, ws));
  await raisePeopleVersion(deps, ws);
  return known ? "removed" : "unknown";
};
