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

/** The turn without a user; undefined if nobody is left in it. */
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
 * the people of the next turn that has any, who are next on call. So nobody else's turn begins later, ends
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
  // A user with several turns continues with the same one of them, or with the last if there are fewer now.
  const index = indexes[Math.min(indexesOf(before, next.userId).indexOf(next.index), indexes.length - 1)] ?? 0;
  if (before[from]?.length !== 0) return index;
  // In a turn of nobody, as many turns of nobody are still to come as before, if the new list has as many.
  const toCome = (next.index - from + before.length) % before.length;
  return index - Math.min(toCome, emptyBefore(before, next.index), emptyBefore(after, index));
};

/** Whether there are as many turns as before, and where one differs somebody has come or gone: in the place of others. */
const isInPlace = (before: string[][], after: string[][]): boolean =>
  before.length === after.length &&
  after.every((turn, index) => {
    const old = before[index] ?? [];
    const hasNone = (some: string[], but: string[], of: string[][]) =>
      some.every((userId) => but.includes(userId) || !indexesOf(of, userId).length);
    return hasNone(turn, old, before) || hasNone(old, turn, after);
  });

/** `countOf`: how many turns a layer has counted so far. */
const continued = (before: Layer, after: Layer, countOf: (layer: Layer) => number): Layer => {
  const [old, next] = [peopleByTurn(before), peopleByTurn(after)];
  const from = (countOf(before) + (before.first ?? 0)) % old.length;
  const index = isInPlace(old, next) ? from : indexIn(next, old, from);
  if (index === undefined) return after;
  const count = next.length;
  const first = (((index - countOf(after)) % count) + count) % count;
  return first === 0 ? after : { ...after, first };
};

/** Criteria by which a layer of the new list is recognized as one of the old list, the strongest first. */
const likenesses: readonly ((before: Layer, after: Layer) => boolean)[] = [
  ({ first: _first, ...before }, { first: _own, ...after }) => JSON.stringify(before) === JSON.stringify(after),
  (before, after) => peopleOfLayer(after).some((userId) => peopleOfLayer(before).includes(userId)),
  () => true,
];

/** The layer of the old list that each of the new one continues, each at most once, wherever it is in the list. */
const matched = (previous: readonly Layer[], next: readonly Layer[]): Map<Layer, Layer> => {
  const found = new Map<Layer, Layer>();
  const left = new Set(previous);
  for (const isLike of likenesses)
    for (const [index, after] of next.entries()) {
      if (found.has(after)) continue;
      const like = [previous[index], ...left].find(
        (before) => before !== undefined && left.has(before) && sameCadence(before, after) && isLike(before, after),
      );
      if (like === undefined) continue;
      found.set(after, like);
      left.delete(like);
    }
  return found;
};

/**
 * The new schedule, changed so that its rotations continue where those of the previous one are at `atMs`. Turns are
 * counted from a layer's start, so a different number of participants alone would put somebody else on duty. Where a
 * layer has the same start and shift length as one before, wherever that was in the list, `first` is set so that the
 * person on duty stays on duty, and the others follow in the new order. Somebody who takes another's place in the
 * list takes over that turn; the turn of somebody who was removed goes to the next one. Doing it again changes
 * nothing. A layer that gives `first` is not changed.
 */
export const keepingTurns = <Schedule extends OnCallSchedule>(
  previous: OnCallSchedule,
  next: Schedule,
  atMs: number,
): Schedule => {
  if (previous.timeZone !== next.timeZone) return next;
  const zone = zoneOf(next.timeZone);
  const before = matched(previous.layers, next.layers);
  const layers = next.layers.map((after) => {
    const one = before.get(after);
    if (!one?.participants.length || after.first !== undefined) return after;
    return continued(one, after, (layer) => compileLayer(layer, zone).countAt(atMs));
  });
  return { ...next, layers };
};
