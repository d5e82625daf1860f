import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { ShiftProof } from "../../domain/shifts/reachability-check.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { ttlOf } from "../claims.ts";
import { dueItems } from "../due.ts";
import { proofLookKey, proofLooksPk, proofsPk, shiftProofKey } from "../keys.ts";
import { deleteItem, putItem, putItemIf, queryItems, updateItem } from "../table.ts";

/*
 * The proofs of a workspace's shifts, and when to look at them next, which lies where the sweeper looks. A workspace that
 * asks for none has neither.
 */

/** When to look at a workspace's shifts, in milliseconds. */
const LookItem = v.object({ ws: v.string(), due: v.number() });
export type ProofLook = v.InferOutput<typeof LookItem>;

export const putProofLook = (deps: TableDeps, look: ProofLook): Promise<void> =>
  putItem(deps, proofLookKey(look.due, look.ws), look);

export const removeProofLook = (deps: TableDeps, { due, ws }: ProofLook): Promise<void> =>
  deleteItem(deps, proofLookKey(due, ws));

export const listDueProofLooks = /* @__PURE__ */ dueItems(proofLooksPk, LookItem);

/** In the order of their shifts. */
export const listProofs = (
  deps: TableDeps,
  ws: string,
  { consistent = true }: { consistent?: boolean } = {},
): Promise<ShiftProof[]> => queryItems(deps, { pk: proofsPk(ws) }, ShiftProof, { consistent });

/** Nobody is on call for so long without a change. */
const KEPT_MS = 400 * DAY_MS;

/** Begins a proof, unless somebody else has. */
export const putProof = async (deps: TableDeps, ws: string, proof: ShiftProof): Promise<void> => {
  await putItemIf(deps, shiftProofKey(ws, proof), { ...proof, ttl: ttlOf(proof.start + KEPT_MS) }, ShiftProof);
};

export const removeProof = (deps: TableDeps, ws: string, proof: ShiftProof): Promise<void> =>
  deleteItem(deps, shiftProofKey(ws, proof));

/** Stores that one more way was asked. Of two looks at once, one counts. */
export const setAsked = async (deps: TableDeps, ws: string, proof: ShiftProof): Promise<void> => {
  await updateItem(deps, shiftProofKey(ws, proof), ShiftProof, {
    update: "SET asked = :next",
    condition: "asked = :asked",
    values: { ":asked": proof.asked, ":next": proof.asked + 1 },
  });
};

export const setProven = async (deps: TimedDeps, ws: string, proof: ShiftProof): Promise<void> => {
  await updateItem(deps, shiftProofKey(ws, proof), ShiftProof, {
    update: "SET provenAt = :now",
    condition: "attribute_exists(asked) AND attribute_not_exists(provenAt)",
    values: { ":now": deps.now() },
  });
};

export const setProofTold = async (deps: TimedDeps, ws: string, proof: ShiftProof): Promise<void> => {
  await updateItem(deps, shiftProofKey(ws, proof), ShiftProof, {
    update: "SET toldAt = :now",
    condition: "attribute_exists(asked) AND attribute_not_exists(toldAt)",
    values: { ":now": deps.now() },
  });
};
