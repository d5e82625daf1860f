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
  rulePrefix,
  rulesPk,
  silencePrefix,
} from "./keys.ts";
import type { RoutingRule } from "../domain/rules/routing-rule.ts";
import type { Silence } from "../domain/rules/silence.ts";
import { MemberItem } from "./members.ts";
import { RuleItem } from "./rules.ts";
import { SilenceItem } from "./silences.ts";
import { parseItem, queryItems } from "./table.ts";
import { oldestFirst } from "./versioned.ts";

/** All rules and silences of a workspace, the oldest first, by one strongly consistent query. */
export const loadMatching = async (
  deps: Pick<Deps, "table">,
  ws: string,
): Promise<{ rules: RoutingRule[]; silences: Silence[] }> => {
  const items = await queryItems(deps, { pk: rulesPk(ws) }, AnyItem);
  const parse = <Item extends { id: string; createdAt: string }>(
    prefix: string,
    schema: v.GenericSchema<unknown, Item>,
  ): Item[] =>
    items
      .filter(({ sk }) => sk.startsWith(prefix))
      .map((item) => parseItem(schema, item))
      .sort(oldestFirst);
  return { rules: parse(rulePrefix, RuleItem), silences: parse(silencePrefix, SilenceItem) };
};

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
