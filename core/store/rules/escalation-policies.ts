import type { Recording, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import {
  EscalationPolicy,
  type EscalationPolicyInput,
  type EscalationPolicyPatch,
} from "../../domain/escalation/escalation-policy.ts";
import { POLICIES_MAX } from "../../domain/basics/limits.ts";
import type { Expected } from "../../domain/basics/version.ts";
import {
  changeItem,
  createItem,
  listItems,
  newItem,
  readItem,
  removeItem,
  type WritableCollection,
} from "../configuration/collection.ts";
import { bumpPeopleVersion } from "../events/control.ts";
import { peoplePk, policyKey, policyPrefix } from "../keys.ts";

const policies = {
  pk: peoplePk,
  prefix: policyPrefix,
  key: policyKey,
  schema: EscalationPolicy,
};
const writablePolicies: WritableCollection<EscalationPolicy> = {
  items: policies,
  kind: "policy",
  counted: { name: "policies", noun: "escalation policies", max: POLICIES_MAX },
  tellWorkers: bumpPeopleVersion,
};

export const readPolicy = (deps: TableDeps, ws: WorkspaceId, id: string): Promise<EscalationPolicy | undefined> =>
  readItem(deps, policies, ws, id);

export const listPolicies = (deps: TableDeps, ws: WorkspaceId): Promise<EscalationPolicy[]> =>
  listItems(deps, policies, ws);

export const createPolicy = (
  deps: Recording,
  ws: WorkspaceId,
  input: EscalationPolicyInput,
): Promise<EscalationPolicy> =>
  createItem(deps, writablePolicies, {
    ...newItem(deps, ws, "pol"),
    ...input,
    confirmWithinSeconds: input.confirmWithinSeconds ?? null,
    ackMinutes: input.ackMinutes ?? null,
  });

/** Changes a policy. Escalations that have already started keep the old policy. */
export const updatePolicy = (
  deps: Recording,
  ws: WorkspaceId,
  id: string,
  patch: EscalationPolicyPatch,
  expected?: Expected,
): Promise<EscalationPolicy | undefined> =>
  changeItem(deps, writablePolicies, [ws, id], (policy) => ({ ...policy, ...patch }), { expected });

/** Deletes a policy. Rules that name the policy no longer escalate. */
export const deletePolicy = async (
  deps: Recording,
  ws: WorkspaceId,
  id: string,
  expected?: Expected,
): Promise<boolean> => (await removeItem(deps, writablePolicies, [ws, id], { expected })) !== undefined;
