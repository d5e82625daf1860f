import { doSpansOverlap, type WeekSpan } from "./hours.ts";

/** The hours of the week in which a rotation is on call between two times. */
export type OnCallHours = { hours: readonly WeekSpan[]; fromMs: number; untilMs: number };

const doOverlap = (first: OnCallHours, second: OnCallHours): boolean =>
  first.fromMs < second.untilMs && second.fromMs < first.untilMs && doSpansOverlap(first.hours, second.hours);

/**
 * Splits rotations into lanes, so that rotations of one lane are never on call at the same time. Each lane becomes a group,
 * because only one layer of a group decides who is on call.
 */
export const splitIntoLanes = <Item extends OnCallHours>(items: readonly Item[]): Item[][] => {
  const lanes: Item[][] = [];
  for (const item of items) {
    const free = lanes.find((lane) => lane.every((other) => !doOverlap(item, other)));
    if (free === undefined) lanes.push([item]);
    else free.push(item);
  }
  return lanes;
};
