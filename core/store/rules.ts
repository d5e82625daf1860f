import * as v from "valibot";
import type { Deps, Recording } from "../deps.ts";
import { RoutingRule } from "../domain/rules/routing-rule.ts";
import type { RuleInput, RulePatch } from "../domain/rules/rule-input.ts";
import { hoursFaults, type Hours } from "../domain/rules/active-hours.ts";
import { groupingFaults, type Grouping } from "../domain/rules/grouping.ts";
import { invalid } from "../domain/basics/refusal.ts";
import { RULES_MAX } from "../domain/basics/limits.ts";
import { toIso } from "../domain/basics/time.ts";
import type { Expected } from "../domain/basics/version.ts";
import { DeflatedOrPlain, deflate } from "./codec.ts";
import { givePlaceBack, makeRoom, newConditions, onePlace, type Countable } from "./counts.ts";
import { bumpRulesVersion } from "./control.ts";
import { ruleKey, rulePrefix, rulesPk, ruleVersionKey } from "./keys.ts";
import { getItem, putItem, queryItems } from "./table.ts";
import { createRecorded, oldestFirst, changeVersioned, deleteVersioned, madeBy, type Recorded } from "./versioned.ts";

/** A rule as stored. */
export const RuleItem = v.object({
  ...RoutingRule.entries,
  conditions: DeflatedOrPlain(RoutingRule.entries.conditions),
});

const toItem = (rule: RoutingRule) => ({ ...rule, conditions: deflate(rule.conditions) });

/** What a rule is in the audit trail. */
const recordedAs = (ws: string, id: string): Recorded<RoutingRule> => ({
  ws,
  kind: "rule",
  id,
  nameOf: ({ name }) => name,
});

const counted = (ws: string): Countable => ({
  name: "rules",
  noun: "routing rules",
  max: RULES_MAX,
  range: { pk: rulesPk(ws), prefix: rulePrefix },
});

const requireFitting = (rule: Hours & Grouping): void => {
  const faults = [...hoursFaults(rule), ...groupingFaults(rule)];
  if (faults.length > 0) throw invalid(faults);
};

/**
 * Creates a rule at version 1. Throws Refusal `limit_reached` beyond what a workspace may have, `invalid_input` for
 * active hours without a time zone, and for a group without its minutes.
 */
export const createRule = async (deps: Recording, ws: string, input: RuleInput): Promise<RoutingRule> => {
  requireFitting(input);
  const now = toIso(deps.now());
  const id = deps.newId("rule");
  const rule: RoutingRule = {
    id,
    workspaceId: ws,
    ...input,
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...madeBy(deps),
  };
  await makeRoom(deps, ws, onePlace(deps, counted(ws)), ...newConditions(deps, ws, input.conditions));
  await createRecorded(deps, ruleKey(ws, id), rule, {
    schema: RuleItem,
    recorded: recordedAs(ws, id),
    stored: toItem(rule),
  });
  await bumpRulesVersion(deps, ws);
  return rule;
};

export const readRule = (deps: Pick<Deps, "table">, ws: string, id: string): Promise<RoutingRule | undefined> =>
  getItem(deps, ruleKey(ws, id), RuleItem);

/** The oldest first. */
export const listRules = async (deps: Pick<Deps, "table">, ws: string): Promise<RoutingRule[]> => {
  const rules = await queryItems(deps, { pk: rulesPk(ws), prefix: rulePrefix }, RuleItem);
  return rules.sort(oldestFirst);
};

/** Keeps a version that is about to be replaced, so that what was sent by it can still be explained. */
const keepVersion = (deps: Pick<Deps, "table">, ws: string, rule: RoutingRule): Promise<void> =>
  putItem(deps, ruleVersionKey(ws, rule.id, rule.version), toItem(rule));

/** A rule at a given version, even if it has been changed or deleted since. */
export const readRuleVersion = async (
  deps: Pick<Deps, "table">,
  ws: string,
  id: string,
  version: number,
): Promise<RoutingRule | undefined> => {
  const current = await readRule(deps, ws, id);
  return current?.version === version ? current : getItem(deps, ruleVersionKey(ws, id, version), RuleItem);
};

/**
 * A rule as it was at a moment (ISO), or undefined if it did not exist then. Every version is kept, so this is a binary
 * search. `rule`: the rule as it is today.
 */
export const readRuleAsOf = async (
  deps: Pick<Deps, "table">,
  ws: string,
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

/**
 * Changes the given fields and raises the version; concurrent changes are serialised. Throws Refusal as creating one
 * does, and `changed_meanwhile` if the rule is at none of the expected versions.
 */
export const updateRule = async (
  deps: Recording,
  ws: string,
  id: string,
  patch: RulePatch,
  expected?: Expected,
): Promise<RoutingRule | undefined> => {
  const replacing = async (rule: RoutingRule): Promise<void> => {
    if (patch.conditions !== undefined)
      await makeRoom(deps, ws, ...newConditions(deps, ws, patch.conditions, rule.conditions));
    await keepVersion(deps, ws, rule);
  };
  const change = (rule: RoutingRule): RoutingRule => {
    const next = { ...rule, ...patch };
    requireFitting(next);
    return next;
  };
  const changed = await changeVersioned(deps, ruleKey(ws, id), RuleItem, change, {
    recorded: recordedAs(ws, id),
    expected,
    toStored: toItem,
    replacing,
  });
  // Also if nothing changed, because an interrupted try may not have got that far.
  if (changed !== undefined) await bumpRulesVersion(deps, ws);
  return changed;
};

/**
 * Says whether the rule existed. Always raises the workspace's version, because an interrupted try may not have got that
 * far. Throws Refusal `changed_meanwhile` as above.
 */
export const deleteRule = async (deps: Recording, ws: string, id: string, expected?: Expected): Promise<boolean> => {
  const { known, gone } = await deleteVersioned(deps, ruleKey(ws, id), RuleItem, {
    recorded: recordedAs(ws, id),
    expected,
    replacing: (rule) => keepVersion(deps, ws, rule),
  });
  if (gone) await givePlaceBack(deps, ws, counted(ws));
  await bumpRulesVersion(deps, ws);
  return known !== undefined;
};
