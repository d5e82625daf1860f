import { overlap, type WeekSpan } from "./hours.ts";

/** When something that puts people on call does so: its hours of the week, from one instant until another. */
export type Presence = { hours: readonly WeekSpan[]; fromMs: number; untilMs: number };

const meet = (one: Presence, other: Presence): boolean =>
  one.fromMs < other.untilMs && other.fromMs < one.untilMs && overlap(one.hours, other.hours);

/**
 * Things that add up, as lists of such as never are on call at the same time. Of the layers of a group one decides, so
 * what may overlap has to stand in groups of its own: a group a lane.
 */
export const lanesOf = <Item extends Presence>(items: readonly Item[]): Item[][] => {
  const lanes: Item[][] = [];
  for (const item of items) {
    const free = lanes.find((lane) => lane.every((other) => !meet(item, other)));
    if (free === undefined) lanes.push([item]);
    else free.push(item);
  }
  return lanes;
};
