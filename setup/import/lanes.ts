import { doSpansOverlap, type WeekSpan } from "./hours.ts";

/** The hours of the week in which a rotation is on call between two times. */
export type Presence = { hours: readonly WeekSpan[]; fromMs: number; untilMs: number };

const doOverlap = (first: Presence, second: Presence): boolean =>
  first.fromMs < second.untilMs && second.fromMs < first.untilMs && doSpansOverlap(first.hours, second.hours);

/**
 * Splits rotations into lanes. Rotations of a lane are never on call at the same time. Only one layer of a group decides, so
 * rotations that may overlap need separate groups: one per lane.
 */
export const splitIntoLanes = <Item extends Presence>(items: readonly Item[]): Item[][] => {
  const lanes: Item[][] = [];
  for (const item of items) {
    const free = lanes.find((lane) => lane.every((other) => !doOverlap(item, other)));
    if (free === undefined) lanes.push([item]);
    else free.push(item);
  }
  return lanes;
};
