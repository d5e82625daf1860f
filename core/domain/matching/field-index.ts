import type { Access } from "./access.ts";
import { addHit, type Hits } from "./hits.ts";
import { createNeedleIndex, type NeedleIndex } from "./index-needles.ts";
import { createRangeIndex, type RangeIndex } from "./index-ranges.ts";
import { createValueIndex, type ValueIndex } from "./index-values.ts";
import { learnValue, readSlot, type EventView, type Slot } from "./slot.ts";
import { isEmpty } from "./value.ts";

/** All indexes of one bucket over one field; each is there once a rule needs it. */
export type FieldIndex = {
  readonly slot: Slot;
  values: ValueIndex | undefined;
  ranges: RangeIndex | undefined;
  needles: NeedleIndex | undefined;
  present: number[];
  absent: number[];
};

export const createFieldIndex = (slot: Slot): FieldIndex => ({
  slot,
  values: undefined,
  ranges: undefined,
  needles: undefined,
  present: [],
  absent: [],
});

export const indexRule = (index: FieldIndex, access: Access, rule: number): void => {
  const target = index;
  switch (access.kind) {
    case "values":
      target.values ??= createValueIndex();
      for (const value of access.values) target.values.add(learnValue(index.slot, value), rule);
      break;
    case "range":
      target.ranges ??= createRangeIndex();
      target.ranges.add(access.low, access.high, rule);
      break;
    case "needle":
      target.needles ??= createNeedleIndex();
      target.needles.add(access.needle, rule);
      break;
    case "present":
      index.present.push(rule);
      break;
    case "absent":
      index.absent.push(rule);
      break;
    case "any":
      break;
  }
};

/** Adds the rules that the event in view may match by this field. */
export const collectField = (index: FieldIndex, view: EventView, hits: Hits): void => {
  const { slot, absent, present } = index;
  const value = readSlot(slot, view);
  if (absent.length > 0 && isEmpty(value)) for (const rule of absent) addHit(hits, rule);
  if (value.raw === undefined) return;
  for (const rule of present) addHit(hits, rule);
  index.values?.collect(slot, view, hits);
  index.ranges?.collect(value.number, hits);
  index.needles?.collect(slot, view, hits);
};
