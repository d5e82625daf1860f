import { CONTAINS, textPasses, type TextTest } from "./form.ts";
import { nextId, type EventSlots, type Slot } from "./slot.ts";
import { textOf } from "./value.ts";

/** How texts are searched: the tests of text operators, and one that takes Latin letters in either case for equal. */
export const CONTAINS_IN_ANY_CASE = 3;
export type SearchTest = TextTest | typeof CONTAINS_IN_ANY_CASE;

/** One needle in one field's text: rules that ask the same share it, so that an event's text is searched once. */
export type TextSearch = {
  /** Stands for texts that pass, as the id of a value stands for it. */
  readonly id: number;
  readonly test: SearchTest;
  readonly needle: string;
  /** The turn of the event that the verdict is about. */
  turn: number;
  verdict: boolean;
};

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

export const learnSearch = (slot: Slot, test: SearchTest, needle: string, view: EventSlots): TextSearch => {
  const known = slot.searches[test].get(needle);
  if (known !== undefined) return known;
  const search: TextSearch = { id: nextId(view), test, needle, turn: 0, verdict: false };
  slot.searches[test].set(needle, search);
  return search;
};

/** A text as patterns that ignore case see its Latin letters: the Kelvin sign is a k to them, and the long s an s. */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll("\u017f", "s");

/** Whether the text of a field that the event has passes; undefined when nothing was left to spend. */
export const decideSearch = (search: TextSearch, slot: Slot, view: EventSlots, meter: Meter): boolean | undefined => {
  if (search.turn === view.turn) return search.verdict;
  const { test, needle } = search;
  const text = textOf(slot.value);
  if (test >= CONTAINS && text !== undefined) {
    if (meter.spent >= meter.limit) return undefined;
    meter.spent += 1 + text.length / CHARACTERS_PER_UNIT;
  }
  search.turn = view.turn;
  if (text === undefined) search.verdict = false;
  else if (test === CONTAINS_IN_ANY_CASE) search.verdict = (slot.folded ??= foldCase(text)).includes(needle);
  else {
    const other = slot.alternative;
    search.verdict = textPasses(test, text, needle) || (other !== undefined && textPasses(test, other, needle));
  }
  return search.verdict;
};
