import { foldUnit } from "./fold-case.ts";
import { ignoresCase, STARTS, STARTS_IN_ANY_CASE } from "./form.ts";
import { decideSearch, type Meter } from "./search.ts";
import type { TextSearch } from "./event-slots.ts";
import { foldSlotText, type EventSlots, type Slot } from "./event-slots.ts";
import { toText } from "./value.ts";

/** Searches in one field, indexed by the rarest four consecutive characters of each needle, so that one scan finds all needles. */
export type Needles = {
  /** The searches contain no duplicates, and each needle has at least four characters. */
  searches: TextSearch[];
  table: Table | undefined;
};

export const NEEDLE_LENGTH_MIN = 4;
/** The number of needles up to which separate searches are faster than the index. */
const SEARCH_MAX = 12;
/** The number of comparisons per character after which needles are searched one by one. Comparisons cost no budget. */
const COMPARISONS_PER_CHARACTER = 0.25;

const GOLDEN = 0x9e3779b1;

/** Folds a character beyond ASCII, which may equal a Latin letter if case is ignored. */
const foldNonAscii = (code: number): number => {
  const folded = foldUnit(code);
  return folded < 128 ? folded | 32 : folded;
};

/** Adds a character, ignoring case, to a window of four characters with eight bits each. Runs of Latin text rarely collide. */
const addToWindow = (window: number, code: number): number =>
  (window << 8) ^ (code < 128 ? code | 32 : foldNonAscii(code));

/** Returns a window with the text's first three characters; the caller adds the fourth character. */
const startWindow = (text: string): number =>
  addToWindow(addToWindow(addToWindow(0, text.charCodeAt(0)), text.charCodeAt(1)), text.charCodeAt(2));

/** Lists the text's runs of four characters, each as a window. */
const listRuns = (text: string): number[] => {
  const runs: number[] = [];
  let window = startWindow(text);
  for (let index = NEEDLE_LENGTH_MIN - 1; index < text.length; index += 1) {
    window = addToWindow(window, text.charCodeAt(index));
    runs.push(window);
  }
  return runs;
};

/**
 * An index of needles by the hash of their rarest run. `first`: the first entry with a hash. `runs`, `ends`: each needle's run,
 * and the index of its last character. `next`: the next entry with the hash. The number 0 means no entry.
 */
type Table = { shift: number; first: Uint32Array; runs: Int32Array; ends: Uint16Array; next: Uint32Array };

const buildNeedleTable = (searches: readonly TextSearch[]): Table => {
  const runs = searches.map(({ needle }) => listRuns(needle));
  const shared = new Map<number, number>();
  for (const run of runs.flat()) shared.set(run, (shared.get(run) ?? 0) + 1);
  // With four hashes per needle, most runs of a text find no needle.
  const bits = Math.ceil(Math.log2(searches.length)) + 2;
  const shift = 32 - bits;
  const first = new Uint32Array(1 << bits);
  const next = new Uint32Array(searches.length + 1);
  const chosen = new Int32Array(searches.length + 1);
  const ends = new Uint16Array(searches.length + 1);
  for (const [index, own] of runs.entries()) {
    const rarest = own.reduce((left, right) => ((shared.get(right) ?? 0) < (shared.get(left) ?? 0) ? right : left));
    const hash = Math.imul(rarest, GOLDEN) >>> shift;
    chosen[index + 1] = rarest;
    ends[index + 1] = own.indexOf(rarest) + NEEDLE_LENGTH_MIN - 1;
    next[index + 1] = first[hash] ?? 0;
    first[hash] = index + 1;
  }
  return { shift, first, runs: chosen, ends, next };
};

/** Returns whether the search's needle is at the position, which must be 0 for a test of the text's start. */
const isNeedleAt = ({ test, needle }: TextSearch, position: number, text: string, slot: Slot): boolean => {
  if (position > 0 && (test === STARTS || test === STARTS_IN_ANY_CASE)) return false;
  return (ignoresCase(test) ? foldSlotText(slot, text) : text).startsWith(needle, position);
};

/** Calls `onFound`, possibly repeatedly, for each search that the text passes or that the budget left undecided. */
export const collectNeedles = (
  needles: Needles,
  slot: Slot,
  slots: EventSlots,
  meter: Meter,
  onFound: (id: number) => void,
): void => {
  const { searches } = needles;
  const testNeedle = (search: TextSearch): void => {
    // A search that the budget left undecided counts as passed, so that the rules with this search are reported as over budget.
    if (decideSearch(search, slot, slots, meter) !== false) onFound(search.id);
  };
  if (searches.length <= SEARCH_MAX) {
    for (const search of searches) testNeedle(search);
    return;
  }
  const { shift, first, runs, ends, next } = (needles.table ??= buildNeedleTable(searches));
  const text = toText(slot.value) ?? "";
  let comparisons = text.length * COMPARISONS_PER_CHARACTER;
  let window = startWindow(text);
  for (let index = NEEDLE_LENGTH_MIN - 1; index < text.length; index += 1) {
    window = addToWindow(window, text.charCodeAt(index));
    let entry = first[Math.imul(window, GOLDEN) >>> shift] ?? 0;
    for (; entry !== 0; entry = next[entry] ?? 0) {
      const search = searches[entry - 1];
      if (runs[entry] !== window || search === undefined) continue;
      if (search.turn !== slots.turn && comparisons > 0) {
        comparisons -= 1;
        if (!isNeedleAt(search, index - (ends[entry] ?? 0), text, slot)) continue;
      }
      testNeedle(search);
    }
  }
};
