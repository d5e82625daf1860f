import * as v from "valibot";
import type { Deps, Recording } from "../deps.ts";
import { Group, GroupMember, type GroupMemberView, type GroupPatch } from "../domain/people/group.ts";
import { GROUPS_MAX } from "../domain/basics/limits.ts";
import { toIso } from "../domain/basics/time.ts";
import type { Expected } from "../domain/basics/version.ts";
import { givePlaceBack, makeRoom, onePlace, type Countable } from "./counts.ts";
import { bumpPeopleVersion } from "./control.ts";
import {
  groupKey,
  groupMemberKey,
  groupMemberPrefix,
  groupPrefix,
  memberKey,
  onCallKey,
  overridePrefix,
  peoplePk,
} from "./keys.ts";
import { MemberItem, placeRecordedAs } from "./members.ts";
import { leaveOnCall } from "./on-call.ts";
import { batchGetItems, deleteItem, getItem, queryItems } from "./table.ts";
import {
  createRecorded,
  deleteRecorded,
  oldestFirst,
  changeVersioned,
  deleteVersioned,
  type Recorded,
} from "./versioned.ts";

const Place = v.object({ pk: v.string(), sk: v.string() });

/** What a group is in the audit trail. */
const recordedAs = (ws: string, id: string): Recorded<Group> => ({ ws, kind: "group", id, nameOf: ({ name }) => name });

const counted = (ws: string): Countable => ({
  name: "groups",
  noun: "groups",
  max: GROUPS_MAX,
  range: { pk: peoplePk(ws), prefix: groupPrefix },
});

/** Throws Refusal `limit_reached` beyond what a workspace may have. */
export const createGroup = async (deps: Recording, ws: string, name: string): Promise<Group> => {
  const group: Group = { id: deps.newId("grp"), name, workspaceId: ws, version: 1, createdAt: toIso(deps.now()) };
  await makeRoom(deps, ws, onePlace(deps, counted(ws)));
  await createRecorded(deps, groupKey(ws, group.id), group, {
    schema: Group,
    recorded: recordedAs(ws, group.id),
    stored: group,
  });
  await bumpPeopleVersion(deps, ws);
  return group;
};

export const readGroup = (deps: Pick<Deps, "table">, ws: string, id: string): Promise<Group | undefined> =>
  getItem(deps, groupKey(ws, id), Group);

/** The oldest first. */
export const listGroups = async (deps: Pick<Deps, "table">, ws: string): Promise<Group[]> => {
  const groups = await queryItems(deps, { pk: peoplePk(ws), prefix: groupPrefix }, Group);
  return groups.sort(oldestFirst);
};

/**
 * Deletes a group with its members, schedule and overrides; rules keep naming it. Says whether it existed. The group
 * goes first, because without it the rest has no effect. A repeated call completes an interrupted one. Throws Refusal
 * `changed_meanwhile` if the group is at none of the expected versions.
 */
export const deleteGroup = async (deps: Recording, ws: string, id: string, expected?: Expected): Promise<boolean> => {
  const { known, gone } = await deleteVersioned(deps, groupKey(ws, id), Group, {
    recorded: recordedAs(ws, id),
    expected,
  });
  for (const prefix of [groupMemberPrefix(id), overridePrefix(id)]) {
    const places = await queryItems(deps, { pk: peoplePk(ws), prefix }, Place);
    for (const { pk, sk } of places) await deleteItem(deps, { pk, sk });
  }
  await deleteItem(deps, onCallKey(ws, id));
  // Of two concurrent deletions, only the one that deleted the group gives its place back.
  if (gone) await givePlaceBack(deps, ws, counted(ws));
  await bumpPeopleVersion(deps, ws);
  return known !== undefined;
};

/** Changes the given fields; undefined if there is no such group. Throws Refusal as above. */
export const updateGroup = async (
  deps: Recording,
  ws: string,
  id: string,
  patch: GroupPatch,
  expected?: Expected,
): Promise<Group | undefined> => {
  const change = (group: Group): Group => ({ ...group, ...patch });
  const changed = await changeVersioned(deps, groupKey(ws, id), Group, change, {
    recorded: recordedAs(ws, id),
    expected,
  });
  if (changed !== undefined) await bumpPeopleVersion(deps, ws);
  return changed;
};

/** The members of a group, in the order in which they were added. */
export const listGroupMembers = async (
  deps: Pick<Deps, "table">,
  ws: string,
  group: string,
): Promise<GroupMember[]> => {
  const members = await queryItems(deps, { pk: peoplePk(ws), prefix: groupMemberPrefix(group) }, GroupMember);
  return members.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.userId.localeCompare(b.userId));
};

/** The members of a group with name and email, without those who have left the workspace. */
export const listNamedGroupMembers = async (
  deps: Pick<Deps, "table">,
  ws: string,
  group: string,
): Promise<GroupMemberView[]> => {
  const members = await listGroupMembers(deps, ws, group);
  const keys = members.map(({ userId }) => memberKey(ws, userId));
  const people = new Map((await batchGetItems(deps, keys, MemberItem)).map((member) => [member.userId, member]));
  return members.flatMap((member) => {
    const person = people.get(member.userId);
    return person === undefined ? [] : [{ ...member, name: person.name, email: person.email }];
  });
};

export const readGroupMember = (
  deps: Pick<Deps, "table">,
  ws: string,
  groupId: string,
  userId: string,
): Promise<GroupMember | undefined> => getItem(deps, groupMemberKey(ws, groupId, userId), GroupMember);

/** Adds a user to a group; an existing member stays unchanged. */
export const addGroupMember = async (
  deps: Recording,
  ws: string,
  groupId: string,
  userId: string,
): Promise<{ kind: "created" | "exists"; member: GroupMember }> => {
  const member: GroupMember = { groupId, userId, createdAt: toIso(deps.now()) };
  const put = await createRecorded(deps, groupMemberKey(ws, groupId, userId), member, {
    schema: GroupMember,
    recorded: placeRecordedAs(ws, userId),
    stored: member,
  });
  await bumpPeopleVersion(deps, ws);
  return put.kind === "refused" ? { kind: "exists", member: put.item } : { kind: "created", member };
};

/** Removes a user from a group and its on-call schedule. Says whether the user was in the group. */
export const removeGroupMember = async (
  deps: Recording,
  ws: string,
  groupId: string,
  userId: string,
): Promise<boolean> => {
  const known = await deleteRecorded(
    deps,
    groupMemberKey(ws, groupId, userId),
    GroupMember,
    placeRecordedAs(ws, userId),
  );
  await leaveOnCall(deps, ws, groupId, userId);
  await bumpPeopleVersion(deps, ws);
  return known !== undefined;
};
