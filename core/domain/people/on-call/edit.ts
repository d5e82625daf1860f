import { compileLayer } from "./layer.ts";
import {
  peopleOfLayer,
  peopleOfSchedule,
  usersOfTurn,
  type Layer,
  type OnCallSchedule,
  type Turn,
} from "./schedule.ts";
import { zoneOf } from "./zone.ts";

/** The turn without a user; undefined where nobody is left in it because of that. */
const turnWithout = (turn: Turn, userId: string): Turn | undefined => {
  const users = usersOfTurn(turn);
  const left = users.filter((other) => other !== userId);
  if (left.length === users.length) return turn;
  return left.length === 0 ? undefined : left;
};

const layerWithout = (layer: Layer, userId: string): Layer => {
  if (!peopleOfLayer(layer).includes(userId)) return layer;
  const { first: _first, ...nobody } = layer;
  const left = layer.participants.map((turn) => turnWithout(turn, userId));
  const hasPeople = (turn: Turn | undefined): turn is Turn => usersOfTurn(turn).length > 0;
  if (!left.some(hasPeople)) return { ...nobody, participants: [] };
  const following = (place: number) => [...left.slice(place), ...left].find(hasPeople) ?? [];
  return { ...layer, participants: left.map((turn, place) => turn ?? following(place)) };
};

/**
 * The schedule without a user who left. Whoever shares a turn with the user keeps it. Each turn of the user alone goes to
 * the next turn that has people, who have the following one anyway: nobody else's turn begins later, ends earlier or goes
 * to somebody else, now or in the future. A layer without anybody else stays, with nobody in it. The very same schedule
 * where the user has no turn.
 */
export const withoutParticipant = <Schedule extends OnCallSchedule>(schedule: Schedule, userId: string): Schedule =>
  peopleOfSchedule(schedule).includes(userId)
    ? { ...schedule, layers: schedule.layers.map((layer) => layerWithout(layer, userId)) }
    : schedule;

const sameCadence = (one: Layer, other: Layer): boolean =>
  one.start === other.start && one.every === other.every && one.unit === other.unit;

/** The people of each turn, in one order whatever the order in which a turn names them. */
const peopleByTurn = ({ participants }: Layer): string[][] => participants.map((turn) => usersOfTurn(turn).toSorted());

/** Whether those who are in both lists come in the same order in both, so that people only came or went. */
const sameOrder = (before: string[][], after: string[][]): boolean => {
  const order = (list: string[][], other: string[][]) =>
    [...new Set(list.flat())].filter((userId) => other.flat().includes(userId)).join(" ");
  return order(before, after) === order(after, before);
};

const placesOf = (list: string[][], userId: string): number[] =>
  list.flatMap((userIds, place) => (userIds.includes(userId) ? place : []));

/** The first user who stays, of the turns from a place on and round to it again, and the place of that turn. */
const nextWhoStays = (before: string[][], after: string[][], from: number) => {
  const staying = new Set(after.flat());
  for (let step = 0; step < before.length; step += 1) {
    const place = (from + step) % before.length;
    const userId = before[place]?.find((other) => staying.has(other));
    if (userId !== undefined) return { userId, place };
  }
  return undefined;
};

/** So many turns of nobody lie before a place, in a row and round the list. */
const emptyBefore = (list: string[][], place: number): number => {
  let count = 0;
  while (count < list.length && list.at((place - count - 1) % list.length)?.length === 0) count += 1;
  return count;
};

/** The place in the new list of whoever has a turn in the old one, or of the next who stays. */
const placeIn = (after: string[][], before: string[][], from: number): number | undefined => {
  const next = nextWhoStays(before, after, from);
  if (next === undefined) return undefined;
  const places = placesOf(after, next.userId);
  // Whoever takes several turns goes on with the same one of them, as far as there are as many.
  const place = places[Math.min(placesOf(before, next.userId).indexOf(next.place), places.length - 1)] ?? 0;
  if (before[from]?.length !== 0) return place;
  // In a turn of nobody: as many of them are still to come, if the new list has them.
  const toCome = (next.place - from + before.length) % before.length;
  return place - Math.min(toCome, emptyBefore(before, next.place), emptyBefore(after, place));
};

/** `counted`: how many turns each of the two has counted by then. */
const continued = (before: Layer, after: Layer, counted: { before: number; after: number }): Layer => {
  const [old, next] = [peopleByTurn(before), peopleByTurn(after)];
  const place = sameOrder(old, next)
    ? placeIn(next, old, (counted.before + (before.first ?? 0)) % old.length)
    : undefined;
  if (place === undefined) return after;
  const count = next.length;
  const first = (((place - counted.after) % count) + count) % count;
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
    const countedBy = (layer: Layer) => compileLayer(layer, zone).countAt(atMs);
    return continued(before, after, { before: countedBy(before), after: countedBy(after) });
  });
  return { ...next, layers };
};
