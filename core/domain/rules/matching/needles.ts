import { foldUnit } from "./fold-case.ts";
import { ignoresCase, STARTS, STARTS_IN_ANY_CASE } from "./form.ts";
import { decideSearch, type Meter } from "./search.ts";
import type { TextSearch } from "./slot.ts";
import { foldedText, type EventSlots, type Slot } from "./slot.ts";
import { textOf } from "./value.ts";

/**
 * The texts for which many rules search in one field. Each needle is filed under one of its runs of four characters, the
 * one that the fewest other needles share. An event's text is scanned once, and at each of its runs only the needles
 * filed under that run are compared with the text around it.
 */
export type Needles = {
  /** No search twice, and each with a needle of at least four characters. */
  searches: TextSearch[];
  /** Built when a text is first scanned. */
  table: Table | undefined;
};

export const NEEDLE_LENGTH_MIN = 4;
/** With this many needles or fewer, searching for each one is faster than scanning the text once. */
const SEARCH_MAX = 12;
/** After this many comparisons, which are not charged to the budget, each remaining needle is searched for once. */
const COMPARISONS_PER_CHARACTER = 0.25;

const GOLDEN = 0x9e3779b1;

/** Beyond ASCII, a unit that folds to a Latin letter counts as that letter. */
const foldWide = (code: number): number => {
  const folded = foldUnit(code);
  return folded < 128 ? folded | 32 : folded;
};

/** Eight bits per character, almost exact for Latin text. Letters are the same in either case. */
const shiftIn = (window: number, code: number): number => (window << 8) ^ (code < 128 ? code | 32 : foldWide(code));

/** The window after the first three characters, one short of the first run. */
const openWindow = (text: string): number =>
  shiftIn(shiftIn(shiftIn(0, text.charCodeAt(0)), text.charCodeAt(1)), text.charCodeAt(2));

const runsOf = (text: string): number[] => {
  const runs: number[] = [];
  let window = openWindow(text);
  for (let index = NEEDLE_LENGTH_MIN - 1; index < text.length; index += 1) {
    window = shiftIn(window, text.charCodeAt(index));
    runs.push(window);
  }
  return runs;
};

/**
 * Needles by the hash of their run. `first` has the entry of the first needle for a hash; `runs`, `ends` and `next` have
 * each needle's run, the index of the run's last character in the needle, and the entry of the next needle. Entries
 * count from 1; 0 is none.
 */
type Table = { shift: number; first: Uint32Array; runs: Int32Array; ends: Uint16Array; next: Uint32Array };

const buildTable = (searches: readonly TextSearch[]): Table => {
  const runs = searches.map(({ needle }) => runsOf(needle));
  const shared = new Map<number, number>();
  for (const run of runs.flat()) shared.set(run, (shared.get(run) ?? 0) + 1);
  // At least four hashes per needle, so that most runs of a text find none.
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

/** Whether a needle may be at an index of the text. If it is elsewhere, its run is found there as well. */
const mayBeAt = ({ test, needle }: TextSearch, at: number, text: string, slot: Slot): boolean => {
  if (at > 0 && (test === STARTS || test === STARTS_IN_ANY_CASE)) return false;
  return (ignoresCase(test) ? foldedText(slot, text) : text).startsWith(needle, at);
};

/** Calls `take` with each search that the text passes or that the budget left undecided, perhaps more than once. */
export const collectNeedles = (
  needles: Needles,
  slot: Slot,
  view: EventSlots,
  meter: Meter,
  take: (id: number) => void,
): void => {
  const { searches } = needles;
  const consider = (search: TextSearch): void => {
    // A search that the budget leaves undecided is passed on, too: the rules then report that they are over
    // budget.
    if (decideSearch(search, slot, view, meter) !== false) take(search.id);
  };
  if (searches.length <= SEARCH_MAX) {
    for (const search of searches) consider(search);
    return;
  }
  const { shift, first, runs, ends, next } = (needles.table ??= buildTable(searches));
  const text = textOf(slot.value) ?? "";
  let comparisons = text.length * COMPARISONS_PER_CHARACTER;
  let window = openWindow(text);
  for (let index = NEEDLE_LENGTH_MIN - 1; index < text.length; index += 1) {
    window = shiftIn(window, text.charCodeAt(index));
    let entry = first[Math.imul(window, GOLDEN) >>> shift] ?? 0;
    for (; entry !== 0; entry = next[entry] ?? 0) {
      const search = searches[entry - 1];
      if (runs[entry] !== window || search === undefined) continue;
      if (search.turn !== view.turn && comparisons > 0) {
        comparisons -= 1;
        if (!mayBeAt(search, index - (ends[entry] ?? 0), text, slot)) continue;
      }
      consider(search);
    }
  }
};
