import type { Deps, Recording } from "../deps.ts";
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
import { getItem, queryItems } from "./table.ts";
import { createRecorded, oldestFirst, changeVersioned, deleteVersioned, madeBy, type Recorded } from "./versioned.ts";

/** What a policy is in the audit trail. */
const recordedAs = (ws: string, id: string): Recorded<EscalationPolicy> => ({
  ws,
  kind: "policy",
  id,
  nameOf: ({ name }) => name,
});

const counted = (ws: string): Countable => ({
  name: "policies",
  noun: "escalation policies",
  max: POLICIES_MAX,
  range: { pk: peoplePk(ws), prefix: policyPrefix },
});

/** Throws Refusal `limit_reached` beyond what a workspace may have. */
export const createPolicy = async (
  deps: Recording,
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
    ...madeBy(deps),
  };
  await makeRoom(deps, ws, onePlace(deps, counted(ws)));
  await createRecorded(deps, policyKey(ws, policy.id), policy, {
    schema: EscalationPolicy,
    recorded: recordedAs(ws, policy.id),
    stored: policy,
  });
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
  deps: Recording,
  ws: string,
  id: string,
  patch: EscalationPolicyPatch,
  expected?: Expected,
): Promise<EscalationPolicy | undefined> => {
  const change = (policy: EscalationPolicy): EscalationPolicy => ({ ...policy, ...patch });
  const changed = await changeVersioned(deps, policyKey(ws, id), EscalationPolicy, change, {
    recorded: recordedAs(ws, id),
    expected,
  });
  // Also if nothing changed, because an interrupted try may not have got that far.
  if (changed !== undefined) await bumpPeopleVersion(deps, ws);
  return changed;
};

/** Says whether the policy existed. Rules that name it no longer escalate. Throws Refusal as above. */
export const deletePolicy = async (deps: Recording, ws: string, id: string, expected?: Expected): Promise<boolean> => {
  const { known, gone } = await deleteVersioned(deps, policyKey(ws, id), EscalationPolicy, {
    recorded: recordedAs(ws, id),
    expected,
  });
  if (gone) await givePlaceBack(deps, ws, counted(ws));
  await bumpPeopleVersion(deps, ws);
  return known !== undefined;
};
