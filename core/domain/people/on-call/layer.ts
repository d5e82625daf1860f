import { readClock } from "./clock-text.ts";
import type { Layer } from "./schedule.ts";
import { withinWeek } from "./weekly.ts";
import type { Zone } from "./zone.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const unitMs = { hour: HOUR, day: DAY, week: WEEK } as const;

/** A turn of the rotation, in milliseconds; `end` belongs to the next one. The shift at `start` of the layer is 0. */
type Shift = { index: number; userId: string; start: number; end: number };

/** Who is on duty in a layer, and until when that cannot change. */
type LayerState = { shift: Shift | undefined; until: number };

export type CompiledLayer = { shiftAt: (ms: number) => Shift | undefined; stateAt: (ms: number) => LayerState };

/**
 * Makes a layer ready to be asked. Handoffs are `every` units of wall-clock time apart, whatever the clocks do between:
 * a rotation of 12 hours from 08:00 hands over at 08:00 and 20:00 all the year round.
 */
export const compileLayer = (layer: Layer, zone: Zone): CompiledLayer => {
  const reading = readClock(layer.start) ?? { kind: "instant", ms: Infinity };
  const startMs = reading.kind === "instant" ? reading.ms : zone.instantOf(reading.local);
  const anchor = reading.kind === "local" ? reading.local : startMs + zone.offsetAt(startMs);
  const period = layer.every * unitMs[layer.unit];
  const { participants, first = 0 } = layer;
  const alone = participants.every((userId) => userId === participants[0]);
  const { restrictions = [] } = layer;
  const dutyAt = restrictions.length === 0 ? () => ({ within: true, until: Infinity }) : withinWeek(zone, restrictions);

  const handoff = (index: number): number =>
    index === 0 ? startMs : Math.max(startMs, zone.instantOf(anchor + index * period));

  const shiftAt = (ms: number): Shift | undefined => {
    if (ms < startMs || participants.length === 0) return undefined;
    let index = Math.max(0, Math.floor((ms + zone.offsetAt(ms) - anchor) / period));
    // In an hour that comes twice, handoffs took place in the first one.
    while (handoff(index + 1) <= ms) index += 1;
    const userId = participants[(index + first) % participants.length];
    return userId === undefined ? undefined : { index, userId, start: handoff(index), end: handoff(index + 1) };
  };

  const stateAt = (ms: number): LayerState => {
    if (participants.length === 0) return { shift: undefined, until: Infinity };
    if (ms < startMs) return { shift: undefined, until: startMs };
    const duty = dutyAt(ms);
    if (!duty.within) return { shift: undefined, until: duty.until };
    const shift = shiftAt(ms);
    return { shift, until: alone || shift === undefined ? duty.until : Math.min(shift.end, duty.until) };
  };

  return { shiftAt, stateAt };
};
