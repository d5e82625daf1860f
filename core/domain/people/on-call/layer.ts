import { readClock } from "./clock-text.ts";
import { dayIndex, type Layer, type Restriction } from "./schedule.ts";
import type { Zone } from "./zone.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** A Monday, 00:00. */
const FIRST_MONDAY = 4 * DAY;

const unitMs = { hour: HOUR, day: DAY, week: WEEK } as const;

/** A turn of the rotation, in milliseconds; `end` belongs to the next one. The shift at `start` of the layer is 0. */
type Shift = { index: number; userId: string; start: number; end: number };

/** Who is on duty in a layer, and until when that cannot change. */
type LayerState = { shift: Shift | undefined; until: number };

export type CompiledLayer = { shiftAt: (ms: number) => Shift | undefined; stateAt: (ms: number) => LayerState };

/** From and to in milliseconds since Monday 00:00 local time; `to` may lie in the week after. */
type Span = { from: number; to: number };

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const spansOf = ({ days, from, to }: Restriction): Span[] => {
  const begin = minutesOf(from) * MINUTE;
  const end = minutesOf(to) * MINUTE;
  return days.map((day) => ({
    from: dayIndex(day) * DAY + begin,
    to: dayIndex(day) * DAY + (end > begin ? end : end + DAY),
  }));
};

/** Joins what touches or overlaps, so that the end of a span is the end of being on duty. */
const joined = (spans: readonly Span[]): Span[] => {
  const result: Span[] = [];
  for (const span of [...spans].sort((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
};

/** Spans of three weeks, so that those which run from Sunday into Monday are joined as well. */
const weeklySpans = (restrictions: readonly Restriction[]): Span[] => {
  const spans = restrictions.flatMap(spansOf);
  return joined(
    [-WEEK, 0, WEEK].flatMap((shift) => spans.map(({ from, to }) => ({ from: from + shift, to: to + shift }))),
  );
};

/** Whether a layer with restrictions is on duty, and until when that cannot change. */
const dutyIn = (zone: Zone, spans: readonly Span[]) => (ms: number) => {
  const local = ms + zone.offsetAt(ms);
  const monday = Math.floor((local - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;
  for (const { from, to } of spans) {
    const end = zone.instantOf(monday + to);
    if (end <= ms) continue;
    const start = zone.instantOf(monday + from);
    return start <= ms ? { onDuty: true, until: end } : { onDuty: false, until: start };
  }
  return { onDuty: false, until: Infinity };
};

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
  const spans = weeklySpans(layer.restrictions ?? []);
  const dutyAt = spans.length === 0 ? () => ({ onDuty: true, until: Infinity }) : dutyIn(zone, spans);

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
    if (!duty.onDuty) return { shift: undefined, until: duty.until };
    const shift = shiftAt(ms);
    return { shift, until: alone || shift === undefined ? duty.until : Math.min(shift.end, duty.until) };
  };

  return { shiftAt, stateAt };
};
