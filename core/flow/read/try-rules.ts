import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { runDryRun, type DryRun, type DryRunInput } from "../../domain/planning/dry-run.ts";
import { findRuleFaults } from "../../domain/rules/rule-input.ts";
import { findCostlyPatterns, listPatterns } from "../../domain/rules/matching/index.ts";
import { findRuleReferenceFaults } from "../../domain/planning/references.ts";
import type { RoutingRule } from "../../domain/rules/routing-rule.ts";
import type { Warning } from "../../domain/basics/warning.ts";
import type { People } from "../../domain/people/people.ts";
import { invalidInput } from "../../domain/basics/refusal.ts";
import { addReachability } from "./reach-of-people.ts";
import { loadPeople } from "../../store/people/people.ts";
import { listRules } from "../../store/rules/rules.ts";
import { createDoubtFinder, readPeopleWarnings, readRuleWarnings } from "./find-warnings.ts";

const readDraftWarnings = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  rule: NonNullable<DryRunInput["rule"]>,
  saved: readonly RoutingRule[],
  people: People,
): Promise<Warning[]> => {
  const [warnings, doubtsOf] = await Promise.all([
    readRuleWarnings(deps, ws, rule, people),
    createDoubtFinder(deps, ws, saved),
  ]);
  return [...warnings, ...doubtsOf({ id: "", ...rule })];
};

/** Returns which of the stored rules and a draft match an event. Throws Refusal `invalid_input` for unknown ids in the draft. */
export const tryRules = async (deps: TimedDeps, ws: WorkspaceId, input: DryRunInput): Promise<DryRun> => {
  const [rules, people] = await Promise.all([listRules(deps, ws), loadPeople(deps, ws)]);
  const faults =
    input.rule === undefined ? [] : [...findRuleReferenceFaults(input.rule, people), ...findRuleFaults(input.rule)];
  const dear = findCostlyPatterns(
    input.rule === undefined ? [] : [{ prefix: "", conditions: input.rule.conditions }],
    listPatterns(rules.map(({ conditions }) => conditions)),
  );
  faults.push(...dear);
  if (faults.length > 0) throw invalidInput(faults.map((fault) => ({ ...fault, field: `rule.${fault.field}` })));
  const warnings = input.rule === undefined ? [] : await readDraftWarnings(deps, ws, input.rule, rules, people);
  const answer = runDryRun(input, rules, await addReachability(deps, ws, people), warnings, deps.now());
  const notified = answer.rules.flatMap(({ recipients }) => recipients.map(({ userId }) => userId));
  const known = new Set(warnings.map(({ code, id }) => `${code} ${id}`));
  const unreached = (await readPeopleWarnings(deps, ws, notified)).filter(
    ({ code, id }) => !known.has(`${code} ${id}`),
  );
  return { ...answer, warnings: [...answer.warnings, ...unreached] };
};
