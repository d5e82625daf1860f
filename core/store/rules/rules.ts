import * as v from "valibot";
import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { RoutingRule, omitDefaultProbe } from "../../domain/rules/routing-rule.ts";
import { findRuleFaults, type RuleInput, type RulePatch } from "../../domain/rules/rule-input.ts";
import { invalidInput } from "../../domain/basics/refusal.ts";
import { RULES_MAX } from "../../domain/basics/limits.ts";
import { deflatedOrPlain, deflate } from "../codec.ts";
import {
  changeItem,
  createItem,
  listItems,
  buildNewItemFields,
  readItem,
  removeItem,
  type UpdateItem,
  type WritableCollection,
} from "../configuration/collection.ts";
import type { DeleteItem } from "../configuration/versioned.ts";
import { reserveCounts, createIncreaseOfConditions } from "../configuration/counts.ts";
import { raiseRulesVersion } from "../events/control.ts";
import { ruleKey, rulePrefix, rulesPk, ruleVersionKey } from "../keys.ts";
import { getItem, putItem } from "../table.ts";

export const RuleItem = v.object({
  ...RoutingRule.entries,
  conditions: deflatedOrPlain(RoutingRule.entries.conditions),
});

const toStoredRule = (rule: RoutingRule) => ({ ...rule, conditions: deflate(rule.conditions) });

const rules = { pk: rulesPk, prefix: rulePrefix, key: ruleKey, schema: RuleItem };
const writableRules: WritableCollection<RoutingRule> = {
  items: rules,
  kind: "rule",
  counted: { name: "rules", noun: "routing rules", max: RULES_MAX },
  toStored: toStoredRule,
  tellWorkers: raiseRulesVersion,
};

const requireValidRule = (rule: Parameters<typeof findRuleFaults>[0]): void => {
  const faults = findRuleFaults(rule);
  if (faults.length > 0) throw invalidInput(faults);
};

/** Creates a rule. Throws Refusal `limit_reached`, and `invalid_input` for fields that do not fit together. */
export const createRule = async (deps: AuditDeps, ws: WorkspaceId, input: RuleInput): Promise<RoutingRule> => {
  requireValidRule(input);
  const increases = createIncreaseOfConditions(deps, ws, input.conditions);
  return createItem(deps, writableRules, omitDefaultProbe({ ...buildNewItemFields(deps, ws, "rule"), ...input }), {
    increases,
  });
};

export const readRule = (deps: TableDeps, ws: WorkspaceId, id: string): Promise<RoutingRule | undefined> =>
  readItem(deps, rules, ws, id);

export const listRules = (deps: TableDeps, ws: WorkspaceId): Promise<RoutingRule[]> => listItems(deps, rules, ws);

/** Stores a version of a rule before the version is replaced, so that the version's notifications can still be explained. */
const storeVersion = (deps: TableDeps, ws: WorkspaceId, rule: RoutingRule): Promise<void> =>
  putItem(deps, ruleVersionKey(ws, rule.id, rule.version), toStoredRule(rule));

/** Reads a version of a rule, even if the rule was changed or deleted later. */
export const readRuleVersion = async (
  deps: TableDeps,
  ws: WorkspaceId,
  id: string,
  version: number,
): Promise<RoutingRule | undefined> => {
  const current = await readRule(deps, ws, id);
  return current?.version === version ? current : getItem(deps, ruleVersionKey(ws, id, version), RuleItem);
};

/** Returns the rule at a time (ISO 8601); undefined if the rule did not exist at that time. `rule`: the current version. */
export const readRuleAsOf = async (
  deps: TableDeps,
  ws: WorkspaceId,
  rule: RoutingRule,
  at: string,
): Promise<RoutingRule | undefined> => {
  if (rule.updatedAt <= at) return rule;
  if (rule.createdAt > at) return undefined;
  let found: RoutingRule | undefined;
  let [low, high] = [1, rule.version - 1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const kept = await getItem(deps, ruleVersionKey(ws, rule.id, middle), RuleItem);
    if (kept === undefined || kept.updatedAt > at) high = middle - 1;
    else {
      found = kept;
      low = middle + 1;
    }
  }
  return found;
};

/** Changes a rule. Throws the same refusals as `createRule`. */
export const updateRule: UpdateItem<RoutingRule, RulePatch> = (deps, ws, id, patch, expected) => {
  const reserveAndStoreVersion = async (rule: RoutingRule): Promise<void> => {
    if (patch.conditions !== undefined)
      await reserveCounts(deps, ws, ...createIncreaseOfConditions(deps, ws, patch.conditions, rule.conditions));
    await storeVersion(deps, ws, rule);
  };
  const applyRulePatch = (rule: RoutingRule): RoutingRule => {
    const next = omitDefaultProbe({ ...rule, ...patch });
    requireValidRule(next);
    return next;
  };
  return changeItem(deps, writableRules, [ws, id], applyRulePatch, { expected, checkBefore: reserveAndStoreVersion });
};

export const deleteRule: DeleteItem = async (deps, ws, id, expected) => {
  const storeDeleted = (rule: RoutingRule): Promise<void> => storeVersion(deps, ws, rule);
  return (await removeItem(deps, writableRules, [ws, id], { expected, checkBefore: storeDeleted })) !== undefined;
};
