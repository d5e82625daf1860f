import type { EscalationPolicyInput } from "../core/domain/escalation/escalation-policy.ts";
import type { OnCallSchedule, OverridePeriod, Turn } from "../core/domain/on-call/index.ts";
import type { RuleInput } from "../core/domain/rules/rule-input.ts";
import type { ConnectionPatch } from "../core/domain/connection/connection.ts";
import type { FileConnection, FilePolicy, FileRule, FileSchedule } from "./file.ts";

/** Translates references: from a file to a workspace, names to ids; in the other direction, ids to names. */

export type NameLookup = {
  person: (written: string) => string;
  group: (written: string) => string;
  policy: (written: string) => string;
  rule: (written: string) => string;
};

type Layers = Omit<FileSchedule, "group" | "overrides">;

const renameTurn = (turn: Turn, { person }: NameLookup): Turn =>
  typeof turn === "string" ? person(turn) : turn.map(person);

/** Replaces people in layers by their entries in `names`: ids by names, or names by ids. */
const replacePeople = ({ timeZone, layers, holidays, restHours, remindHours }: Layers, names: NameLookup): Layers => ({
  timeZone,
  ...(holidays === undefined ? {} : { holidays }),
  ...(restHours === undefined ? {} : { restHours }),
  ...(remindHours === undefined ? {} : { remindHours }),
  layers: layers.map((layer) => ({
    ...layer,
    participants: layer.participants.map((turn) => renameTurn(turn, names)),
  })),
});

export const toSchedule = (schedule: FileSchedule, ids: NameLookup): OnCallSchedule => replacePeople(schedule, ids);

export const toFileSchedule = (
  group: string,
  {
    overrides,
    ...schedule
  }: OnCallSchedule & { overrides?: readonly Pick<OverridePeriod, "userId" | "start" | "end">[] },
  names: NameLookup,
): FileSchedule => ({
  group,
  ...replacePeople(schedule, names),
  ...(overrides === undefined
    ? {}
    : { overrides: overrides.map(({ userId, start, end }) => ({ person: names.person(userId), start, end })) }),
});

export const toPolicy = ({ steps, ...policy }: FilePolicy, ids: NameLookup): EscalationPolicyInput => ({
  ...policy,
  steps: steps.map(({ delayMinutes, targets }) => ({
    delayMinutes,
    targets: targets.map((target) =>
      "group" in target
        ? { type: "group", groupId: ids.group(target.group), onCallOnly: target.onCallOnly }
        : { type: "user", userId: ids.person(target.user) },
    ),
  })),
});

export const toFilePolicy = (
  { name, repeat, confirmWithinSeconds = null, ackMinutes = null, steps }: EscalationPolicyInput,
  names: NameLookup,
): FilePolicy => ({
  name,
  repeat,
  confirmWithinSeconds,
  ackMinutes,
  steps: steps.map(({ delayMinutes, targets }) => ({
    delayMinutes,
    targets: targets.map((target) =>
      target.type === "group"
        ? { group: names.group(target.groupId), onCallOnly: target.onCallOnly }
        : { user: names.person(target.userId) },
    ),
  })),
});

export const toRule = ({ groups, policy, ...rule }: FileRule, ids: NameLookup): RuleInput => ({
  ...rule,
  targets: groups.map((group) => ({ type: "group", groupId: ids.group(group) })),
  escalationPolicyId: policy === null ? null : ids.policy(policy),
});

export const toFileRule = ({ targets, escalationPolicyId, ...rule }: RuleInput, names: NameLookup): FileRule => ({
  ...rule,
  groups: targets.map(({ groupId }) => names.group(groupId)),
  policy: escalationPolicyId === null ? null : names.policy(escalationPolicyId),
});

/** Converts a connection to the body of a change request. Leaves out the channel or user group, which cannot change. */
export const toConnection = (
  { name, rules, groups, paused }: FileConnection,
  ids: NameLookup,
): Required<ConnectionPatch> => ({
  name,
  ruleIds: rules?.map(ids.rule) ?? null,
  groupIds: groups?.map(ids.group) ?? null,
  paused,
});

export const toFileConnection = (
  {
    ruleIds,
    groupIds,
    ...rest
  }: Pick<FileConnection, "name" | "kind" | "channel" | "userGroup" | "paused"> & {
    ruleIds: readonly string[] | null;
    groupIds: readonly string[] | null;
  },
  names: NameLookup,
): FileConnection => ({ ...rest, rules: ruleIds?.map(names.rule) ?? null, groups: groupIds?.map(names.group) ?? null });
