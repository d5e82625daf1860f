import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Warning } from "../../domain/basics/warning.ts";
import type { EscalationPolicy } from "../../domain/escalation/escalation-policy.ts";
import type { People } from "../../domain/people/people.ts";
import * as policies from "../../store/rules/escalation-policies.ts";
import { loadPeople } from "../../store/people/people.ts";
import { createPolicyWarningFinder, readPolicyWarnings } from "./find-warnings.ts";

export type WarnedPolicy = EscalationPolicy & { warnings: Warning[] };

/** Adds a policy's warnings, including warnings about single people. */
export const addPolicyWarnings = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  policy: EscalationPolicy,
  people: People,
): Promise<WarnedPolicy> => ({ ...policy, warnings: await readPolicyWarnings(deps, ws, policy, people) });

export const listPolicies = async (deps: TimedDeps, ws: WorkspaceId): Promise<WarnedPolicy[]> => {
  const [all, people] = await Promise.all([policies.listPolicies(deps, ws), loadPeople(deps, ws)]);
  const warningsOf = await createPolicyWarningFinder(deps, ws, all, people);
  return all.map((policy) => ({ ...policy, warnings: warningsOf(policy) }));
};

export const readPolicy = async (deps: TimedDeps, ws: WorkspaceId, id: string): Promise<WarnedPolicy | undefined> => {
  const policy = await policies.readPolicy(deps, ws, id);
  return policy === undefined ? undefined : addPolicyWarnings(deps, ws, policy, await loadPeople(deps, ws));
};
