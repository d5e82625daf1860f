import { CONTAINS, textPasses, type TextTest } from "./form.ts";
import { nextId, type EventSlots, type Slot } from "./slot.ts";
import { textOf } from "./value.ts";

/** How texts are searched: by the tests of the text operators, or by one that ignores the case of Latin letters. */
export const CONTAINS_IN_ANY_CASE = 3;
export type SearchTest = TextTest | typeof CONTAINS_IN_ANY_CASE;

/** The search for one needle in one field. Rules that need the same search share it, so a text is searched once. */
export type TextSearch = {
  /** Stands for texts that pass, just as a value's id stands for the value. */
  readonly id: number;
  readonly test: SearchTest;
  readonly needle: string;
  /** The turn of the event to which the verdict belongs. */
  turn: number;
  verdict: boolean;
};

/** Accounts for expensive work. */
export type Meter = {
  /** Units spent on the current event. */
  spent: number;
  /** Units that the current event may spend. */
  limit: number;
  /** Whether a condition of the current rule was left undecided because the budget was used up. */
  refused: boolean;
};

/** How many characters `includes` scans in the time of one unit. */
const CHARACTERS_PER_UNIT = 16;

export const learnSearch = (slot: Slot, test: SearchTest, needle: string, view: EventSlots): TextSearch => {
  const known = slot.searches[test].get(needle);
  if (known !== undefined) return known;
  const search: TextSearch = { id: nextId(view), test, needle, turn: 0, verdict: false };
  slot.searches[test].set(needle, search);
  return search;
};

/** Folds Latin letters as patterns that ignore case do: the Kelvin sign becomes a k, and the long s an s. */
export const foldCase = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.includes("\u017f") ? lower.replaceAll("\u017f", "s") : lower;
};

/** The text of a field, folded once for all that search it. */
export const foldedText = (slot: Slot, text: string): string => (slot.folded ??= foldCase(text));

const FOLDS = /^[\w :;,.\-/=%#@"']+$/u;
/** Whether a pattern's text holds only characters that `foldCase` folds as RE2 does where case is ignored. */
export const folds = (text: string): boolean => FOLDS.test(text);

/** Whether the text of a field that the event has passes; undefined when the budget was used up. */
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
  else if (test === CONTAINS_IN_ANY_CASE) search.verdict = foldedText(slot, text).includes(needle);
  else {
    const other = slot.alternative;
    search.verdict = textPasses(test, text, needle) || (other !== undefined && textPasses(test, other, needle));
  }
  return search.verdict;
};
