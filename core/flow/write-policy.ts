import type { Deps } from "../deps.ts";
import type { EscalationPolicy, EscalationPolicyInput, EscalationPolicyPatch } from "../domain/escalation-policy.ts";
import { stepReferenceFaults } from "../domain/references.ts";
import { invalid } from "../domain/refusal.ts";
import { policyWarnings, targetsOfPolicy } from "../domain/reach.ts";
import type { Warning } from "../domain/warning.ts";
import { loadPeople, type LoadedPeople } from "../store/config.ts";
import * as policies from "../store/escalation-policies.ts";
import { listRules } from "../store/rules.ts";
import { findDevices } from "./find-devices.ts";

export type WrittenPolicy = EscalationPolicy & { warnings: Warning[] };

const requireReferences = (steps: EscalationPolicyInput["steps"], people: LoadedPeople): void => {
  const faults = stepReferenceFaults(steps, people);
  if (faults.length > 0) throw invalid(faults);
};

/** With what its writer should know: whom its steps do not reach. */
const withWarnings = async (
  deps: Pick<Deps, "table" | "now">,
  policy: EscalationPolicy,
  people: LoadedPeople,
): Promise<WrittenPolicy> => {
  const now = deps.now();
  const withDevice = await findDevices(deps, policy.workspaceId, targetsOfPolicy(policy), people, now);
  return { ...policy, warnings: policyWarnings(policy, people, withDevice, now) };
};

/** Throws Refusal `invalid_input` for groups and users that the workspace does not have. */
export const createPolicy = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  input: EscalationPolicyInput,
): Promise<WrittenPolicy> => {
  const people = await loadPeople(deps, ws);
  requireReferences(input.steps, people);
  return withWarnings(deps, await policies.createPolicy(deps, ws, input), people);
};

/** Undefined where there is no such policy. Only ids that the patch itself names must be known. */
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
  return policy === undefined ? undefined : withWarnings(deps, policy, people);
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
