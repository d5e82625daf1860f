import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { FrozenPolicy } from "../domain/delivery/delivery-plan.ts";
import { Group, GroupMember } from "../domain/people/group.ts";
import type { Member } from "../domain/people/member.ts";
import type { RecipientReason } from "../domain/delivery/notification.ts";
import { compileOnCall } from "../domain/people/on-call/index.ts";
import { GroupSchedule, noSchedule, OnCallOverride } from "../domain/people/on-call-views.ts";
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
import { listRules } from "./rules.ts";
import { parseItem, queryItems } from "./table.ts";

/** All rules of a workspace, the oldest first, strongly consistent. */
export const loadRules = listRules;

const AnyItem = v.looseObject({ sk: v.string() });

/** The members of a workspace and how they are grouped, scheduled and escalated to. */
export type LoadedPeople = {
  members: ReadonlyMap<string, Member>;
  /** Every group with those of its people who are members of the workspace. */
  groups: ReadonlyMap<string, { group: Group; memberIds: readonly string[] }>;
  /** By group. */
  schedules: ReadonlyMap<string, GroupSchedule>;
  overrides: ReadonlyMap<string, readonly OnCallOverride[]>;
  policies: ReadonlyMap<string, FrozenPolicy>;
  /** Who is on call in a group at an instant (milliseconds), and by which layer (from 0) or override. */
  onCall: (groupId: string, at: number) => ReadonlyMap<string, RecipientReason>;
};

/** Compiles a group's schedule when it is asked for first. */
const onCallOf = ({ groups, schedules, overrides }: Pick<LoadedPeople, "groups" | "schedules" | "overrides">) => {
  const compiled = new Map<string, ReturnType<typeof compileOnCall>>();
  return (groupId: string, at: number): ReadonlyMap<string, RecipientReason> => {
    if (!groups.has(groupId)) return new Map();
    const ask =
      compiled.get(groupId) ?? compileOnCall(schedules.get(groupId) ?? noSchedule, overrides.get(groupId) ?? []);
    compiled.set(groupId, ask);
    return new Map(
      ask(at).people.map(({ userId, source }) => [
        userId,
        source.kind === "layer" ? { layer: source.layer } : { overrideId: source.overrideId },
      ]),
    );
  };
};

/**
 * All people of a workspace by one strongly consistent query. What a deletion left behind when it was interrupted does
 * not count: people without a membership, and parts of a group that is gone.
 */
export const loadPeople = async (deps: Pick<Deps, "table">, ws: string): Promise<LoadedPeople> => {
  const items = await queryItems(deps, { pk: peoplePk(ws) }, AnyItem);
  const parse = <Item>(prefix: string, schema: v.GenericSchema<unknown, Item>): Item[] =>
    items.filter(({ sk }) => sk.startsWith(prefix)).map((item) => parseItem(schema, item));
  const members = new Map(parse(memberPrefix, MemberItem).map((member) => [member.userId, member]));
  const groups = new Map(
    parse(groupPrefix, Group).map((group) => [group.id, { group, memberIds: new Array<string>() }]),
  );
  for (const { groupId, userId } of parse(anyGroupMemberPrefix, GroupMember))
    if (members.has(userId)) groups.get(groupId)?.memberIds.push(userId);
  const schedules = new Map(parse(onCallPrefix, GroupSchedule).map((schedule) => [schedule.groupId, schedule]));
  const overrides = Map.groupBy(parse(anyOverridePrefix, OnCallOverride), ({ groupId }) => groupId);
  const policies = new Map(parse(policyPrefix, FrozenPolicy).map((policy) => [policy.id, policy]));
  return { members, groups, schedules, overrides, policies, onCall: onCallOf({ groups, schedules, overrides }) };
};
