import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { FrozenPolicy } from "../domain/escalation/escalation-policy.ts";
import { Group, GroupMember } from "../domain/people/group.ts";
import type { Schedules } from "../domain/on-call/duty.ts";
import { NotificationRules } from "../domain/people/notification-rules.ts";
import { toPeople, type People } from "../domain/people/people.ts";
import { GroupSchedule, OnCallOverride } from "../domain/on-call/views.ts";
import {
  anyGroupMemberPrefix,
  anyOverridePrefix,
  connectionPrefix,
  groupPrefix,
  memberPrefix,
  notificationRulesPrefix,
  onCallPrefix,
  peoplePk,
  policyPrefix,
  rulePrefix,
  rulesPk,
  silencePrefix,
  urgentFloorSk,
  webhookPrefix,
} from "./keys.ts";
import type { RoutingRule } from "../domain/rules/routing-rule.ts";
import type { Silence } from "../domain/rules/silence.ts";
import { Connection } from "../domain/connection/connection.ts";
import { Webhook } from "../domain/webhook/webhook.ts";
import { MemberItem } from "./members.ts";
import { FloorItem } from "./notification-rules.ts";
import { RuleItem } from "./rules.ts";
import { SilenceItem } from "./silences.ts";
import { inSlices } from "./slices.ts";
import { parseItem, queryItems } from "./table.ts";
import { oldestFirst } from "./versioned.ts";

/** All rules, silences, webhooks and connections of a workspace, the oldest first, by one strongly consistent query. */
export const loadMatching = async (
  deps: Pick<Deps, "table">,
  ws: string,
): Promise<{ rules: RoutingRule[]; silences: Silence[]; webhooks: Webhook[]; connections: Connection[] }> => {
  const items = await queryItems(deps, { pk: rulesPk(ws) }, AnyItem);
  const parse = async <Item extends { id: string; createdAt: string }>(
    prefix: string,
    schema: v.GenericSchema<unknown, Item>,
  ): Promise<Item[]> => {
    const found = items.filter(({ sk }) => sk.startsWith(prefix));
    return (await inSlices(found, (item) => parseItem(schema, item))).sort(oldestFirst);
  };
  return {
    rules: await parse(rulePrefix, RuleItem),
    silences: await parse(silencePrefix, SilenceItem),
    webhooks: await parse(webhookPrefix, Webhook),
    connections: await parse(connectionPrefix, Connection),
  };
};

const AnyItem = v.looseObject({ sk: v.string() });

/** All schedules and overrides of a workspace by one query, eventually consistent. */
export const loadSchedules = async (deps: Pick<Deps, "table">, ws: string): Promise<Schedules> => {
  const range = { pk: peoplePk(ws), from: onCallPrefix, to: `${anyOverridePrefix}~` };
  const items = await queryItems(deps, range, AnyItem, { consistent: false });
  const overriding = items.filter(({ sk }) => sk.startsWith(anyOverridePrefix));
  return {
    schedules: items.filter((item) => !overriding.includes(item)).map((item) => parseItem(GroupSchedule, item)),
    overrides: overriding.map((item) => parseItem(OnCallOverride, item)),
  };
};

/** All people of a workspace by one strongly consistent query. */
export const loadPeople = async (deps: Pick<Deps, "table">, ws: string): Promise<People> => {
  const items = await queryItems(deps, { pk: peoplePk(ws) }, AnyItem);
  const parse = <Item>(prefix: string, schema: v.GenericSchema<unknown, Item>): Promise<Item[]> => {
    const found = items.filter(({ sk }) => sk.startsWith(prefix));
    return inSlices(found, (item) => parseItem(schema, item));
  };
  return toPeople({
    members: await parse(memberPrefix, MemberItem),
    groups: await parse(groupPrefix, Group),
    groupMembers: await parse(anyGroupMemberPrefix, GroupMember),
    schedules: await parse(onCallPrefix, GroupSchedule),
    overrides: await parse(anyOverridePrefix, OnCallOverride),
    policies: await parse(policyPrefix, FrozenPolicy),
    notificationRules: await parse(notificationRulesPrefix, NotificationRules),
    urgentFloor: (await parse(urgentFloorSk, FloorItem))[0]?.floor ?? null,
  });
};
