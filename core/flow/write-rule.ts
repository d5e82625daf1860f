import type { Deps } from "../deps.ts";
import { ruleReferenceFaults } from "../domain/references.ts";
import { invalid } from "../domain/refusal.ts";
import { ruleWarnings, targetsOfPolicy, targetsOfRule } from "../domain/reach.ts";
import type { RoutingRule, RuleInput, RulePatch } from "../domain/routing-rule.ts";
import type { Warning } from "../domain/warning.ts";
import { loadPeople, type LoadedPeople } from "../store/config.ts";
import * as rules from "../store/rules.ts";
import { findDevices } from "./find-devices.ts";

export type WrittenRule = RoutingRule & { warnings: Warning[] };

/** What a rule's writer should know: whom the rule does not reach. */
const warningsFor = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  rule: RoutingRule,
  people: LoadedPeople,
): Promise<Warning[]> => {
  const now = deps.now();
  const policy = rule.escalationPolicyId === null ? undefined : people.policies.get(rule.escalationPolicyId);
  const targets = [...targetsOfRule(rule), ...(policy === undefined ? [] : targetsOfPolicy(policy))];
  return ruleWarnings(rule, people, await findDevices(deps, ws, targets, people, now), now);
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
