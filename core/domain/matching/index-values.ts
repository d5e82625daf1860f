import { addHit, type Hits } from "./hits.ts";
import { identify, UNKNOWN, type EventView, type KnownValue, type Slot } from "./slot.ts";

/** Rules by a value that a field must have: one look-up each for the text and the number of what an event holds. */
export type ValueIndex = {
  add(value: KnownValue, rule: number): void;
  collect(slot: Slot, view: EventView, hits: Hits): void;
};

const NONE = -1;

export const createValueIndex = (): ValueIndex => {
  // Rules of one value form a chain through `next`: a few bytes a rule, where an array for each value takes a hundred.
  const byText = new Map<number, number>();
  const byNumber = new Map<number, number>();
  const rules: number[] = [];
  const next: number[] = [];

  const link = (heads: Map<number, number>, id: number, rule: number): void => {
    next.push(heads.get(id) ?? NONE);
    heads.set(id, rules.length);
    rules.push(rule);
  };

  const follow = (head: number | undefined, hits: Hits): void => {
    for (let entry = head ?? NONE; entry !== NONE; entry = next[entry] ?? NONE) addHit(hits, rules[entry] ?? NONE);
  };

  return {
    add: ({ textId, numberId }, rule) => {
      if (textId !== UNKNOWN) link(byText, textId, rule);
      if (numberId !== UNKNOWN) link(byNumber, numberId, rule);
    },
    collect: (slot, view, hits) => {
      identify(slot, view);
      if (slot.textId !== UNKNOWN) follow(byText.get(slot.textId), hits);
      if (slot.numberId !== UNKNOWN) follow(byNumber.get(slot.numberId), hits);
    },
  };
};
