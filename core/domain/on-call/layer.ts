import { readLayerTimes, toUserIds, type Layer } from "./schedule.ts";
import { compileTurns } from "./turns.ts";
import { compileWeekHours } from "../basics/clock/weekly.ts";
import type { Zone } from "../basics/clock/zone.ts";

/** A shift of one or more people, in milliseconds. The next shift begins at `end`. */
type Shift = { userIds: readonly string[]; start: number; end: number };

/** Who is on duty by the layer at a time: nobody if `shift` is undefined. `until`: when somebody else may be on duty. */
type LayerState = { shift: Shift | undefined; until: number };

export type CompiledLayer = {
  findStateAt: (ms: number) => LayerState;
  /** Returns how many turns have passed before a time, or 0 before the layer's start. */
  countAt: (ms: number) => number;
};

/** Prepares a rotation for lookups by time. Handoffs are `every` units of local time apart, also across clock changes. */
export const compileLayer = (layer: Layer, zone: Zone): CompiledLayer => {
  const { startMs, startLocal, endMs } = readLayerTimes(layer, zone);
  const { computeTurnStart, computeLocalTurnIndex, countBefore, findTurn } = compileTurns(layer, startLocal);
  const { participants, restrictions = [] } = layer;
  const joinSorted = (userIds: readonly string[]) => userIds.toSorted().join();
  const [same] = participants.map((turn) => joinSorted(toUserIds(turn)));
  const alone = participants.every((turn) => joinSorted(toUserIds(turn)) === same);
  const dutyAt =
    restrictions.length === 0 ? () => ({ within: true, until: Infinity }) : compileWeekHours(zone, restrictions);

  const computeHandoffTime = (index: number): number => Math.max(startMs, zone.instantOf(computeTurnStart(index)));

  const findTurnIndex = (ms: number): number => {
    let index = Math.max(0, computeLocalTurnIndex(ms + zone.offsetAt(ms)));
    // If an hour occurs twice, the handoff is in the first of the two hours.
    while (computeHandoffTime(index + 1) <= ms) index += 1;
    return index;
  };

  const findStateAt = (ms: number): LayerState => {
    if (participants.length === 0 || ms >= endMs) return { shift: undefined, until: Infinity };
    if (ms < startMs) return { shift: undefined, until: startMs };
    const duty = dutyAt(ms);
    const dutyUntil = Math.min(duty.until, endMs);
    if (!duty.within) return { shift: undefined, until: dutyUntil };
    const index = findTurnIndex(ms);
    const userIds = toUserIds(findTurn(index));
    const shift = { userIds, start: computeHandoffTime(index), end: Math.min(endMs, computeHandoffTime(index + 1)) };
    return {
      shift: userIds.length === 0 ? undefined : shift,
      until: alone ? dutyUntil : Math.min(shift.end, dutyUntil),
    };
  };

  return { findStateAt, countAt: (ms) => countBefore(findTurnIndex(ms)) };
};
