import { compileLayer } from "./layer.ts";
import type { Layer, OnCallSchedule } from "./schedule.ts";
import { zoneOf } from "./zone.ts";

/** The place of the first who stays, from a place on and round to it again. */
const nextOf = (
  participants: readonly string[],
  place: number,
  stays: (userId: string) => boolean,
): number | undefined => {
  for (let step = 0; step < participants.length; step += 1) {
    const index = (place + step) % participants.length;
    if (stays(participants[index] ?? "")) return index;
  }
  return undefined;
};

const layerWithout = (layer: Layer, userId: string): Layer => {
  const { participants } = layer;
  if (!participants.includes(userId)) return layer;
  const filled = participants.flatMap((_, place) => {
    const index = nextOf(participants, place, (other) => other !== userId);
    return index === undefined ? [] : (participants[index] ?? []);
  });
  const { first: _first, ...nobody } = layer;
  return filled.length > 0 ? { ...layer, participants: filled } : { ...nobody, participants: [] };
};

/**
 * The schedule without a user who left. Each of the user's turns goes to the next participant, who has the following
 * turn anyway: nobody else's turn begins later, ends earlier or goes to somebody else, now or in the future. A layer
 * without anybody else stays, with nobody in it. The very same schedule where the user has no turn.
 */
export const withoutParticipant = <Schedule extends OnCallSchedule>(schedule: Schedule, userId: string): Schedule =>
  schedule.layers.some(({ participants }) => participants.includes(userId))
    ? { ...schedule, layers: schedule.layers.map((layer) => layerWithout(layer, userId)) }
    : schedule;

const sameCadence = (one: Layer, other: Layer): boolean =>
  one.start === other.start && one.every === other.every && one.unit === other.unit;

/** Whether those who are in both lists come in the same order in both, so that people only came or went. */
const sameOrder = (before: readonly string[], after: readonly string[]): boolean => {
  const order = (list: readonly string[], other: readonly string[]) =>
    [...new Set(list)].filter((userId) => other.includes(userId)).join(" ");
  return order(before, after) === order(after, before);
};

const positionsOf = (list: readonly string[], userId: string): number[] =>
  list.flatMap((other, index) => (other === userId ? index : []));

/** The place in the new list of whoever holds a place in the old one, or of the next who stays. */
const placeIn = (after: readonly string[], before: readonly string[], place: number): number | undefined => {
  const index = nextOf(before, place, (userId) => after.includes(userId));
  if (index === undefined) return undefined;
  const userId = before[index] ?? "";
  const positions = positionsOf(after, userId);
  // Whoever takes several turns goes on with the same one of them, as far as there are as many.
  return positions[Math.min(positionsOf(before, userId).indexOf(index), positions.length - 1)];
};

const continued = (before: Layer, after: Layer, shift: number): Layer => {
  const place = placeIn(
    after.participants,
    before.participants,
    (shift + (before.first ?? 0)) % before.participants.length,
  );
  if (place === undefined) return after;
  const count = after.participants.length;
  const first = (((place - shift) % count) + count) % count;
  return first === 0 ? after : { ...after, first };
};

/**
 * A new schedule such that its rotations go on where those of the previous one stand at `atMs`. A turn is counted from
 * a layer's start, so another number of participants alone would put somebody else on duty. Where people were added to
 * or taken from a layer with the same start and length of shifts, whoever is on duty stays so (or the next one, if
 * that person was taken out), and the others follow in the new order: `first` says so. Doing it again changes nothing.
 * A layer that gives `first`, or brings the same people in another order, is left as it is.
 */
export const keepingTurns = <Schedule extends OnCallSchedule>(
  previous: OnCallSchedule,
  next: Schedule,
  atMs: number,
): Schedule => {
  if (previous.timeZone !== next.timeZone) return next;
  const zone = zoneOf(next.timeZone);
  const layers = next.layers.map((after, index) => {
    const others = [previous.layers[index], ...previous.layers];
    const before = others.find((layer) => layer !== undefined && sameCadence(layer, after));
    if (before === undefined || after.first !== undefined || before.participants.length === 0) return after;
    if (!sameOrder(before.participants, after.participants)) return after;
    return continued(before, after, compileLayer(before, zone).shiftAt(atMs)?.index ?? 0);
  });
  return { ...next, layers };
};
