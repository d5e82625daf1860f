import type { Deps } from "../deps.ts";
import type { EscalationPolicy, EscalationPolicyInput, EscalationPolicyPatch } from "../domain/escalation-policy.ts";
import { stepReferenceFaults } from "../domain/references.ts";
import { invalid } from "../domain/refusal.ts";
import { loadPeople } from "../store/config.ts";
import * as policies from "../store/escalation-policies.ts";
import { listRules } from "../store/rules.ts";

const requireReferences = async (
  deps: Pick<Deps, "table">,
  ws: string,
  steps: EscalationPolicyInput["steps"],
): Promise<void> => {
  const faults = stepReferenceFaults(steps, await loadPeople(deps, ws));
  if (faults.length > 0) throw invalid(faults);
};

/** Throws Refusal `invalid_input` for groups and users that the workspace does not have. */
export const createPolicy = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  input: EscalationPolicyInput,
): Promise<EscalationPolicy> => {
  await requireReferences(deps, ws, input.steps);
  return policies.createPolicy(deps, ws, input);
};

/** Undefined where there is no such policy. Only ids that the patch itself names must be known. */
export const updatePolicy = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  id: string,
  patch: EscalationPolicyPatch,
): Promise<EscalationPolicy | undefined> => {
  if ((await policies.readPolicy(deps, ws, id)) === undefined) return undefined;
  if (patch.steps !== undefined) await requireReferences(deps, ws, patch.steps);
  return policies.updatePolicy(deps, ws, id, patch);
};

/** Says whether there was one, and which rules escalate no more without it. */
export const deletePolicy = async (
  deps: Pick<Deps, "table">,
  ws: string,
  id: string,
): Promise<{ wasThere: boolean; usedBy: string[] }> => {
  const wasThere = await policies.deletePolicy(deps, ws, id);
  const rules = wasThere ? await listRules(deps, ws) : [];
  return { wasThere, usedBy: rules.filter((rule) => rule.escalationPolicyId === id).map((rule) => rule.id) };
};
