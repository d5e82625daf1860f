import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toPolicyProbe, toRuleProbe, type ProbeView } from "../../domain/planning/probe-view.ts";
import { loadPeople } from "../../store/people/people.ts";
import { listRules } from "../../store/rules/rules.ts";
import { listProbes } from "../../store/schedules/probes.ts";

/** The last probe of each rule, the oldest rule first, then the escalation policies that rules name. */
export const readProbes = async (deps: TimedDeps, ws: WorkspaceId): Promise<ProbeView[]> => {
  const [rules, people, probes] = await Promise.all([listRules(deps, ws), loadPeople(deps, ws), listProbes(deps, ws)]);
  const now = deps.now();
  const named = new Set(rules.map(({ escalationPolicyId }) => escalationPolicyId));
  const policies = [...people.policies.values()].filter(({ id }) => named.has(id));
  return [
    ...rules.map((rule) => toRuleProbe(rule, probes.rules.get(rule.id), probes.people, now)),
    ...policies.map((policy) => toPolicyProbe(policy, people, probes.people, now)),
  ];
};
