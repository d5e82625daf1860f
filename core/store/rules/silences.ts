import * as v from "valibot";
import type { AuditDeps, TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { REQUEST_MS, SILENCES_MAX } from "../../domain/basics/limits.ts";
import { invalidInput } from "../../domain/basics/refusal.ts";
import { coversAllEvents, findScopeFaults, Silence, findTimeFaults } from "../../domain/rules/silence.ts";
import type { SilenceInput, SilencePatch } from "../../domain/rules/silence-input.ts";
import { deflatedOrPlain, deflate } from "../codec.ts";
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
import { reserveCounts, createIncreaseOfConditions } from "../configuration/counts.ts";
import { raiseRulesVersion } from "../events/control.ts";
import { putSilenceEnd, replaceSilenceEnd, type SilenceEnd } from "../events/held-events.ts";
import { rulesPk, silenceKey, silencePrefix } from "../keys.ts";

export const SilenceItem = v.object({ ...Silence.entries, conditions: deflatedOrPlain(Silence.entries.conditions) });

const toStoredSilence = (silence: Silence) => ({ ...silence, conditions: deflate(silence.conditions) });

const requireValidSilence = (silence: Silence, maySilenceAll: boolean): void => {
  const faults = [...findTimeFaults(silence), ...findScopeFaults(silence, maySilenceAll)];
  if (faults.length > 0) throw invalidInput(faults);
};

const silences = { pk: rulesPk, prefix: silencePrefix, key: silenceKey, schema: SilenceItem };
const writableSilences: WritableCollection<Silence> = {
  items: silences,
  kind: "silence",
  counted: { name: "silences", noun: "silences", max: SILENCES_MAX },
  toStored: toStoredSilence,
  tellWorkers: raiseRulesVersion,
};

export const listSilences = (deps: TableDeps, ws: WorkspaceId): Promise<Silence[]> => listItems(deps, silences, ws);

export const readSilence = (deps: TableDeps, ws: WorkspaceId, id: string): Promise<Silence | undefined> =>
  readItem(deps, silences, ws, id);

/** Creates a silence. Throws `limit_reached`; `invalid_input` for wrong times, or to silence all events without `everything`. */
export const createSilence = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  { everything, ...input }: SilenceInput,
): Promise<Silence> => {
  const made = buildNewItemFields(deps, ws, "sil");
  const silence: Silence = { ...made, ...input, startsAt: input.startsAt ?? made.createdAt };
  requireValidSilence(silence, everything);
  return createItem(deps, writableSilences, silence, {
    increases: createIncreaseOfConditions(deps, ws, silence.conditions),
  });
};

/** Returns two functions that schedule a check of held events: call `before` a change (in case of a crash) and `after` it. */
const createHeldEventsCheck = (deps: TimedDeps, ws: WorkspaceId, silence: string) => {
  let announced: SilenceEnd | undefined;
  return {
    before: async (): Promise<void> => {
      const now = deps.now();
      announced ??= { ws, silence, due: now + REQUEST_MS, since: now, because: "request" };
      await putSilenceEnd(deps, announced);
    },
    after: async (): Promise<void> => {
      if (announced === undefined) return;
      await replaceSilenceEnd(deps, announced, { ...announced, due: deps.now(), because: "change" });
    },
  };
};

/** Changes a silence. Throws the same refusals as `createSilence`. */
export const updateSilence: UpdateItem<Silence, SilencePatch> = async (
  deps,
  ws,
  id,
  { everything, ...patch },
  expected,
) => {
  const applySilencePatch = (silence: Silence): Silence => {
    const changed = { ...silence, ...patch };
    const was = coversAllEvents(silence);
    // If `everything` is unchanged, the silence may cover all events only if it has covered all events before.
    requireValidSilence(
      changed,
      everything === undefined || everything === was ? was && coversAllEvents(changed) : everything,
    );
    return changed;
  };
  const end = createHeldEventsCheck(deps, ws, id);
  const scheduleAndReserve = async ({ conditions }: Silence): Promise<void> => {
    await end.before();
    if (patch.conditions !== undefined)
      await reserveCounts(deps, ws, ...createIncreaseOfConditions(deps, ws, patch.conditions, conditions));
  };
  const changed = await changeItem(deps, writableSilences, [ws, id], applySilencePatch, {
    expected,
    checkBefore: scheduleAndReserve,
  });
  await end.after();
  return changed;
};

export const deleteSilence: DeleteItem = async (deps, ws, id, expected) => {
  const end = createHeldEventsCheck(deps, ws, id);
  const known = await removeItem(deps, writableSilences, [ws, id], { expected, checkBefore: end.before });
  await end.after();
  return known !== undefined;
};
