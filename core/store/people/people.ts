import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { FrozenPolicy } from "../../domain/escalation/escalation-policy.ts";
import { GroupSchedule, OnCallOverride } from "../../domain/on-call/views.ts";
import { Group, GroupMember, type MemberOfGroup } from "../../domain/people/group.ts";
import { NotificationRules } from "../../domain/people/notification-rules.ts";
import { buildPeople, type People } from "../../domain/people/people.ts";
import {
  anyGroupMemberPrefix,
  groupMemberKey,
  anyOverridePrefix,
  groupPrefix,
  memberPrefix,
  notificationRulesPrefix,
  schedulePrefix,
  peoplePk,
  policyPrefix,
  urgentFloorSk,
} from "../keys.ts";
import { MemberItem } from "./read-members.ts";
import { FloorItem } from "./notification-rules.ts";
import { mapInSlices } from "../slices.ts";
import { getItem, parseItem, queryItems } from "../table.ts";

export type Schedules = { schedules: readonly GroupSchedule[]; overrides: readonly OnCallOverride[] };

const AnyItem = v.looseObject({ sk: v.string() });

/** Reads all schedules and overrides of a workspace by one eventually consistent query. */
export const loadOnCallSchedules = async (deps: TableDeps, ws: WorkspaceId): Promise<Schedules> => {
  const range = { pk: peoplePk(ws), from: schedulePrefix, to: `${anyOverridePrefix}~` };
  const items = await queryItems(deps, range, AnyItem, { consistent: false });
  const overriding = items.filter(({ sk }) => sk.startsWith(anyOverridePrefix));
  return {
    schedules: items.filter((item) => !overriding.includes(item)).map((item) => parseItem(GroupSchedule, item)),
    overrides: overriding.map((item) => parseItem(OnCallOverride, item)),
  };
};

export const readGroupMember = (
  deps: TableDeps,
  ws: WorkspaceId,
  member: MemberOfGroup,
): Promise<GroupMember | undefined> => getItem(deps, groupMemberKey(ws, member), GroupMember);

/** Reads all people of a workspace by one strongly consistent query. */
export const loadPeople = async (deps: TableDeps, ws: WorkspaceId): Promise<People> => {
  const items = await queryItems(deps, { pk: peoplePk(ws) }, AnyItem);
  const parseItemsWithPrefix = <Item>(prefix: string, schema: v.GenericSchema<unknown, Item>): Promise<Item[]> => {
    const found = items.filter(({ sk }) => sk.startsWith(prefix));
    return mapInSlices(found, (item) => parseItem(schema, item));
  };
  return buildPeople({
    members: await parseItemsWithPrefix(memberPrefix, MemberItem),
    groups: await parseItemsWithPrefix(groupPrefix, Group),
    groupMembers: await parseItemsWithPrefix(anyGroupMemberPrefix, GroupMember),
    schedules: await parseItemsWithPrefix(schedulePrefix, GroupSchedule),
    overrides: await parseItemsWithPrefix(anyOverridePrefix, OnCallOverride),
    policies: await parseItemsWithPrefix(policyPrefix, FrozenPolicy),
    notificationRules: await parseItemsWithPrefix(notificationRulesPrefix, NotificationRules),
    urgentFloor: (await parseItemsWithPrefix(urgentFloorSk, FloorItem))[0]?.floor ?? null,
  });
};
