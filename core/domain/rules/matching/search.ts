import { foldCase } from "./fold-case.ts";
import { CONTAINS, ignoresCase, passesTextTest, type TextTest } from "./form.ts";
import { foldSlotText, takeNextId, type EventSlots, type Slot, type TextSearch } from "./event-slots.ts";
import { toText } from "./value.ts";

/** The budget for an event, in units, and how much of it is spent. */
export type Meter = {
  spent: number;
  limit: number;
  /** True if the budget ran out at a condition of the current rule. */
  refused: boolean;
};

const CHARACTERS_SCANNED_PER_UNIT = 16;

/** Returns the slot's search for the needle, and adds the search if it is new. Rules with an equal needle share a search. */
export const registerSearch = (slot: Slot, test: TextTest, needle: string, slots: EventSlots): TextSearch => {
  const searches = (slot.searches[test] ??= new Map());
  const known = searches.get(needle);
  if (known !== undefined) return known;
  const search: TextSearch = { id: takeNextId(slots), test, needle, turn: 0, verdict: false };
  searches.set(needle, search);
  return search;
};

/** Returns whether the slot's text meets the search, such as "contains the needle"; undefined if the budget ran out. */
export const decideSearch = (search: TextSearch, slot: Slot, slots: EventSlots, meter: Meter): boolean | undefined => {
  if (search.turn === slots.turn) return search.verdict;
  const { test, needle } = search;
  const text = toText(slot.value);
  if (test >= CONTAINS && text !== undefined) {
    if (meter.spent >= meter.limit) return undefined;
    meter.spent += 1 + text.length / CHARACTERS_SCANNED_PER_UNIT;
  }
  search.turn = slots.turn;
  const other = slot.alternative;
  if (text === undefined) search.verdict = false;
  else if (ignoresCase(test)) {
    search.verdict =
      passesTextTest(test, foldSlotText(slot, text), needle) ||
      (other !== undefined && passesTextTest(test, foldCase(other), needle));
  } else
    search.verdict = passesTextTest(test, text, needle) || (other !== undefined && passesTextTest(test, other, needle));
  return search.verdict;
};
