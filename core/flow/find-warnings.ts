import type { Deps } from "../deps.ts";
import type { EscalationPolicy } from "../domain/escalation/escalation-policy.ts";
import type { People, Target } from "../domain/people/people.ts";
import {
  candidatesOf,
  policyWarnings,
  ruleWarnings,
  targetsOfPolicy,
  targetsOfRule,
  type ReachingRule,
} from "../domain/delivery/reach.ts";
import type { Warning } from "../domain/basics/warning.ts";
import { readDevices } from "../store/devices.ts";

/** Devices are looked for in steps, because the first one that is found is enough. */
const USERS_AT_ONCE = 25;

/** Finds of each target one person with a device; gives the question whether some people are known to have one. */
const findDevices = async (
  deps: Pick<Deps, "table">,
  ws: string,
  targets: readonly Target[],
  people: People,
  now: number,
): Promise<(userIds: readonly string[]) => boolean> => {
  const found = new Set<string>();
  const asked = new Set<string>();
  const hasDevice = (userId: string) => found.has(userId);
  for (const target of targets) {
    const candidates = candidatesOf(target, people, now);
    const unknown = candidates.filter((userId) => !asked.has(userId));
    for (let index = 0; index < unknown.length && !candidates.some(hasDevice); index += USERS_AT_ONCE) {
      const users = unknown.slice(index, index + USERS_AT_ONCE);
      for (const userId of users) asked.add(userId);
      for (const userId of (await readDevices(deps, ws, users)).keys()) found.add(userId);
    }
  }
  return (userIds) => userIds.some(hasDevice);
};

type WarnDeps = Pick<Deps, "table" | "now">;

/** What a rule's writer should know: whom the rule does not people. */
export const warningsOfRule = async (
  deps: WarnDeps,
  ws: string,
  rule: ReachingRule,
  people: People,
): Promise<Warning[]> => {
  const now = deps.now();
  const policy = rule.escalationPolicyId === null ? undefined : people.policies.get(rule.escalationPolicyId);
  const targets = [...targetsOfRule(rule), ...(policy === undefined ? [] : targetsOfPolicy(policy))];
  return ruleWarnings(rule, people, await findDevices(deps, ws, targets, people, now), now);
};

/** The same for an escalation policy and its steps. */
export const warningsOfPolicy = async (
  deps: WarnDeps,
  ws: string,
  policy: EscalationPolicy,
  people: People,
): Promise<Warning[]> => {
  const now = deps.now();
  return policyWarnings(policy, people, await findDevices(deps, ws, targetsOfPolicy(policy), people, now), now);
};
