import type { AuditDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { findRuleReferenceFaults } from "../../domain/planning/references.ts";
import { invalidInput, type Fault } from "../../domain/basics/refusal.ts";
import type { RoutingRule } from "../../domain/rules/routing-rule.ts";
import type { RuleInput, RulePatch } from "../../domain/rules/rule-input.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import type { People } from "../../domain/people/people.ts";
import { loadPeople } from "../../store/people/people.ts";
import * as rules from "../../store/rules/rules.ts";
import { checkRuleLimit } from "./notification-limits.ts";
import { addRuleWarnings, type WarnedRule } from "../read/read-rules.ts";

const requireExistingReferences = (rule: Pick<RulePatch, "targets" | "escalationPolicyId">, people: People): void => {
  const faults = findRuleReferenceFaults(rule, people);
  if (faults.length > 0) throw invalidInput(faults);
};

/** Stores a rule. Throws `invalid_input` for unknown groups and policies, `limit_reached` for too many notifications. */
export const createRule = async (deps: AuditDeps, ws: WorkspaceId, input: RuleInput): Promise<WarnedRule> => {
  const people = await loadPeople(deps, ws);
  requireExistingReferences(input, people);
  await checkRuleLimit(deps, ws, input, people);
  const rule = await rules.createRule(deps, ws, input);
  return addRuleWarnings(deps, ws, rule, people);
};

/** Returns faults for ids of groups and policies that do not exist, except ids that the rule already contains. */
const findUnknownReferences = (patch: RulePatch, rule: RoutingRule, people: People): Fault[] => {
  const same = new Set([...rule.targets.map(({ groupId }) => groupId), rule.escalationPolicyId]);
  return findRuleReferenceFaults(patch, people).filter(({ field }) => {
    const index = /^targets\[(\d+)\]/.exec(field)?.[1];
    return !same.has(
      index === undefined ? (patch.escalationPolicyId ?? null) : (patch.targets?.[Number(index)]?.groupId ?? ""),
    );
  });
};

/** Returns whether a change of a rule may cause more notifications, so that the limits must be checked. */
const mayNotifyMore = ({ eventKey, targets, enabled }: RulePatch): boolean =>
  eventKey !== undefined || targets !== undefined || enabled === true;

/** Changes a rule. Only groups and policies that the patch adds must exist. Returns undefined for an unknown id. */
export const updateRule = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  id: string,
  patch: RulePatch,
  expected?: IfMatch,
): Promise<WarnedRule | undefined> => {
  const current = await rules.readRule(deps, ws, id);
  if (current === undefined) return undefined;
  const people = await loadPeople(deps, ws);
  const faults = findUnknownReferences(patch, current, people);
  if (faults.length > 0) throw invalidInput(faults);
  if (mayNotifyMore(patch)) await checkRuleLimit(deps, ws, { ...current, ...patch }, people);
  const rule = await rules.updateRule(deps, ws, id, patch, expected);
  return rule === undefined ? undefined : addRuleWarnings(deps, ws, rule, people);
};
