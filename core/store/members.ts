import * as v from "valibot";
import type { Deps } from "../deps.ts";
import type { Member } from "../domain/people/member.ts";
import { MEMBERS_MAX } from "../domain/basics/limits.ts";
import { Refusal } from "../domain/basics/refusal.ts";
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
  peoplePk,
  userPk,
  workspaceOfMembershipKey,
} from "./keys.ts";
import { leaveOnCall } from "./on-call.ts";
import { deleteItem, getItem, putItem, putItemIf, queryItems, updateItem } from "./table.ts";

export const MemberItem = v.pipe(
  v.object({ userId: v.string(), name: v.string(), email: v.string(), createdAt: v.string() }),
  v.transform((item): Member => item),
);

/** The ids of all members in one item, so that a single condition can keep the last member from being removed. */
const MemberSet = v.object({ users: v.optional(v.set(v.string())) });

const Reverse = v.object({ sk: v.string() });
const GroupPlace = v.object({ id: v.string() });
const GroupMemberPlace = v.object({ pk: v.string(), sk: v.string(), userId: v.string() });

/** Strongly consistent, so that a removed member is out at once. */
export const readMember = (deps: Pick<Deps, "table">, ws: string, userId: string): Promise<Member | undefined> =>
  getItem(deps, memberKey(ws, userId), MemberItem);

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

/** Makes somebody a member, or changes a member's name and email. A repeated call completes an interrupted one. */
export const saveMember = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  person: Pick<Member, "userId" | "name" | "email">,
): Promise<{ kind: "created" | "updated"; member: Member }> => {
  const { userId, name, email } = person;
  const newcomer: Member = { userId, name, email, createdAt: toIso(deps.now()) };
  await putItem(deps, membershipKey(userId, ws), {});
  const put = await putItemIf(deps, memberKey(ws, userId), newcomer, MemberItem);
  const known = put.kind === "refused" ? put.item : undefined;
  const member = known === undefined ? newcomer : { ...known, name, email };
  if (known !== undefined) await putItem(deps, memberKey(ws, userId), member);
  // The set follows the member item: if it were ahead, it could let the last real member go.
  if ((await joinSet(deps, ws, userId)) === "full") {
    await deleteItem(deps, memberKey(ws, userId));
    throw new Refusal("limit_reached", `A workspace has at most ${MEMBERS_MAX} members.`);
  }
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
): Promise<"removed" | "unknown" | "last"> => {
  const known = (await readMember(deps, ws, userId)) !== undefined;
  const left = await updateItem(deps, memberSetKey(ws), MemberSet, {
    update: "DELETE #users :user",
    condition: "size(#users) > :one OR NOT contains(#users, :id)",
    names: { "#users": "users" },
    values: { ":user": new Set([userId]), ":id": userId, ":one": 1 },
  });
  if (left.kind === "refused") return "last";
  await leaveGroups(deps, ws, userId);
  await deleteItem(deps, devicesKey(ws, userId));
  await deleteItem(deps, memberKey(ws, userId));
  await deleteItem(deps, membershipKey(userId, ws));
  await bumpPeopleVersion(deps, ws);
  return known ? "removed" : "unknown";
};

/** The workspaces that a user may be in, including incomplete memberships. */
export const listMemberships = async (deps: Pick<Deps, "table">, userId: string): Promise<string[]> => {
  const items = await queryItems(deps, { pk: userPk(userId) }, Reverse);
  return items.map(workspaceOfMembershipKey);
};
