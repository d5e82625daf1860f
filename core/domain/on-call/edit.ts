import { compileLayer } from "./layer.ts";
import {
  peopleOfLayer,
  peopleOfSchedule,
  usersOfTurn,
  type Layer,
  type OnCallSchedule,
  type Turn,
} from "./schedule.ts";
import { zoneOf } from "../basics/clock/zone.ts";

/** The turn without a user; undefined where that leaves nobody in it. */
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
  const following = (index: number) => [...left.slice(index), ...left].find(hasPeople) ?? [];
  return { ...layer, participants: left.map((turn, index) => turn ?? following(index)) };
};

/**
 * The schedule without a user who left. People who share a turn with the user keep it. A turn of the user alone goes to
 * the people of the next turn that has any, who are on duty next anyway. So nobody else's turn begins later, ends
 * earlier or goes to somebody else, now or in the future. A layer with nobody else stays, without people. Returns the
 * same object where the user has no turn.
 */
export const withoutParticipant = <Schedule extends OnCallSchedule>(schedule: Schedule, userId: string): Schedule =>
  peopleOfSchedule(schedule).includes(userId)
    ? { ...schedule, layers: schedule.layers.map((layer) => layerWithout(layer, userId)) }
    : schedule;

const sameCadence = (one: Layer, other: Layer): boolean =>
  one.start === other.start && one.every === other.every && one.unit === other.unit;

/** The people of each turn, sorted, so that the order in which a turn names them does not matter. */
const peopleByTurn = ({ participants }: Layer): string[][] => participants.map((turn) => usersOfTurn(turn).toSorted());

/** Whether the people who are in both lists have the same order in both, so that people were only added or removed. */
const sameOrder = (before: string[][], after: string[][]): boolean => {
  const order = (list: string[][], other: string[][]) =>
    [...new Set(list.flat())].filter((userId) => other.flat().includes(userId)).join(" ");
  return order(before, after) === order(after, before);
};

const indexesOf = (list: string[][], userId: string): number[] =>
  list.flatMap((userIds, index) => (userIds.includes(userId) ? index : []));

/** The first user who stays, searched from an index on and once around the list, and the index of that user's turn. */
const nextWhoStays = (before: string[][], after: string[][], from: number) => {
  const staying = new Set(after.flat());
  for (let step = 0; step < before.length; step += 1) {
    const index = (from + step) % before.length;
    const userId = before[index]?.find((other) => staying.has(other));
    if (userId !== undefined) return { userId, index };
  }
  return undefined;
};

/** How many turns of nobody are directly before an index, in a row, going around the list. */
const emptyBefore = (list: string[][], index: number): number => {
  let count = 0;
  while (count < list.length && list.at((index - count - 1) % list.length)?.length === 0) count += 1;
  return count;
};

/** The new list's index for the user whose turn is at an index of the old list, or else for the next user who stays. */
const indexIn = (after: string[][], before: string[][], from: number): number | undefined => {
  const next = nextWhoStays(before, after, from);
  if (next === undefined) return undefined;
  const indexes = indexesOf(after, next.userId);
  // A user with several turns goes on with the same one of them, or with the last if there are fewer now.
  const index = indexes[Math.min(indexesOf(before, next.userId).indexOf(next.index), indexes.length - 1)] ?? 0;
  if (before[from]?.length !== 0) return index;
  // In a turn of nobody, as many turns of nobody are still to come as before, if the new list has as many.
  const toCome = (next.index - from + before.length) % before.length;
  return index - Math.min(toCome, emptyBefore(before, next.index), emptyBefore(after, index));
};

/** `counted`: how many turns each of the two layers has counted so far. */
const continued = (before: Layer, after: Layer, counted: { before: number; after: number }): Layer => {
  const [old, next] = [peopleByTurn(before), peopleByTurn(after)];
  const index = sameOrder(old, next)
    ? indexIn(next, old, (counted.before + (before.first ?? 0)) % old.length)
    : undefined;
  if (index === undefined) return after;
  const count = next.length;
  const first = (((index - counted.after) % count) + count) % count;
  return first === 0 ? after : { ...after, first };
};

/**
 * The new schedule, changed so that its rotations continue where those of the previous one are at `atMs`. Turns are
 * counted from a layer's start, so a different number of participants alone would put somebody else on duty. Where
 * people were added to or removed from a layer with the same start and shift length, `first` is set so that the person
 * on duty stays on duty (or the next one takes over, if that person was removed) and the others follow in the new
 * order. Doing it again changes nothing. A layer that gives `first`, or has the same people in another order, is left
 * as it is.
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
