import { compileLayer } from "./layer.ts";
import {
  listLayerUsers,
  listScheduleUsers,
  toUserIds,
  type Layer,
  type OnCallSchedule,
  type Turn,
} from "./schedule.ts";
import { getZone } from "../basics/clock/zone.ts";

/** Returns the turn without the user; undefined if nobody else is in the turn. */
const removeFromTurn = (turn: Turn, userId: string): Turn | undefined => {
  const users = toUserIds(turn);
  const left = users.filter((other) => other !== userId);
  if (left.length === users.length) return turn;
  return left.length === 0 ? undefined : left;
};

const removeFromLayer = (layer: Layer, userId: string): Layer => {
  if (!listLayerUsers(layer).includes(userId)) return layer;
  const { first: _first, ...nobody } = layer;
  const left = layer.participants.map((turn) => removeFromTurn(turn, userId));
  const hasPeople = (turn: Turn | undefined): turn is Turn => toUserIds(turn).length > 0;
  if (!left.some(hasPeople)) return { ...nobody, participants: [] };
  const findTurnWithPeopleFrom = (index: number) => [...left.slice(index), ...left].find(hasPeople) ?? [];
  return { ...layer, participants: left.map((turn, index) => turn ?? findTurnWithPeopleFrom(index)) };
};

/**
 * Removes a user's turns. Other people stay in their turns. A turn that would be empty gets the people of the next turn with
 * people. Other turns stay unchanged. A layer with only this user stays, without people. Returns the same object if the user has
 * no turn.
 */
export const removeFromSchedule = <Schedule extends OnCallSchedule>(schedule: Schedule, userId: string): Schedule =>
  listScheduleUsers(schedule).includes(userId)
    ? { ...schedule, layers: schedule.layers.map((layer) => removeFromLayer(layer, userId)) }
    : schedule;

/** Returns whether the rotations have the same start and the same length of turns. */
const haveSameTurnTimes = (first: Layer, second: Layer): boolean =>
  first.start === second.start && first.every === second.every && first.unit === second.unit;

/** Returns the users of each turn, sorted, because their order has no meaning. */
const listUsersByTurn = ({ participants }: Layer): string[][] => participants.map((turn) => toUserIds(turn).toSorted());

const findTurnIndexes = (turns: string[][], userId: string): number[] =>
  turns.flatMap((userIds, index) => (userIds.includes(userId) ? index : []));

/** Returns the first user of `before` who is also in `after`. Searches turns from `fromIndex`, then from the start. */
const findRemainingUser = (before: string[][], after: string[][], fromIndex: number) => {
  const staying = new Set(after.flat());
  for (const [index, userIds] of [...before.entries(), ...before.entries()].slice(fromIndex)) {
    const userId = userIds.find((other) => staying.has(other));
    if (userId !== undefined) return { userId, index };
  }
  return undefined;
};

/** Counts the empty turns just before the turn at an index. Turn 0 follows the last turn of the list. */
const countEmptyBefore = (turns: string[][], index: number): number => {
  let count = 0;
  while (turns.at(index - count - 1)?.length === 0) count += 1;
  return count;
};

/** Returns the turn in `after` of the first remaining user from turn `fromIndex` in `before`; undefined if none remains. */
const findRemainingTurn = (after: string[][], before: string[][], fromIndex: number): number | undefined => {
  const next = findRemainingUser(before, after, fromIndex);
  if (next === undefined) return undefined;
  const indexes = findTurnIndexes(after, next.userId);
  // A user's second turn stays the user's second, or becomes the user's last if the user has fewer turns now.
  const index = indexes[Math.min(findTurnIndexes(before, next.userId).indexOf(next.index), indexes.length - 1)] ?? 0;
  if (before[fromIndex]?.length !== 0) return index;
  // If nobody is on duty, the next user still follows after the same number of empty turns, or after fewer if fewer are left.
  const toCome = (next.index - fromIndex + before.length) % before.length;
  return index - Math.min(toCome, countEmptyBefore(before, next.index), countEmptyBefore(after, index));
};

/** Returns whether the number of turns is the same, and each turn only gained new people or lost people who left. */
const areOnlyPeopleReplaced = (before: string[][], after: string[][]): boolean =>
  before.length === after.length &&
  after.every((present, index) => {
    const old = before[index] ?? [];
    const isEachInThisTurnOrInNone = (userIds: string[], thisTurn: string[], allTurns: string[][]) =>
      userIds.every((userId) => thisTurn.includes(userId) || !findTurnIndexes(allTurns, userId).length);
    return isEachInThisTurnOrInNone(present, old, before) || isEachInThisTurnOrInNone(old, present, after);
  });

/** Returns `after` with a `first` turn that keeps the same people on duty. `countOf`: counts the layer's past turns. */
const continueLayer = (before: Layer, after: Layer, countOf: (layer: Layer) => number): Layer => {
  const [old, next] = [listUsersByTurn(before), listUsersByTurn(after)];
  const from = (countOf(before) + (before.first ?? 0)) % old.length;
  const index = areOnlyPeopleReplaced(old, next) ? from : findRemainingTurn(next, old, from);
  if (index === undefined) return after;
  const count = next.length;
  const first = (((index - countOf(after)) % count) + count) % count;
  return first === 0 ? after : { ...after, first };
};

/** The criteria for a new layer that continues an old layer, the strongest criterion first. */
const likenesses: readonly ((before: Layer, after: Layer) => boolean)[] = [
  ({ first: _first, ...before }, { first: _own, ...after }) => JSON.stringify(before) === JSON.stringify(after),
  (before, after) => listLayerUsers(after).some((userId) => listLayerUsers(before).includes(userId)),
  () => true,
];

/** Returns for each new layer the old layer that it continues. Each old layer continues in at most one new layer. */
const findContinuedLayers = (previous: readonly Layer[], next: readonly Layer[]): Map<Layer, Layer> => {
  const found = new Map<Layer, Layer>();
  const left = new Set(previous);
  for (const isLike of likenesses)
    for (const [index, after] of next.entries()) {
      if (found.has(after)) continue;
      const like = [previous[index], ...left].find(
        (before) =>
          before !== undefined && left.has(before) && haveSameTurnTimes(before, after) && isLike(before, after),
      );
      if (like === undefined) continue;
      found.set(after, like);
      left.delete(like);
    }
  return found;
};

/**
 * Makes rotations continue from their position at `atMs`. Turns are counted from a layer's start, so adding or removing people
 * would put somebody else on duty. With the same start and shift length, `first` keeps the person on duty, and the others follow
 * in the new order. A person who replaces another gets that person's turn. The turn of a removed person goes to the next person.
 * Idempotent. Layers that set `first` stay unchanged.
 */
export const keepTurns = <Schedule extends OnCallSchedule>(
  previous: OnCallSchedule,
  next: Schedule,
  atMs: number,
): Schedule => {
  if (previous.timeZone !== next.timeZone) return next;
  const zone = getZone(next.timeZone);
  const before = findContinuedLayers(previous.layers, next.layers);
  const layers = next.layers.map((after) => {
    const one = before.get(after);
    if (!one?.participants.length || after.first !== undefined) return after;
    return continueLayer(one, after, (layer) => compileLayer(layer, zone).countAt(atMs));
  });
  return { ...next, layers };
};
