import type { AuditDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { EscalationPolicyInput, EscalationPolicyPatch } from "../../domain/escalation/escalation-policy.ts";
import { pickShownNames, describeNames } from "../../domain/planning/uses.ts";
import { findStepReferenceFaults } from "../../domain/planning/references.ts";
import { invalidInput, Refusal } from "../../domain/basics/refusal.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import type { People } from "../../domain/people/people.ts";
import { loadPeople } from "../../store/people/people.ts";
import * as policies from "../../store/rules/escalation-policies.ts";
import { listRules } from "../../store/rules/rules.ts";
import { addPolicyWarnings, type WarnedPolicy } from "../read/read-policies.ts";

const requireExistingReferences = (steps: EscalationPolicyInput["steps"], people: People): void => {
  const faults = findStepReferenceFaults(steps, people);
  if (faults.length > 0) throw invalidInput(faults);
};

/** Stores a policy. Throws Refusal `invalid_input` for groups and users that do not exist in the workspace. */
export const createPolicy = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  input: EscalationPolicyInput,
): Promise<WarnedPolicy> => {
  const people = await loadPeople(deps, ws);
  requireExistingReferences(input.steps, people);
  const policy = await policies.createPolicy(deps, ws, input);
  return addPolicyWarnings(deps, ws, policy, people);
};

/** Changes a policy. Undefined for an unknown id. Throws `invalid_input` for unknown groups and users in the patch's steps. */
export const updatePolicy = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  id: string,
  patch: EscalationPolicyPatch,
  expected?: IfMatch,
): Promise<WarnedPolicy | undefined> => {
  const people = await loadPeople(deps, ws);
  if (!people.policies.has(id)) return undefined;
  if (patch.steps !== undefined) requireExistingReferences(patch.steps, people);
  const policy = await policies.updatePolicy(deps, ws, id, patch, expected);
  return policy === undefined ? undefined : addPolicyWarnings(deps, ws, policy, people);
};

/** Deletes a policy. Returns false for an unknown id. Throws `changed_meanwhile`; without `force`, also `policy_in_use`. */
export const deletePolicy = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  id: string,
  { force, expected }: { force: boolean; expected: IfMatch },
): Promise<boolean> => {
  const users = force ? [] : (await listRules(deps, ws)).filter((rule) => rule.escalationPolicyId === id);
  if (users.length > 0 && (await policies.readPolicy(deps, ws, id)) !== undefined)
    throw new Refusal(
      "policy_in_use",
      `${users.length === 1 ? "A rule escalates" : `${users.length} rules escalate`} by this policy and would stop escalating: ` +
        `${describeNames(users)}. ` +
        "Give these rules another policy first, or delete the policy with ?force=true.",
      { members: { rules: pickShownNames(users) } },
    );
  return policies.deletePolicy(deps, ws, id, expected);
};
