import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Warning } from "../../domain/basics/warning.ts";
import type { People } from "../../domain/people/people.ts";
import { getProbeSetting, type RuleProbe, type RoutingRule } from "../../domain/rules/routing-rule.ts";
import { loadPeople } from "../../store/people/people.ts";
import * as rules from "../../store/rules/rules.ts";
import { createDoubtFinder, readRuleWarnings, createRuleWarningFinder } from "./find-warnings.ts";

export type WarnedRule = RoutingRule & { probe: RuleProbe; warnings: Warning[] };

const toWarnedRule = (rule: RoutingRule, warnings: Warning[]): WarnedRule => ({
  ...rule,
  probe: getProbeSetting(rule),
  warnings,
});

/** Adds a rule's warnings, including warnings about single people. */
export const addRuleWarnings = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  rule: RoutingRule,
  people: People,
): Promise<WarnedRule> => {
  const beside = rule.chain === null ? [] : await rules.listRules(deps, ws);
  const [warnings, doubtsOf] = await Promise.all([
    readRuleWarnings(deps, ws, rule, people),
    createDoubtFinder(deps, ws, beside),
  ]);
  return toWarnedRule(rule, [...warnings, ...doubtsOf(rule)]);
};

export const listRules = async (deps: TimedDeps, ws: WorkspaceId): Promise<WarnedRule[]> => {
  const [all, people] = await Promise.all([rules.listRules(deps, ws), loadPeople(deps, ws)]);
  const [warningsOf, doubtsOf] = await Promise.all([
    createRuleWarningFinder(deps, ws, all, people),
    createDoubtFinder(deps, ws, all),
  ]);
  return all.map((rule) => toWarnedRule(rule, [...warningsOf(rule), ...doubtsOf(rule)]));
};

export const readRule = async (deps: TimedDeps, ws: WorkspaceId, id: string): Promise<WarnedRule | undefined> => {
  const rule = await rules.readRule(deps, ws, id);
  if (rule === undefined) return undefined;
  return addRuleWarnings(deps, ws, rule, await loadPeople(deps, ws));
};
