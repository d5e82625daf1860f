import { overlap, type WeekSpan } from "./hours.ts";

/** When something puts people on call: its hours of the week, from one instant until another. */
export type Presence = { hours: readonly WeekSpan[]; fromMs: number; untilMs: number };

const meet = (one: Presence, other: Presence): boolean =>
  one.fromMs < other.untilMs && other.fromMs < one.untilMs && overlap(one.hours, other.hours);

/**
 * Splits things that are on call in addition to each other into lanes, in which no two are on call at the same time.
 * Within a group only one layer decides, so things that may overlap need separate groups: one group per lane.
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
