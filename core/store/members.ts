import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { roleOf, type Member, type Owners } from "../domain/people/member.ts";
import { DEFAULT_ROLE, includesRole, roles, type Role } from "../domain/people/role.ts";
import { MEMBERS_MAX } from "../domain/basics/limits.ts";
import { lastOwner, Refusal } from "../domain/basics/refusal.ts";
import { toIso } from "../domain/basics/time.ts";
import { bumpPeopleVersion } from "./control.ts";
import {
  anyGroupMemberPrefix,
  devicesKey,
  groupPrefix,
  memberKey,
  memberPrefix,
  memberSetKey,
  membershipKey,
  membershipPrefix,
  peoplePk,
  userPk,
  workspaceOfKey,
  workspaceOfMembershipKey,
} from "./keys.ts";
import { leaveOnCall } from "./on-call.ts";
import { batchGetItems, deleteItem, getItem, putItem, putItemIf, queryItems, updateItem } from "./table.ts";

export const MemberItem = v.pipe(
  v.object({
    userId: v.string(),
    name: v.string(),
    email: v.string(),
    createdAt: v.string(),
    addedBy: v.optional(v.string()),
    role: v.optional(v.picklist(roles)),
  }),
  v.transform((item): Member => item),
);

/**
 * The ids of all members, and of the owners among them, in one item, so that a single condition can keep the last member
 * and the last owner. Who is an owner, it alone says. No owners: nobody has set a role yet.
 */
const MemberSet = v.object({
  pk: v.optional(v.string()),
  users: v.optional(v.set(v.string())),
  owners: v.optional(v.set(v.string())),
});
const setNames = { "#users": "users", "#owners": "owners" };

const Reverse = v.object({ sk: v.string() });
const GroupPlace = v.object({ id: v.string() });
const GroupMemberPlace = v.object({ pk: v.string(), sk: v.string(), userId: v.string() });

/** Strongly consistent, so that a removed member is out at once. */
export const readMember = (deps: Pick<Deps, "table">, ws: string, userId: string): Promise<Member | undefined> =>
  getItem(deps, memberKey(ws, userId), MemberItem);

/** The owners of a workspace, strongly consistent. */
export const readOwners = async (deps: Pick<Deps, "table">, ws: string): Promise<Owners> =>
  (await getItem(deps, memberSetKey(ws), MemberSet))?.owners;

/** The owners of several workspaces, by workspace. */
export const listOwners = async (deps: Pick<Deps, "table">, ids: readonly string[]): Promise<Map<string, Owners>> => {
  const sets = await batchGetItems(deps, ids.map(memberSetKey), MemberSet);
  return new Map(sets.map(({ pk = "", owners }) => [workspaceOfKey({ pk }), owners]));
};

/** Whether a member has at least this role. Who the owners are is asked only where it matters. */
export const hasRole = async (
  deps: Pick<Deps, "table">,
  ws: string,
  member: Pick<Member, "userId" | "role">,
  needed: Role,
): Promise<boolean> =>
  includesRole(member.role ?? DEFAULT_ROLE, needed) || includesRole(roleOf(member, await readOwners(deps, ws)), needed);

/** All members, in the order in which they joined. */
export const listMembers = async (deps: Pick<Deps, "table">, ws: string): Promise<Member[]> => {
  const members = await queryItems(deps, { pk: peoplePk(ws), prefix: memberPrefix }, MemberItem);
  return members.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.userId.localeCompare(b.userId));
};

const joinSet = async (deps: Pick<Deps, "table">, ws: string, userId: string): Promise<"joined" | "full"> => {
  const joined = await updateItem(deps, memberSetKey(ws), MemberSet, {
    update: "ADD #users :user",
    condition: "attribute_not_exists(#users) OR contains(#users, :id) OR size(#users) < :max",
    names: { "#users": "users" },
    values: { ":user": new Set([userId]), ":id": userId, ":max": MEMBERS_MAX },
  });
  return joined.kind === "done" ? "joined" : "full";
};

/** From the first role on that somebody sets, not every member is an owner: those who are now stay so. */
const beginRoles = async (deps: Pick<Deps, "table">, ws: string): Promise<void> => {
  await updateItem(deps, memberSetKey(ws), MemberSet, {
    update: "SET #owners = #users",
    condition: "attribute_exists(#users) AND attribute_not_exists(#owners)",
    names: setNames,
  });
};

const giveRole = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  userId: string,
  role: Role,
): Promise<"done" | "unknown" | "last_owner"> => {
  await beginRoles(deps, ws);
  const ids = { ":user": new Set([userId]), ":id": userId };
  if (role === "owner") {
    const made = await updateItem(deps, memberSetKey(ws), MemberSet, {
      update: "ADD #owners :user",
      condition: "contains(#users, :id)",
      names: setNames,
      values: ids,
    });
    if (made.kind === "refused") return "unknown";
  } else {
    // It does not count while they are an owner, so the next write alone takes that from them.
    const given = await updateItem(deps, memberKey(ws, userId), MemberItem, {
      update: "SET #role = :role",
      condition: "attribute_exists(pk)",
      names: { "#role": "role" },
      values: { ":role": role },
    });
    if (given.kind === "refused") return "unknown";
    const lowered = await updateItem(deps, memberSetKey(ws), MemberSet, {
      update: "DELETE #owners :user",
      condition: "NOT contains(#owners, :id) OR size(#owners) > :one",
      names: { "#owners": "owners" },
      values: { ...ids, ":one": 1 },
    });
    if (lowered.kind === "refused") return "last_owner";
  }
  await bumpPeopleVersion(deps, ws);
  return "done";
};

/** Gives a member a role. `last_owner`: it was not taken from the workspace's only owner. */
export const setRole: typeof giveRole = async (deps, ws, userId, role) =>
  (await readMember(deps, ws, userId)) === undefined ? "unknown" : giveRole(deps, ws, userId, role);

/** Leaves the role alone, which somebody may be changing. False if there is no such member any more. */
const rename = async (
  deps: Pick<Deps, "table">,
  ws: string,
  { userId, name, email }: Pick<Member, "userId" | "name" | "email">,
): Promise<boolean> => {
  const renamed = await updateItem(deps, memberKey(ws, userId), MemberItem, {
    update: "SET #name = :name, #email = :email",
    condition: "attribute_exists(pk)",
    names: { "#name": "name", "#email": "email" },
    values: { ":name": name, ":email": email },
  });
  return renamed.kind === "done";
};

/**
 * Makes somebody a member, or changes a member's name and email. A repeated call completes an interrupted one. `by`: the
 * member who adds somebody; who it was first stays. A newcomer without a role has the default one, or is an owner as
 * everybody is where nobody has set a role. Throws Refusal `last_owner` if the role would be taken from the only owner.
 */
export const saveMember = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  person: Pick<Member, "userId" | "name" | "email"> & { role?: Role },
  by?: string,
): Promise<{ kind: "created" | "updated"; member: Member }> => {
  const { userId, name, email, role } = person;
  const given = role === "owner" ? undefined : role;
  const newcomer: Member = { userId, name, email, createdAt: toIso(deps.now()), addedBy: by, role: given };
  if (role !== undefined) await beginRoles(deps, ws);
  await putItem(deps, membershipKey(userId, ws), {});
  const put = await putItemIf(deps, memberKey(ws, userId), newcomer, MemberItem);
  const known = put.kind === "refused" ? put.item : undefined;
  const member = known === undefined ? newcomer : { ...known, name, email, role: given ?? known.role };
  if (known !== undefined && !(await rename(deps, ws, person))) return saveMember(deps, ws, person, by);
  // The set follows the member item: if it were ahead, it could let the last real member go.
  if ((await joinSet(deps, ws, userId)) === "full") {
    await deleteItem(deps, memberKey(ws, userId));
    throw new Refusal("limit_reached", `A workspace has at most ${MEMBERS_MAX} members.`);
  }
  if (role !== undefined && (await giveRole(deps, ws, userId, role)) === "last_owner") throw lastOwner();
  await bumpPeopleVersion(deps, ws);
  return { kind: known === undefined ? "created" : "updated", member };
};

/** Removes the user from every group and every on-call schedule of the workspace. */
const leaveGroups = async (deps: Pick<Deps, "table" | "now">, ws: string, userId: string): Promise<void> => {
  const places = await queryItems(deps, { pk: peoplePk(ws), prefix: anyGroupMemberPrefix }, GroupMemberPlace);
  for (const { pk, sk } of places.filter((place) => place.userId === userId)) await deleteItem(deps, { pk, sk });
  const groups = await queryItems(deps, { pk: peoplePk(ws), prefix: groupPrefix }, GroupPlace);
  for (const { id } of groups) await leaveOnCall(deps, ws, id, userId);
};

/**
 * Ends a membership along with the user's groups and devices. A repeated call completes an interrupted one. The
 * membership goes last, because members who remove themselves can repeat the call only while they are members. If two
 * members remove each other at once, one of them stays.
 */
export const removeMember = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
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
  await leaveGroups(deps, ws, userId);
  await deleteItem(deps, devicesKey(ws, userId));
  await deleteItem(deps, memberKey(ws, userId));
  await deleteItem(deps, membershipKey(userId, ws));
  await bumpPeopleVersion(deps, ws);
  return known ? "removed" : "unknown";
};

/** The workspaces that a user may be in, including incomplete memberships. */
export const listMemberships = async (deps: Pick<Deps, "table">, userId: string): Promise<string[]> => {
  const items = await queryItems(deps, { pk: userPk(userId), prefix: membershipPrefix }, Reverse);
  return items.map(workspaceOfMembershipKey);
};
