import type { Deps } from "../../deps.ts";
import type { EscalationPolicy } from "../../domain/escalation/escalation-policy.ts";
import type { People, Target } from "../../domain/people/people.ts";
import {
  candidatesOf,
  policyWarnings,
  ruleWarnings,
  targetsOfPolicy,
  targetsOfRule,
  warningOfPerson,
  type ReachingRule,
} from "../../domain/rules/reach.ts";
import type { Warning } from "../../domain/basics/warning.ts";
import { readDevices } from "../../store/devices.ts";

/** At most this many people get a warning by name that a push would not reach them. */
const PEOPLE_MAX = 200;

type WarnDeps = Pick<Deps, "table" | "now">;

/** Warnings for people whom a push would not or might not reach: no device, or none that was heard from lately. */
export const warningsOfPeople = async (deps: WarnDeps, ws: string, userIds: readonly string[]): Promise<Warning[]> => {
  const asked = [...new Set(userIds)].slice(0, PEOPLE_MAX);
  const devices = await readDevices(deps, ws, asked);
  return asked.flatMap((userId) => warningOfPerson(userId, devices.get(userId) ?? [], deps.now()) ?? []);
};

/** Beyond the people warned by name, devices are read in steps, and the first one found for a target is enough. */
const USERS_AT_ONCE = 25;

/** What is known of the people whom targets name: whether any of them has a device, and who has none. */
const lookAtDevices = async (
  deps: WarnDeps,
  ws: string,
  targets: readonly Target[],
  people: People,
  now: number,
): Promise<{ hasDevice: (userIds: readonly string[]) => boolean; warnings: Warning[] }> => {
  const candidates = targets.map((target) => candidatesOf(target, people, now));
  const named = [...new Set(candidates.flat())].slice(0, PEOPLE_MAX);
  const warnings = await warningsOfPeople(deps, ws, named);
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

/** Tells the writer of a rule whom the rule does not reach. */
export const warningsOfRule = async (
  deps: WarnDeps,
  ws: string,
  rule: ReachingRule,
  people: People,
): Promise<Warning[]> => {
  const now = deps.now();
  const policy = rule.escalationPolicyId === null ? undefined : people.policies.get(rule.escalationPolicyId);
  const targets = [...targetsOfRule(rule), ...(policy === undefined ? [] : targetsOfPolicy(policy))];
  const { hasDevice, warnings } = await lookAtDevices(deps, ws, targets, people, now);
  return [...ruleWarnings(rule, people, hasDevice, now), ...warnings];
};

/** Does the same for an escalation policy and its steps. */
export const warningsOfPolicy = async (
  deps: WarnDeps,
  ws: string,
  policy: EscalationPolicy,
  people: People,
): Promise<Warning[]> => {
  const now = deps.now();
  const { hasDevice, warnings } = await lookAtDevices(deps, ws, targetsOfPolicy(policy), people, now);
  return [...policyWarnings(policy, people, hasDevice, now), ...warnings];
};
