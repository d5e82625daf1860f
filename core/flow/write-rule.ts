import type { Deps } from "../deps.ts";
import { ruleReferenceFaults } from "../domain/references.ts";
import { invalid } from "../domain/refusal.ts";
import { reachedIn, ruleWarnings } from "../domain/rule-warnings.ts";
import type { RoutingRule, RuleInput, RulePatch } from "../domain/routing-rule.ts";
import type { Warning } from "../domain/warning.ts";
import { loadPeople, type LoadedPeople } from "../store/config.ts";
import { readDevices } from "../store/devices.ts";
import * as rules from "../store/rules.ts";

export type WrittenRule = RoutingRule & { warnings: Warning[] };

/** Devices are looked for in steps, because the first one that is found is enough. */
const USERS_AT_ONCE = 25;

const anyoneHasDevice = async (deps: Pick<Deps, "table">, ws: string, userIds: readonly string[]): Promise<boolean> => {
  for (let index = 0; index < userIds.length; index += USERS_AT_ONCE)
    if ((await readDevices(deps, ws, userIds.slice(index, index + USERS_AT_ONCE))).size > 0) return true;
  return false;
};

/** What a rule's writer should know: whom the rule does not reach. */
const warningsFor = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  rule: Pick<RoutingRule, "onCallOnly" | "targets" | "escalationPolicyId">,
  people: LoadedPeople,
): Promise<Warning[]> => {
  const now = deps.now();
  const withDevice = new Set<string>();
  for (const { groupId } of rule.targets)
    if (await anyoneHasDevice(deps, ws, reachedIn(rule, groupId, people, now))) withDevice.add(groupId);
  return ruleWarnings(rule, people, withDevice, now);
};

const requireReferences = (rule: Pick<RulePatch, "targets" | "escalationPolicyId">, people: LoadedPeople): void => {
  const faults = ruleReferenceFaults(rule, people);
  if (faults.length > 0) throw invalid(faults);
};

/** Throws Refusal `invalid_input` for groups and policies that the workspace does not have. */
export const createRule = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  input: RuleInput,
): Promise<WrittenRule> => {
  const people = await loadPeople(deps, ws);
  requireReferences(input, people);
  const rule = await rules.createRule(deps, ws, input);
  return { ...rule, warnings: await warningsFor(deps, ws, rule, people) };
};

/** Undefined where there is no such rule. Only ids that the patch itself names must be known. */
export const updateRule = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  id: string,
  patch: RulePatch,
): Promise<WrittenRule | undefined> => {
  if ((await rules.readRule(deps, ws, id)) === undefined) return undefined;
  const people = await loadPeople(deps, ws);
  requireReferences(patch, people);
  const rule = await rules.updateRule(deps, ws, id, patch);
  return rule === undefined ? undefined : { ...rule, warnings: await warningsFor(deps, ws, rule, people) };
};
