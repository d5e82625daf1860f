import { CONTAINS, textTests } from "./form.ts";
import { readSlot, type EventView, type Slot } from "./slot.ts";
import { textOf } from "./value.ts";

/** One needle in one field's text: rules that ask the same share it, so that an event's text is searched once. */
export type TextSearch = { readonly test: 0 | 1 | 2; readonly needle: string; turn: number; verdict: boolean };

/** Where long work is accounted for. */
export type Meter = {
  /** Units spent on the current event. */
  spent: number;
  /** Units that the current event may spend. */
  limit: number;
  /** Whether a condition of the current rule was left undecided because nothing was left to spend. */
  refused: boolean;
};

/** `includes` scans so many characters in the time of one unit. */
const CHARACTERS_PER_UNIT = 16;

export const learnSearch = (slot: Slot, test: 0 | 1 | 2, needle: string): TextSearch => {
  const known = slot.searches[test].get(needle);
  if (known !== undefined) return known;
  const search: TextSearch = { test, needle, turn: 0, verdict: false };
  slot.searches[test].set(needle, search);
  return search;
};

/** Undefined when nothing was left to spend. */
export const decideSearch = (search: TextSearch, slot: Slot, view: EventView, meter: Meter): boolean | undefined => {
  if (search.turn === view.turn) return search.verdict;
  const { test, needle } = search;
  const text = textOf(readSlot(slot, view));
  const account = meter;
  if (test === CONTAINS && text !== undefined) {
    if (meter.spent >= meter.limit) return undefined;
    account.spent += 1 + text.length / CHARACTERS_PER_UNIT;
  }
  const target = search;
  target.turn = view.turn;
  target.verdict =
    text !== undefined &&
    (textTests[test](text, needle) || (slot.alternative !== undefined && textTests[test](slot.alternative, needle)));
  return target.verdict;
};
