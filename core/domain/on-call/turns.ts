import { toIso, toUtcMs } from "../basics/time.ts";
import { listLayerUsers, toUserIds, type Layer, type Turn } from "./schedule.ts";
import { compileWeekOverlap } from "../basics/clock/weekly.ts";
import { DAY_MS, HOUR_MS } from "../basics/units.ts";

const HOURS_OF_WEEK = 168;
const DAYS_OF_WEEK = 7;

const unitMs = { hour: HOUR_MS, day: DAY_MS, week: DAYS_OF_WEEK * DAY_MS } as const;

/** Finds each turn's start, and the turn at a time. Times are on a local clock (ms). The first turn has the index 0. */
type Cadence = { computeTurnStart: (index: number) => number; computeLocalTurnIndex: (local: number) => number };

/** Returns the number of months since January of year 0. `local`: the time on a local clock, in milliseconds. */
const computeMonthNumber = (local: number): number => {
  const text = toIso(local);
  return Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1;
};

/** Returns turns of months. A turn begins at the same time and day of the month, or on the last day of a shorter month. */
const createMonthCadence = (firstStart: number, every: number): Cadence => {
  const first = computeMonthNumber(firstStart);
  const day = Number(toIso(firstStart).slice(8, 10));
  const timeOfDay = firstStart - Math.floor(firstStart / DAY_MS) * DAY_MS;
  const computeTurnStart = (index: number): number => {
    const months = first + index * every;
    const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
    const lastDay = (toUtcMs(year, month + 1, 1) - toUtcMs(year, month, 1)) / DAY_MS;
    return toUtcMs(year, month, Math.min(day, lastDay)) + timeOfDay;
  };
  const computeLocalTurnIndex = (local: number): number => {
    const index = Math.floor((computeMonthNumber(local) - first) / every);
    return computeTurnStart(index) > local ? index - 1 : index;
  };
  return { computeTurnStart, computeLocalTurnIndex };
};

/** Returns how to compute turns of `every` units. `firstStart`: the first turn's start on a local clock, in milliseconds. */
const createCadence = ({ every, unit }: Pick<Layer, "every" | "unit">, firstStart: number): Cadence => {
  if (unit === "month") return createMonthCadence(firstStart, every);
  const period = every * unitMs[unit];
  return {
    computeTurnStart: (index) => firstStart + index * period,
    computeLocalTurnIndex: (local) => Math.floor((local - firstStart) / period),
  };
};

const greatestCommonDivisor = (first: number, second: number): number =>
  second === 0 ? first : greatestCommonDivisor(second, first % second);

/** Returns the number of turns after which hours of the week repeat: 7 for turns of a day, 1 for turns of a week or longer. */
const countTurnsPerCycle = ({ every, unit }: Pick<Layer, "every" | "unit">): number => {
  if (unit === "hour") return HOURS_OF_WEEK / greatestCommonDivisor(HOURS_OF_WEEK, every);
  return unit === "day" ? DAYS_OF_WEEK / greatestCommonDivisor(DAYS_OF_WEEK, every) : 1;
};

/** Returns a function that counts the turns before an index, or for `turns: "duty"` only those that `isCounted` accepts. */
const createTurnCounter = (layer: Layer, isCounted: (index: number) => boolean): ((index: number) => number) => {
  if (layer.turns !== "duty") return (index) => index;
  const cycle = countTurnsPerCycle(layer);
  const before = [0];
  for (let index = 0; index < cycle; index += 1) before.push((before[index] ?? 0) + (isCounted(index) ? 1 : 0));
  const all = before[cycle] ?? 0;
  return (index) => Math.floor(index / cycle) * all + (before[index % cycle] ?? 0);
};

export type Turns = Cadence & {
  /** Counts the turns before a turn, or for `turns: "duty"` only turns that overlap the restrictions. */
  countBefore: (index: number) => number;
  findTurn: (index: number) => Turn | undefined;
  /** Returns who is on call between two local times; `to` may be Infinity. */
  findPeopleServing: (from: number, to: number) => Set<string>;
};

/** Prepares the layer's turns for lookups. The first turn begins at `anchor`, a local time in milliseconds. */
export const compileTurns = (layer: Layer, anchor: number): Turns => {
  const { participants, restrictions = [], first = 0 } = layer;
  const { computeTurnStart, computeLocalTurnIndex } = createCadence(layer, anchor);
  const meetsHours = restrictions.length === 0 ? () => true : compileWeekOverlap(restrictions);
  const countBefore = createTurnCounter(layer, (index) =>
    meetsHours([computeTurnStart(index), computeTurnStart(index + 1)]),
  );
  const findTurn = (index: number) => participants[(countBefore(index) + first) % participants.length];

  const findPeopleServing = (from: number, to: number): Set<string> => {
    const serving = new Set<string>();
    if (to <= from) return serving;
    const everybody = new Set(listLayerUsers(layer)).size;
    const begin = Math.max(0, computeLocalTurnIndex(Math.max(from, anchor)));
    // The turns from `begin` to `end` include every combination of a participant and hours of the week.
    const end = begin + participants.length * countTurnsPerCycle(layer);
    for (let index = begin; index <= end && computeTurnStart(index) < to && serving.size < everybody; index += 1)
      if (meetsHours([Math.max(from, computeTurnStart(index)), Math.min(to, computeTurnStart(index + 1))]))
        for (const userId of toUserIds(findTurn(index))) serving.add(userId);
    return serving;
  };

  return { computeTurnStart, computeLocalTurnIndex, countBefore, findTurn, findPeopleServing };
};
