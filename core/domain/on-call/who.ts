import { fromIso } from "../basics/time.ts";
import { compileLayer, type CompiledLayer } from "./layer.ts";
import type { OverridePeriod } from "./override.ts";
import type { OnCallSchedule } from "./schedule.ts";
import { zoneOf } from "../basics/clock/zone.ts";

/** Somebody who is on call and why. Times in milliseconds; `layer` counts from 0. */
export type OnCallPerson = {
  userId: string;
  source:
    | { kind: "layer"; layer: number; shiftStart: number; shiftEnd: number }
    | { kind: "override"; overrideId: string; start: number; end: number };
};

/** Who is on call, and until when that cannot change. */
export type OnCallState = { people: OnCallPerson[]; until: number };

type Period = { id: string; userId: string; start: number; end: number };

const byStart = (one: Period, other: Period): number => one.start - other.start || (one.id < other.id ? -1 : 1);

const toPeriods = (overrides: readonly OverridePeriod[]): Period[] =>
  overrides
    .map(({ id, userId, start, end }) => ({ id, userId, start: fromIso(start) ?? 0, end: fromIso(end) ?? 0 }))
    .sort(byStart);

const personOfOverride = ({ id, userId, start, end }: Period): OnCallPerson => ({
  userId,
  source: { kind: "override", overrideId: id, start, end },
});

/** The overrides of a moment, each person once, and the next moment at which one begins or ends. */
const overridesAt = (periods: readonly Period[], ms: number): OnCallState => {
  const people = new Map<string, OnCallPerson>();
  let until = Infinity;
  for (const period of periods) {
    if (period.end <= ms) continue;
    until = Math.min(until, period.start > ms ? period.start : period.end);
    if (period.start <= ms && !people.has(period.userId)) people.set(period.userId, personOfOverride(period));
  }
  return { people: [...people.values()], until };
};

/** Goes from the last layer down to one that has somebody; the layers below it change nothing until it changes. */
const layersAt = (layers: readonly CompiledLayer[], ms: number): OnCallState => {
  let until = Infinity;
  for (let layer = layers.length - 1; layer >= 0; layer -= 1) {
    const state = layers[layer]?.stateAt(ms) ?? { shift: undefined, until: Infinity };
    until = Math.min(until, state.until);
    if (state.shift === undefined) continue;
    const { userIds, start, end } = state.shift;
    const source = { kind: "layer", layer, shiftStart: start, shiftEnd: end } as const;
    return { people: userIds.map((userId) => ({ userId, source })), until };
  }
  return { people: [], until };
};

/** Prepares a schedule with its overrides for queries about many moments. */
export const compileOnCall = (
  schedule: OnCallSchedule,
  overrides: readonly OverridePeriod[],
): ((ms: number) => OnCallState) => {
  const zone = zoneOf(schedule.timeZone);
  const layers = schedule.layers.map((layer) => compileLayer(layer, zone));
  const periods = toPeriods(overrides);
  return (ms) => {
    const overriding = overridesAt(periods, ms);
    if (overriding.people.length > 0) return overriding;
    const { people, until } = layersAt(layers, ms);
    return { people, until: Math.min(until, overriding.until) };
  };
};

/**
 * Who is on call at a moment; empty for nobody. Overrides win over all layers, and people with overrides at the same
 * time are on call together. Without an override, the last layer that has somebody on duty decides: all people of its
 * turn are on call.
 */
export const onCallAt = (
  schedule: OnCallSchedule,
  overrides: readonly OverridePeriod[],
  atMs: number,
): OnCallPerson[] => compileOnCall(schedule, overrides)(atMs).people;
