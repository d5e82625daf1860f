import * as v from "valibot";
import type { Deps, Recording } from "../deps.ts";
import { SILENCES_MAX } from "../domain/basics/limits.ts";
import { invalid } from "../domain/basics/refusal.ts";
import { toIso } from "../domain/basics/time.ts";
import type { Expected } from "../domain/basics/version.ts";
import { isOverEverything, reachFaults, Silence, timeFaults } from "../domain/rules/silence.ts";
import type { SilenceInput, SilencePatch } from "../domain/rules/silence-input.ts";
import { DeflatedOrPlain, deflate } from "./codec.ts";
import { givePlaceBack, makeRoom, newConditions, onePlace, type Countable } from "./counts.ts";
import { bumpRulesVersion } from "./control.ts";
import { putEnd, replaceEnd, type SilenceEnd } from "./held-events.ts";
import { rulesPk, silenceKey, silencePrefix } from "./keys.ts";
import { getItem, queryItems } from "./table.ts";
import { createRecorded, oldestFirst, changeVersioned, deleteVersioned, madeBy, type Recorded } from "./versioned.ts";

/** A silence as stored. */
export const SilenceItem = v.object({ ...Silence.entries, conditions: DeflatedOrPlain(Silence.entries.conditions) });

const toItem = (silence: Silence) => ({ ...silence, conditions: deflate(silence.conditions) });

const requireSound = (silence: Silence, everything: boolean): void => {
  const faults = [...timeFaults(silence), ...reachFaults(silence, everything)];
  if (faults.length > 0) throw invalid(faults);
};

/** What a silence is in the audit trail. */
const recordedAs = (ws: string, id: string): Recorded<Silence> => ({
  ws,
  kind: "silence",
  id,
  nameOf: ({ name }) => name,
});

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

/**
 * Throws Refusal `invalid_input` for inconsistent times and for one over every event that does not say so, `limit_reached` beyond what a workspace may have.
 */
export const createSilence = async (
  deps: Recording,
  ws: string,
  { everything, ...input }: SilenceInput,
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
    ...madeBy(deps),
  };
  requireSound(silence, everything);
  await makeRoom(deps, ws, onePlace(deps, counted(ws)), ...newConditions(deps, ws, silence.conditions));
  await createRecorded(deps, silenceKey(ws, silence.id), silence, {
    schema: SilenceItem,
    recorded: recordedAs(ws, silence.id),
    stored: toItem(silence),
  });
  await bumpRulesVersion(deps, ws);
  return silence;
};

/** After this time the request that announced it is over, or has died. */
const REQUEST_MS = 30_000;

/**
 * Announces that a silence may cover less afterwards, so that the events that it holds back are looked at again even if
 * this request dies. Confirmed, they are looked at in the sweeper's next round.
 */
const announceEnd = (deps: Pick<Deps, "table" | "now">, ws: string, silence: string) => {
  let announced: SilenceEnd | undefined;
  return {
    announce: async (): Promise<void> => {
      const now = deps.now();
      announced ??= { ws, silence, due: now + REQUEST_MS, since: now, because: "request" };
      await putEnd(deps, announced);
    },
    confirm: async (): Promise<void> => {
      if (announced === undefined) return;
      await replaceEnd(deps, announced, { ...announced, due: deps.now(), because: "change" });
    },
  };
};

/**
 * Changes the given fields; undefined if there is no such silence. Throws Refusal as above, and `changed_meanwhile` if
 * it is at none of the expected versions.
 */
export const updateSilence = async (
  deps: Recording,
  ws: string,
  id: string,
  { everything, ...patch }: SilencePatch,
  expected?: Expected,
): Promise<Silence | undefined> => {
  const change = (silence: Silence): Silence => {
    const changed = { ...silence, ...patch };
    const was = isOverEverything(silence);
    // What is sent back as it was read says nothing about the change.
    requireSound(
      changed,
      everything === undefined || everything === was ? was && isOverEverything(changed) : everything,
    );
    return changed;
  };
  const end = announceEnd(deps, ws, id);
  const replacing = async ({ conditions }: Silence): Promise<void> => {
    await end.announce();
    if (patch.conditions !== undefined)
      await makeRoom(deps, ws, ...newConditions(deps, ws, patch.conditions, conditions));
  };
  const options = { recorded: recordedAs(ws, id), expected, toStored: toItem, replacing };
  const changed = await changeVersioned(deps, silenceKey(ws, id), SilenceItem, change, options);
  // Also if nothing changed, because an interrupted try may not have got that far.
  if (changed !== undefined) await bumpRulesVersion(deps, ws);
  await end.confirm();
  return changed;
};

/**
 * Says whether the silence existed. Always raises the version, because an interrupted try may not have got that far.
 * Throws Refusal `changed_meanwhile` as above.
 */
export const deleteSilence = async (deps: Recording, ws: string, id: string, expected?: Expected): Promise<boolean> => {
  const end = announceEnd(deps, ws, id);
  const options = { recorded: recordedAs(ws, id), expected, replacing: end.announce };
  const { known, gone } = await deleteVersioned(deps, silenceKey(ws, id), SilenceItem, options);
  if (gone) await givePlaceBack(deps, ws, counted(ws));
  await bumpRulesVersion(deps, ws);
  await end.confirm();
  return known !== undefined;
};
