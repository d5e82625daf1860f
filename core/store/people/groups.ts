import * as v from "valibot";
import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import {
  Group,
  GroupMember,
  type GroupMemberView,
  type GroupPatch,
  type MemberOfGroup,
} from "../../domain/people/group.ts";
import { GROUPS_MAX } from "../../domain/basics/limits.ts";
import { toIso } from "../../domain/basics/time.ts";
import {
  changeItem,
  createItem,
  listItems,
  readItem,
  removeItem,
  type UpdateItem,
  type WritableCollection,
} from "../configuration/collection.ts";
import { raisePeopleVersion } from "../events/control.ts";
import {
  groupKey,
  groupMemberKey,
  groupMemberPrefix,
  groupPrefix,
  memberKey,
  scheduleKey,
  overridePrefix,
  peoplePk,
} from "../keys.ts";
import { MemberItem } from "./read-members.ts";
import { describeGroupMemberForTrail } from "./members.ts";
import { deleteCovers } from "../schedules/covers.ts";
import { removeFromOnCall } from "../schedules/on-call.ts";
import { batchGetItems, deleteItem, queryItems } from "../table.ts";
import { createRecordedItem, deleteRecordedItem, type DeleteItem } from "../configuration/versioned.ts";

const Keyed = v.object({ pk: v.string(), sk: v.string() });

const groups = { pk: peoplePk, prefix: groupPrefix, key: groupKey, schema: Group };
const writableGroups: WritableCollection<Group> = {
  items: groups,
  kind: "group",
  counted: { name: "groups", noun: "groups", max: GROUPS_MAX },
  tellWorkers: raisePeopleVersion,
};

export const readGroup = (deps: TableDeps, ws: WorkspaceId, id: string): Promise<Group | undefined> =>
  readItem(deps, groups, ws, id);

export const listGroups = (deps: TableDeps, ws: WorkspaceId): Promise<Group[]> => listItems(deps, groups, ws);

export const createGroup = (deps: AuditDeps, ws: WorkspaceId, name: string): Promise<Group> =>
  createItem(deps, writableGroups, {
    id: deps.newId("grp"),
    name,
    workspaceId: ws,
    version: 1,
    createdAt: toIso(deps.now()),
  });

export const updateGroup: UpdateItem<Group, GroupPatch> = (deps, ws, id, patch, expected) =>
  changeItem(deps, writableGroups, [ws, id], (group) => ({ ...group, ...patch }), { expected });

/** Deletes a group, first the group's item. Rules that name the group stay. A repeated call completes an interrupted call. */
export const deleteGroup: DeleteItem = async (deps, ws, id, expected) => {
  const known = await removeItem(deps, writableGroups, [ws, id], { expected });
  for (const prefix of [groupMemberPrefix(id), overridePrefix(id)]) {
    const keys = await queryItems(deps, { pk: peoplePk(ws), prefix }, Keyed);
    for (const { pk, sk } of keys) await deleteItem(deps, { pk, sk });
  }
  await deleteItem(deps, scheduleKey(ws, id));
  await deleteCovers(deps, ws, id);
  return known !== undefined;
};

/** Lists the members of a group in the order in which they were added. */
export const listGroupMembers = async (deps: TableDeps, ws: WorkspaceId, group: string): Promise<GroupMember[]> => {
  const members = await queryItems(deps, { pk: peoplePk(ws), prefix: groupMemberPrefix(group) }, GroupMember);
  return members.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.userId.localeCompare(b.userId));
};

/** Lists the members of a group with name and email, except people who have left the workspace. */
export const listNamedGroupMembers = async (
  deps: TableDeps,
  ws: WorkspaceId,
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

/** Adds a user to a group. Leaves an existing member unchanged. */
export const addGroupMember = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  { groupId, userId }: MemberOfGroup,
): Promise<{ kind: "created" | "exists"; member: GroupMember }> => {
  const member: GroupMember = { groupId, userId, createdAt: toIso(deps.now()) };
  const put = await createRecordedItem(deps, groupMemberKey(ws, { groupId, userId }), member, {
    schema: GroupMember,
    recorded: describeGroupMemberForTrail(ws, userId),
    stored: member,
  });
  await raisePeopleVersion(deps, ws);
  return put.kind === "refused" ? { kind: "exists", member: put.item } : { kind: "created", member };
};

/** Removes a user from a group and from the group's schedule. */
export const removeGroupMember = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  { groupId, userId }: MemberOfGroup,
): Promise<boolean> => {
  const known = await deleteRecordedItem(
    deps,
    groupMemberKey(ws, { groupId, userId }),
    GroupMember,
    describeGroupMemberForTrail(ws, userId),
  );
  await removeFromOnCall(deps, ws, { groupId, userId });
  await raisePeopleVersion(deps, ws);
  return known !== undefined;
};
