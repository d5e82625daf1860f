import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { FrozenPolicy } from "../domain/escalation/escalation-policy.ts";
import { Group, GroupMember } from "../domain/people/group.ts";
import { toPeople, type People } from "../domain/people/people.ts";
import { GroupSchedule, OnCallOverride } from "../domain/people/on-call-views.ts";
import {
  anyGroupMemberPrefix,
  anyOverridePrefix,
  groupPrefix,
  memberPrefix,
  onCallPrefix,
  peoplePk,
  policyPrefix,
} from "./keys.ts";
import { MemberItem } from "./members.ts";
import { parseItem, queryItems } from "./table.ts";

const AnyItem = v.looseObject({ sk: v.string() });

/** All people of a workspace by one strongly consistent query. */
export const loadPeople = async (deps: Pick<Deps, "table">, ws: string): Promise<People> => {
  const items = await queryItems(deps, { pk: peoplePk(ws) }, AnyItem);
  const parse = <Item>(prefix: string, schema: v.GenericSchema<unknown, Item>): Item[] =>
    items.filter(({ sk }) => sk.startsWith(prefix)).map((item) => parseItem(schema, item));
  return toPeople({
    members: parse(memberPrefix, MemberItem),
    groups: parse(groupPrefix, Group),
    groupMembers: parse(anyGroupMemberPrefix, GroupMember),
    schedules: parse(onCallPrefix, GroupSchedule),
    overrides: parse(anyOverridePrefix, OnCallOverride),
    policies: parse(policyPrefix, FrozenPolicy),
  });
};
