import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import {
  EscalationPolicy,
  type EscalationPolicyInput,
  type EscalationPolicyPatch,
} from "../../domain/escalation/escalation-policy.ts";
import { POLICIES_MAX } from "../../domain/basics/limits.ts";
import {
  changeItem,
  createItem,
  listItems,
  buildNewItemFields,
  readItem,
  removeItem,
  type UpdateItem,
  type WritableCollection,
} from "../configuration/collection.ts";
import type { DeleteItem } from "../configuration/versioned.ts";
import { raisePeopleVersion } from "../events/control.ts";
import { peoplePk, policyKey, policyPrefix } from "../keys.ts";

const policies = { pk: peoplePk, prefix: policyPrefix, key: policyKey, schema: EscalationPolicy };
const writablePolicies: WritableCollection<EscalationPolicy> = {
  items: policies,
  kind: "policy",
  counted: { name: "policies", noun: "escalation policies", max: POLICIES_MAX },
  tellWorkers: raisePeopleVersion,
};

export const readPolicy = (deps: TableDeps, ws: WorkspaceId, id: string): Promise<EscalationPolicy | undefined> =>
  readItem(deps, policies, ws, id);

export const listPolicies = (deps: TableDeps, ws: WorkspaceId): Promise<EscalationPolicy[]> =>
  listItems(deps, policies, ws);

export const createPolicy = (
  deps: AuditDeps,
  ws: WorkspaceId,
  input: EscalationPolicyInput,
): Promise<EscalationPolicy> =>
  createItem(deps, writablePolicies, {
    ...buildNewItemFields(deps, ws, "pol"),
    ...input,
    confirmWithinSeconds: input.confirmWithinSeconds ?? null,
    ackMinutes: input.ackMinutes ?? null,
  });

/** Changes a policy. Escalations that have already started keep the old policy. */
export const updatePolicy: UpdateItem<EscalationPolicy, EscalationPolicyPatch> = (deps, ws, id, patch, expected) =>
  changeItem(deps, writablePolicies, [ws, id], (policy) => ({ ...policy, ...patch }), { expected });

/** Deletes a policy. Rules that name the policy no longer escalate. */
export const deletePolicy: DeleteItem = async (deps, ws, id, expected) =>
  (await removeItem(deps, writablePolicies, [ws, id], { expected })) !== undefined;
