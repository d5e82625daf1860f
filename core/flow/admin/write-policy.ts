import type { Deps } from "../../deps.ts";
import type {
  EscalationPolicy,
  EscalationPolicyInput,
  EscalationPolicyPatch,
} from "../../domain/escalation/escalation-policy.ts";
import { stepReferenceFaults } from "../../domain/rules/references.ts";
import { invalid } from "../../domain/basics/refusal.ts";
import type { Warning } from "../../domain/basics/warning.ts";
import type { People } from "../../domain/people/people.ts";
import { loadPeople } from "../../store/config.ts";
import * as policies from "../../store/escalation-policies.ts";
import { listRules } from "../../store/rules.ts";
import { warningsOfPolicy } from "../read/find-warnings.ts";

export type WrittenPolicy = EscalationPolicy & { warnings: Warning[] };

const requireReferences = (steps: EscalationPolicyInput["steps"], people: People): void => {
  const faults = stepReferenceFaults(steps, people);
  if (faults.length > 0) throw invalid(faults);
};

/** Throws Refusal `invalid_input` for groups and users that the workspace does not have. */
export const createPolicy = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  input: EscalationPolicyInput,
): Promise<WrittenPolicy> => {
  const people = await loadPeople(deps, ws);
  requireReferences(input.steps, people);
  const policy = await policies.createPolicy(deps, ws, input);
  return { ...policy, warnings: await warningsOfPolicy(deps, ws, policy, people) };
};

/** Undefined if there is no such policy. Only the ids that the patch itself names must be known. */
export const updatePolicy = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  id: string,
  patch: EscalationPolicyPatch,
): Promise<WrittenPolicy | undefined> => {
  const people = await loadPeople(deps, ws);
  if (!people.policies.has(id)) return undefined;
  if (patch.steps !== undefined) requireReferences(patch.steps, people);
  const policy = await policies.updatePolicy(deps, ws, id, patch);
  return policy === undefined ? undefined : { ...policy, warnings: await warningsOfPolicy(deps, ws, policy, people) };
};

/** Says whether the policy existed, and which rules no longer escalate without it. */
export const deletePolicy = async (
  deps: Pick<Deps, "table">,
  ws: string,
  id: string,
): Promise<{ wasThere: boolean; usedBy: string[] }> => {
  const wasThere = await policies.deletePolicy(deps, ws, id);
  const rules = wasThere ? await listRules(deps, ws) : [];
  return { wasThere, usedBy: rules.filter((rule) => rule.escalationPolicyId === id).map((rule) => rule.id) };
};
