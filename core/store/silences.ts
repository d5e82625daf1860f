import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { SILENCES_MAX } from "../domain/basics/limits.ts";
import { invalid } from "../domain/basics/refusal.ts";
import { toIso } from "../domain/basics/time.ts";
import { Silence, silenceFaults } from "../domain/rules/silence.ts";
import type { SilenceInput, SilencePatch } from "../domain/rules/silence-input.ts";
import { DeflatedOrPlain, deflate } from "./codec.ts";
import { givePlaceBack, makeRoom, newConditions, onePlace, type Countable } from "./counts.ts";
import { bumpRulesVersion } from "./control.ts";
import { rulesPk, silenceKey, silencePrefix } from "./keys.ts";
import { deleteItemIf, getItem, putItem, queryItems } from "./table.ts";
import { oldestFirst, changeVersioned } from "./versioned.ts";

/** A silence as stored. */
export const SilenceItem = v.object({ ...Silence.entries, conditions: DeflatedOrPlain(Silence.entries.conditions) });

const toItem = (silence: Silence) => ({ ...silence, conditions: deflate(silence.conditions) });

const requireSound = (silence: Silence): void => {
  const faults = silenceFaults(silence);
  if (faults.length > 0) throw invalid(faults);
};

const counted = (ws: string): Countable => ({
  name: "silences",
  noun: "silences",
  max: SILENCES_MAX,
  range: { pk: rulesPk(ws), prefix: silencePrefix },
});

/** The oldest first. */
export const listSilences = async (deps: Pick<Deps, "table">, ws: string): Promise<Silence[]> => {
  const silences = await queryItems(deps, { pk: rulesPk(ws), prefix: silencePrefix }, SilenceItem);
  return silences.sort(oldestFirst);
};

export const readSilence = (deps: Pick<Deps, "table">, ws: string, id: string): Promise<Silence | undefined> =>
  getItem(deps, silenceKey(ws, id), SilenceItem);

/** Throws Refusal `invalid_input` for inconsistent times, `limit_reached` beyond what a workspace may have. */
export const createSilence = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  input: SilenceInput,
): Promise<Silence> => {
  const now = toIso(deps.now());
  const silence: Silence = {
    id: deps.newId("sil"),
    workspaceId: ws,
    ...input,
    startsAt: input.startsAt ?? now,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  requireSound(silence);
  await makeRoom(deps, ws, onePlace(deps, counted(ws)), newConditions(deps, ws, silence.conditions));
  await putItem(deps, silenceKey(ws, silence.id), toItem(silence));
  await bumpRulesVersion(deps, ws);
  return silence;
};

/** Changes the given fields; undefined if there is no such silence. Throws Refusal as above. */
export const updateSilence = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  id: string,
  patch: SilencePatch,
): Promise<Silence | undefined> => {
  const change = async (silence: Silence): Promise<Silence> => {
    const changed = { ...silence, ...patch };
    requireSound(changed);
    await makeRoom(deps, ws, newConditions(deps, ws, changed.conditions, silence.conditions));
    return changed;
  };
  const changed = await changeVersioned(deps, silenceKey(ws, id), SilenceItem, change, toItem);
  if (changed !== undefined) await bumpRulesVersion(deps, ws);
  return changed;
};

/**
 * Says whether the silence existed. Always raises the version, because an interrupted try may not have got that far.
 */
export const deleteSilence = async (deps: Pick<Deps, "table">, ws: string, id: string): Promise<boolean> => {
  const known = (await readSilence(deps, ws, id)) !== undefined;
  const gone = await deleteItemIf(deps, silenceKey(ws, id), SilenceItem, { condition: "attribute_exists(pk)" });
  if (gone.kind === "done") await givePlaceBack(deps, ws, counted(ws));
  await bumpRulesVersion(deps, ws);
  return known;
};
