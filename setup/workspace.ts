import * as v from "valibot";
import { endsAfter } from "../core/domain/on-call/override.ts";
import { isId } from "../core/domain/basics/ids.ts";
import { EscalationPolicy } from "../core/domain/escalation/escalation-policy.ts";
import { ApiKey } from "../core/domain/workspace/api-key.ts";
import { Group, GroupMember } from "../core/domain/people/group.ts";
import { MemberView } from "../core/domain/people/member.ts";
import { UrgentFloor } from "../core/domain/people/notification-rules.ts";
import { GroupSchedule, OnCallOverride } from "../core/domain/on-call/views.ts";
import { Pay, paidFor } from "../core/domain/shifts/pay.ts";
import { RoutingRule, getProbeSetting } from "../core/domain/rules/routing-rule.ts";
import { coversAllEvents, Silence } from "../core/domain/rules/silence.ts";
import { ConnectionView } from "../core/domain/connection/connection.ts";
import { WebhookType, WebhookView } from "../core/domain/webhook/webhook.ts";
import type { Api } from "./api.ts";
import type {
  FileConnection,
  FileFloor,
  FileGroup,
  FileKey,
  FilePay,
  FileRule,
  FileSchedule,
  FileSilence,
  FileWebhook,
} from "./file.ts";
import { type NameLookup, toFileConnection, toFilePolicy, toFileRule, toFileSchedule } from "./names.ts";
import type { SetUp, SetUpSection } from "./write.ts";

const authors = ["createdBy", "updatedBy"] as const;
/** The schemas of items without authors, because files do not contain authors. */
export const shown = {
  rule: v.omit(RoutingRule, authors),
  policy: v.omit(EscalationPolicy, authors),
  schedule: v.object({
    ...v.omit(GroupSchedule, authors).entries,
    overrides: v.optional(v.array(v.pick(OnCallOverride, ["id", "userId", "start", "end"])), []),
  }),
  silence: v.omit(Silence, authors),
  webhook: v.object({ ...WebhookView.entries, types: v.array(WebhookType) }),
  connection: ConnectionView,
  workspace: v.object({ urgentFloor: v.optional(UrgentFloor, null), pay: v.optional(Pay, null) }),
};

const AT_ONCE = 8;

/** Returns the results in the order of the items. After a failure, starts no further item. */
export const runConcurrently = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  const open = [...items.entries()].toReversed();
  const workThroughQueue = async (): Promise<void> => {
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [index, item] = next;
      try {
        results[index] = await work(item);
      } catch (error) {
        open.length = 0;
        throw error;
      }
    }
  };
  // Waits until all requests have ended, also after a failure.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, workThroughQueue));
  const failed = ended.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return results;
};

/**
 * The sections whose entries have ids of their own and can change. Schedules use the ids of groups, floors and pay belong to the
 * workspace, and keys never change.
 */
export type IdSection = Exclude<SetUpSection, "people" | "schedules" | "floors" | "pay" | "keys">;

/** The ids of entries by name; a name that is used twice has two ids. People are found by email address and by id. */
export type IdsByName = Record<IdSection, Map<string, string[]>> & { people: Map<string, string> };

/** `readAt`: the time of reading, in milliseconds. */
export type Workspace = { setUp: SetUp; ids: IdsByName; names: NameLookup; readAt: number };

export const nouns: Record<SetUpSection, string> = {
  people: "person",
  groups: "group",
  schedules: "schedule of",
  policies: "policy",
  floors: "floor for",
  pay: "pay for",
  rules: "rule",
  keys: "key",
  silences: "silence",
  webhooks: "webhook",
  connections: "connection",
};

const collectIdsByName = (items: readonly { id: string; name: string }[]): Map<string, string[]> => {
  const grouped = Map.groupBy(items, ({ name }) => name);
  return new Map([...grouped].map(([name, some]) => [name, some.map(({ id }) => id)]));
};

/** Lists names that several entries share, because a file cannot distinguish these entries. */
export const listDuplicateNames = ({ ids }: Pick<Workspace, "ids">): string[] =>
  (["groups", "policies", "rules", "silences", "webhooks", "connections"] as const).flatMap((section) =>
    [...ids[section]].flatMap(([name, some]) =>
      some.length < 2
        ? []
        : [
            `The workspace has ${some.length} ${section} called "${name}" (${some.join(", ")}): rename or delete all but one.`,
          ],
    ),
  );

/** Returns the name of each person: the email address if only one person has it, otherwise the user id. */
const createPeopleNames = (members: readonly MemberView[]): Map<string, string> => {
  const byEmail = Map.groupBy(members, ({ email }) => email.toLowerCase());
  return new Map(
    members.map(({ userId, email }) => {
      const shared = email === "" || (byEmail.get(email.toLowerCase())?.length ?? 0) > 1;
      return [userId, shared ? userId : email.toLowerCase()];
    }),
  );
};

const formatDeletedName = (noun: string, id: string): string => `(deleted ${noun} ${id})`;

export const toFileGroup = (name: string, memberIds: readonly string[], { person }: NameLookup): FileGroup => ({
  name,
  members: memberIds.map(person).sort(),
});

type ServiceField = "id" | "workspaceId" | "version" | "createdAt" | "updatedAt";

const omitServiceFields = <Thing extends Record<ServiceField, unknown>>({
  id: _id,
  workspaceId: _ws,
  version: _version,
  createdAt: _created,
  updatedAt: _updated,
  ...content
}: Thing): Omit<Thing, ServiceField> => content;

export const exportRule = (rule: RoutingRule, names: NameLookup): FileRule =>
  toFileRule({ ...omitServiceFields(rule), probe: getProbeSetting(rule) }, names);

export const exportSilence = (silence: Silence): FileSilence => ({
  ...omitServiceFields(silence),
  everything: coversAllEvents(silence),
});

export const exportWebhook = ({
  name,
  url,
  types,
  eventKeys,
  paused,
}: v.InferOutput<typeof shown.webhook>): FileWebhook => ({ name, url, types, eventKeys, paused });

export const exportConnection = (
  { name, kind, channel, userGroup, ruleIds, groupIds, paused }: ConnectionView,
  names: NameLookup,
): FileConnection => {
  const end = { ...(channel === null ? {} : { channel }), ...(userGroup === null ? {} : { userGroup }) };
  return toFileConnection({ name, kind, ...end, ruleIds, groupIds, paused }, names);
};

/** Converts a schedule to the file's format, without past overrides. `now`: the time in ms. */
export const exportSchedule = (
  group: string,
  { overrides, ...schedule }: v.InferOutput<typeof shown.schedule>,
  names: NameLookup,
  now: number,
): FileSchedule =>
  toFileSchedule(group, { ...schedule, overrides: overrides.filter((override) => endsAfter(override, now)) }, names);

export const exportFloors = ({ urgentFloor }: v.InferOutput<typeof shown.workspace>): FileFloor[] =>
  urgentFloor === null ? [] : [{ priority: "URGENT", ...urgentFloor }];

/** Converts rates of pay for the file, without rates of 0. Returns an empty list if the caller is not an owner. */
export const exportPay = ({ pay }: v.InferOutput<typeof shown.workspace>): FilePay[] =>
  paidFor.flatMap((name) => {
    const cents = pay?.[name] ?? 0;
    return cents === 0 ? [] : [{ class: name, cents }];
  });

/** Returns the rates of pay in the API's format; null if there are none. */
export const toPay = (rates: readonly FilePay[]): object | null =>
  rates.length === 0 ? null : Object.fromEntries(rates.map(({ class: name, cents }) => [name, cents]));

/** Reads the members and the schedules of groups. Schedules are in the order of their groups. */
const readGroups = async (
  api: Api,
  groups: readonly { id: string; name: string }[],
  names: NameLookup,
  now: number,
) => {
  const members = new Map<string, string[]>();
  const schedules = new Map<string, FileSchedule>();
  await runConcurrently(groups, async ({ id, name }) => {
    const [inGroup, schedule] = await Promise.all([
      api.list(`/groups/${id}/members`, GroupMember),
      api.get(`/groups/${id}/on-call`, shown.schedule),
    ]);
    members.set(
      id,
      inGroup.map(({ userId }) => userId),
    );
    // A schedule without layers equals no schedule.
    if (schedule !== undefined && schedule.layers.length > 0)
      schedules.set(id, exportSchedule(name, schedule, names, now));
  });
  return { members, schedules: groups.flatMap(({ id }) => schedules.get(id) ?? []) };
};

/** Converts keys for the file. While a key is being replaced, two keys have the same name, and the file has the older key. */
const exportKeys = (
  keys: readonly Pick<ApiKey, "name" | "source" | "mapping" | "eventKeys" | "mayResolve">[],
): FileKey[] => {
  const named = new Map(keys.toReversed().map((key) => [key.name, key]));
  return keys
    .filter((key) => named.get(key.name) === key)
    .map(({ name, source, mapping, eventKeys, mayResolve }) => ({
      name,
      ...(source === undefined ? {} : { source }),
      ...(mapping === undefined ? {} : { mapping }),
      ...(eventKeys === undefined ? {} : { eventKeys }),
      mayResolve,
    }));
};

/** Reads the setup of a workspace, with the ids of its entries. `now`: the time in ms since 1970. */
export const readWorkspace = async (api: Api, now: number): Promise<Workspace> => {
  const [members, groups, policies, rules, keys, silences, webhooks, connections, workspace] = await Promise.all([
    api.list("/members", MemberView),
    api.list("/groups", Group),
    api.list("/escalation-policies", shown.policy),
    api.list("/routing-rules", shown.rule),
    api.list("/api-keys", ApiKey),
    api.list("/silences", shown.silence),
    api.list("/webhooks", shown.webhook),
    api.list("/connections", shown.connection),
    api.get("", shown.workspace),
  ]);
  // Machines are not in groups, and only the operator sets their roles.
  const persons = members.filter(({ userId }) => isId("usr", userId));
  const people = createPeopleNames(persons);
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  const policyNames = new Map(policies.map(({ id, name }) => [id, name]));
  const ruleNames = new Map(rules.map(({ id, name }) => [id, name]));
  const names: NameLookup = {
    person: (id) => people.get(id) ?? id,
    group: (id) => groupNames.get(id) ?? formatDeletedName("group", id),
    policy: (id) => policyNames.get(id) ?? formatDeletedName("policy", id),
    rule: (id) => ruleNames.get(id) ?? formatDeletedName("rule", id),
  };
  const { members: inGroups, schedules } = await readGroups(api, groups, names, now);
  return {
    names,
    readAt: now,
    ids: {
      people: new Map(
        [...people].flatMap(([id, name]) => [
          [name, id],
          [id, id],
        ]),
      ),
      groups: collectIdsByName(groups),
      policies: collectIdsByName(policies),
      rules: collectIdsByName(rules),
      silences: collectIdsByName(silences),
      webhooks: collectIdsByName(webhooks),
      connections: collectIdsByName(connections),
    },
    setUp: {
      people: persons.map(({ userId, role }) => ({ person: names.person(userId), role })),
      groups: groups.map(({ id, name }) => toFileGroup(name, inGroups.get(id) ?? [], names)),
      schedules,
      policies: policies.map((policy) => toFilePolicy(policy, names)),
      floors: workspace === undefined ? [] : exportFloors(workspace),
      pay: workspace === undefined ? [] : exportPay(workspace),
      rules: rules.map((rule) => exportRule(rule, names)),
      keys: exportKeys(keys),
      silences: silences.map(exportSilence),
      webhooks: webhooks.map(exportWebhook),
      connections: connections.map((connection) => exportConnection(connection, names)),
    },
  };
};
