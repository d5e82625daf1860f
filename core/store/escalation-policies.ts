import type { Deps } from "../deps.ts";
import {
  EscalationPolicy,
  type EscalationPolicyInput,
  type EscalationPolicyPatch,
} from "../domain/escalation/escalation-policy.ts";
import { POLICIES_MAX } from "../domain/basics/limits.ts";
import { toIso } from "../domain/basics/time.ts";
import type { Expected } from "../domain/basics/version.ts";
import { givePlaceBack, makeRoom, onePlace, type Countable } from "./counts.ts";
import { bumpPeopleVersion } from "./control.ts";
import { peoplePk, policyKey, policyPrefix } from "./keys.ts";
import { getItem, putItem, queryItems } from "./table.ts";
import { oldestFirst, changeVersioned, deleteVersioned } from "./versioned.ts";

const counted = (ws: string): Countable => ({
  name: "policies",
  noun: "escalation policies",
  max: POLICIES_MAX,
  range: { pk: peoplePk(ws), prefix: policyPrefix },
});

/** Throws Refusal `limit_reached` beyond what a workspace may have. */
export const createPolicy = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  input: EscalationPolicyInput,
): Promise<EscalationPolicy> => {
  const now = toIso(deps.now());
  const policy: EscalationPolicy = {
    id: deps.newId("pol"),
    workspaceId: ws,
    ...input,
    confirmWithinSeconds: input.confirmWithinSeconds ?? null,
    ackMinutes: input.ackMinutes ?? null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await makeRoom(deps, ws, onePlace(deps, counted(ws)));
  await putItem(deps, policyKey(ws, policy.id), policy);
  await bumpPeopleVersion(deps, ws);
  return policy;
};

export const readPolicy = (deps: Pick<Deps, "table">, ws: string, id: string): Promise<EscalationPolicy | undefined> =>
  getItem(deps, policyKey(ws, id), EscalationPolicy);

/** The oldest first. */
export const listPolicies = async (deps: Pick<Deps, "table">, ws: string): Promise<EscalationPolicy[]> => {
  const policies = await queryItems(deps, { pk: peoplePk(ws), prefix: policyPrefix }, EscalationPolicy);
  return policies.sort(oldestFirst);
};

/**
 * Changes the given fields. Armed escalations keep the policy as it was. Throws Refusal `changed_meanwhile` if the
 * policy is at none of the expected versions.
 */
export const updatePolicy = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  id: string,
  patch: EscalationPolicyPatch,
  expected?: Expected,
): Promise<EscalationPolicy | undefined> => {
  const change = (policy: EscalationPolicy): EscalationPolicy => ({ ...policy, ...patch });
  const changed = await changeVersioned(deps, policyKey(ws, id), EscalationPolicy, change, { expected });
  // Also if nothing changed, because an interrupted try may not have got that far.
  if (changed !== undefined) await bumpPeopleVersion(deps, ws);
  return changed;
};

/** Says whether the policy existed. Rules that name it no longer escalate. Throws Refusal as above. */
export const deletePolicy = async (
  deps: Pick<Deps, "table">,
  ws: string,
  id: string,
  expected?: Expected,
): Promise<boolean> => {
  const { known, gone } = await deleteVersioned(deps, policyKey(ws, id), EscalationPolicy, { expected });
  if (gone) await givePlaceBack(deps, ws, counted(ws));
  await bumpPeopleVersion(deps, ws);
  return known !== undefined;
};
