import type { TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { EscalationPolicy } from "../../domain/escalation/escalation-policy.ts";
import type { People, Target } from "../../domain/people/people.ts";
import {
  listPossiblePeople,
  createPolicyChecker,
  createRuleChecker,
  checkPolicy,
  checkRule,
  toPolicyTargets,
  toRuleTargets,
  checkDevices,
  type ReachingRule,
} from "../../domain/planning/reach.ts";
import type { Warning } from "../../domain/basics/warning.ts";
import { computeCallDeadline, buildMissedHeartbeatEvent, type Heartbeat } from "../../domain/heartbeat/heartbeat.ts";
import { createWarning } from "../../domain/people/warning.ts";
import { compileRules } from "../../domain/rules/matching/index.ts";
import { readSeenPaths } from "../../store/events/event-types.ts";
import { checkPolicySteps } from "../../domain/planning/notification-steps.ts";
import { createChainChecker, findRuleDoubts, type DoubtfulRule } from "../../domain/rules/doubtful-rules.ts";
import { readDevices } from "../../store/people/devices.ts";
import { listRules } from "../../store/rules/rules.ts";

const WARNED_PEOPLE_MAX = 200;

/** Warns about people who have no device, or no recently used device. */
export const readPeopleWarnings = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  userIds: readonly string[],
): Promise<Warning[]> => {
  const asked = [...new Set(userIds)].slice(0, WARNED_PEOPLE_MAX);
  const devices = await readDevices(deps, ws, asked);
  return asked.flatMap((userId) => checkDevices(userId, devices.get(userId) ?? [], deps.now()) ?? []);
};

/** How many people's devices are read at once in the search for any person of a target who has a device. */
const USERS_AT_ONCE = 25;

/** Reads the devices of the people whom targets notify. `hasDevice`: returns whether one of several people has a device. */
const readDevicesOfTargets = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  targets: readonly Target[],
  people: People,
  now: number,
): Promise<{ hasDevice: (userIds: readonly string[]) => boolean; warnings: Warning[] }> => {
  const candidates = targets.map((target) => listPossiblePeople(target, people, now));
  const named = [...new Set(candidates.flat())].slice(0, WARNED_PEOPLE_MAX);
  const warnings = await readPeopleWarnings(deps, ws, named);
  const without = new Set(warnings.flatMap(({ code, id }) => (code === "no_device" ? [id] : [])));
  const asked = new Set(named);
  const found = new Set(named.filter((userId) => !without.has(userId)));
  for (const userIds of candidates) {
    const unknown = userIds.filter((userId) => !asked.has(userId));
    for (let index = 0; index < unknown.length && !userIds.some((id) => found.has(id)); index += USERS_AT_ONCE) {
      const users = unknown.slice(index, index + USERS_AT_ONCE);
      for (const userId of users) asked.add(userId);
      for (const userId of (await readDevices(deps, ws, users)).keys()) found.add(userId);
    }
  }
  return { hasDevice: (userIds) => userIds.some((userId) => found.has(userId)), warnings };
};

/** Warns if no rule would match the event for a missed call of the heartbeat. */
export const readHeartbeatWarnings = async (deps: TimedDeps, heartbeat: Heartbeat): Promise<Warning[]> => {
  const rules = compileRules(await listRules(deps, heartbeat.workspaceId));
  const event = buildMissedHeartbeatEvent({ ...heartbeat, missed: { at: computeCallDeadline(heartbeat) } });
  return rules.match(event).matched.length === 0 ? [createWarning("no_rule", heartbeat.id)] : [];
};

export const readRuleWarnings = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  rule: ReachingRule,
  people: People,
): Promise<Warning[]> => {
  const now = deps.now();
  const policy = rule.escalationPolicyId === null ? undefined : people.policies.get(rule.escalationPolicyId);
  const targets = [...toRuleTargets(rule), ...(policy === undefined ? [] : toPolicyTargets(policy))];
  const { hasDevice, warnings } = await readDevicesOfTargets(deps, ws, targets, people, now);
  return [...checkRule(rule, people, hasDevice, now), ...warnings];
};

/** Reads the devices of all people of the targets. Returns a function that says whether one of several people has a device. */
const createDeviceCheck = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  targets: readonly Target[],
  people: People,
): Promise<(userIds: readonly string[]) => boolean> => {
  const groups = new Set(targets.flatMap((target) => (target.type === "group" ? [target.groupId] : [])));
  const userIds = new Set([
    ...[...groups].flatMap((groupId) => people.groups.get(groupId)?.memberIds ?? []),
    ...targets.flatMap((target) => (target.type === "user" ? [target.userId] : [])),
  ]);
  const devices = await readDevices(deps, ws, [...userIds], { members: people.members.size });
  return (ids) => ids.some((id) => (devices.get(id) ?? []).length > 0);
};

/** Returns the function that finds a rule's warnings, except warnings about single people. Reads devices only once. */
export const createRuleWarningFinder = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  rules: readonly ReachingRule[],
  people: People,
): Promise<(rule: ReachingRule) => Warning[]> => {
  const named = new Set(rules.map(({ escalationPolicyId }) => escalationPolicyId));
  const policies = [...people.policies.values()].filter(({ id }) => named.has(id));
  const targets = [...rules.flatMap(toRuleTargets), ...policies.flatMap(toPolicyTargets)];
  return createRuleChecker(people, await createDeviceCheck(deps, ws, targets, people), deps.now());
};

/** Returns the function that finds a policy's warnings, without warnings about single people. */
export const createPolicyWarningFinder = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  policies: readonly EscalationPolicy[],
  people: People,
): Promise<(policy: EscalationPolicy) => Warning[]> =>
  createPolicyChecker(people, await createDeviceCheck(deps, ws, policies.flatMap(toPolicyTargets), people), deps.now());

type Doubtful = DoubtfulRule & Parameters<ReturnType<typeof createChainChecker>>[0];

/** Creates the function that warns if a rule may never match, or may never be the first match in its chain. */
export const createDoubtFinder = async (
  deps: TableDeps,
  ws: WorkspaceId,
  rules: readonly Doubtful[],
): Promise<(rule: Doubtful) => Warning[]> => {
  const seen = await readSeenPaths(deps, ws);
  const chainDoubts = createChainChecker(rules);
  return (rule) => [...findRuleDoubts(rule, seen), ...chainDoubts(rule)];
};

export const readPolicyWarnings = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  policy: EscalationPolicy,
  people: People,
): Promise<Warning[]> => {
  const now = deps.now();
  const { hasDevice, warnings } = await readDevicesOfTargets(deps, ws, toPolicyTargets(policy), people, now);
  const rules = people.notificationRules.size === 0 ? [] : await listRules(deps, ws);
  return [...checkPolicy(policy, people, hasDevice, now), ...warnings, ...checkPolicySteps(policy, rules, people, now)];
};
