import type { Access } from "./access.ts";
import { collectChain, createChains, file, type Chains } from "./chains.ts";
import { addHit, type Hits } from "./hits.ts";
import { createNeedleIndex, type NeedleIndex } from "./index-needles.ts";
import { createRangeIndex, type RangeIndex } from "./index-ranges.ts";
import { learnSearch, type Meter } from "./search.ts";
import { identify, learnValue, readSlot, UNKNOWN, type EventView, type Slot } from "./slot.ts";
import { isEmpty } from "./value.ts";

/** All indexes of one bucket over one field; each is there once a rule needs it. */
export type FieldIndex = {
  readonly slot: Slot;
  /** Rules by the id of a text, and of a number, that the field must have. */
  texts: Chains | undefined;
  numbers: Chains | undefined;
  ranges: RangeIndex | undefined;
  needles: NeedleIndex | undefined;
  present: number[];
  absent: number[];
};

export const createFieldIndex = (slot: Slot): FieldIndex => ({
  slot,
  texts: undefined,
  numbers: undefined,
  ranges: undefined,
  needles: undefined,
  present: [],
  absent: [],
});

export const indexRule = (index: FieldIndex, access: Access, rule: number): void => {
  const target = index;
  switch (access.kind) {
    case "values":
      for (const value of access.values) {
        const { textId, numberId } = learnValue(index.slot, value);
        if (textId !== UNKNOWN) file((target.texts ??= createChains()), textId, rule);
        if (numberId !== UNKNOWN) file((target.numbers ??= createChains()), numberId, rule);
      }
      break;
    case "range":
      target.ranges ??= createRangeIndex();
      target.ranges.add(access.low, access.high, rule);
      break;
    case "needle":
      target.needles ??= createNeedleIndex();
      target.needles.add(
        access.test === undefined ? access.needle : learnSearch(index.slot, access.test, access.needle),
        rule,
      );
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
export const collectField = (index: FieldIndex, view: EventView, meter: Meter, hits: Hits): void => {
  const { slot, texts, numbers, absent, present } = index;
  const value = readSlot(slot, view);
  if (absent.length > 0 && isEmpty(value)) for (const rule of absent) addHit(hits, rule);
  if (value.raw === undefined) return;
  for (const rule of present) addHit(hits, rule);
  if (texts !== undefined || numbers !== undefined) {
    identify(slot, view);
    if (texts !== undefined && slot.textId !== UNKNOWN) collectChain(texts, slot.textId, hits);
    if (numbers !== undefined && slot.numberId !== UNKNOWN) collectChain(numbers, slot.numberId, hits);
  }
  index.ranges?.collect(value.number, hits);
  index.needles?.collect(slot, view, meter, hits);
};
