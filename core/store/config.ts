import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { Group, GroupMember } from "../domain/group.ts";
import type { Member } from "../domain/member.ts";
import { anyGroupMemberPrefix, groupPrefix, memberPrefix, peoplePk } from "./keys.ts";
import { MemberItem } from "./members.ts";
import { listRules } from "./rules.ts";
import { queryItems } from "./table.ts";

/** All rules of a workspace, the oldest first, strongly consistent. */
export const loadRules = listRules;

const AnyItem = v.looseObject({ sk: v.string() });

/** The members of a workspace and how they are grouped. */
export type LoadedPeople = {
  members: ReadonlyMap<string, Member>;
  /** Every group with those of its people who are members of the workspace. */
  groups: ReadonlyMap<string, { group: Group; memberIds: readonly string[] }>;
};

/**
 * All people of a workspace by one strongly consistent query. What a deletion left behind when it was interrupted does
 * not count: people without a membership, and parts of a group that is gone.
 */
export const loadPeople = async (deps: Pick<Deps, "table">, ws: string): Promise<LoadedPeople> => {
  const items = await queryItems(deps, { pk: peoplePk(ws) }, AnyItem);
  const parse = <Item>(prefix: string, schema: v.GenericSchema<unknown, Item>): Item[] =>
    items.filter(({ sk }) => sk.startsWith(prefix)).map((item) => v.parse(schema, item));
  const members = new Map(parse(memberPrefix, MemberItem).map((member) => [member.userId, member]));
  const groups = new Map(
    parse(groupPrefix, Group).map((group) => [group.id, { group, memberIds: new Array<string>() }]),
  );
  for (const { groupId, userId } of parse(anyGroupMemberPrefix, GroupMember))
    if (members.has(userId)) groups.get(groupId)?.memberIds.push(userId);
  return { members, groups };
};
