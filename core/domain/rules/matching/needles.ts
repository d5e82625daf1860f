import { decideSearch, type Meter, type TextSearch } from "./search.ts";
import type { EventSlots, Slot } from "./slot.ts";
import { textOf } from "./value.ts";

/**
 * Texts of which many rules wait for one in a field's text. Each needle is filed under one of its runs of four
 * characters, the one that the fewest other needles have; an event's text is gone through once, and at each of its runs
 * only the needles filed there are searched for.
 */
export type Needles = {
  /** Each once, and of at least four characters. */
  searches: TextSearch[];
  /** Built when a text is gone through for the first time. */
  table: Table | undefined;
};

export const NEEDLE_LENGTH_MIN = 4;
/** Up to so many, searching for each is quicker than going through the text. */
const SEARCH_MAX = 24;

const GOLDEN = 0x9e3779b1;

const KELVIN_SIGN = 0x212a;
const LONG_S = 0x17f;

/** A character as `foldCase` has it, as far as it becomes a Latin letter. */
const foldCode = (code: number): number => {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code;
  if (code === KELVIN_SIGN) return 107;
  return code === LONG_S ? 115 : code;
};

/** Eight bits a character: exact for Latin text, mixed for others. Latin letters in either case are the same. */
const shiftIn = (window: number, code: number): number => (window << 8) ^ foldCode(code);

/** The window before the first run is whole. */
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

/** Needles by the hash of their run: the place of the first one plus one; for each needle its run, and the next one's place. */
type Table = { shift: number; first: Uint32Array; runs: Int32Array; next: Uint32Array };

const buildTable = (searches: readonly TextSearch[]): Table => {
  const runs = searches.map(({ needle }) => runsOf(needle));
  const shared = new Map<number, number>();
  for (const run of runs.flat()) shared.set(run, (shared.get(run) ?? 0) + 1);
  // Four places a needle and more: most runs of a text meet none.
  const bits = Math.ceil(Math.log2(searches.length)) + 2;
  const shift = 32 - bits;
  const first = new Uint32Array(1 << bits);
  const next = new Uint32Array(searches.length + 1);
  const chosen = new Int32Array(searches.length + 1);
  for (const [index, own] of runs.entries()) {
    const rarest = own.reduce((left, right) => ((shared.get(right) ?? 0) < (shared.get(left) ?? 0) ? right : left));
    const hash = Math.imul(rarest, GOLDEN) >>> shift;
    chosen[index + 1] = rarest;
    next[index + 1] = first[hash] ?? 0;
    first[hash] = index + 1;
  }
  return { shift, first, runs: chosen, next };
};

/** Calls with the id of each search that the text passes, or that the budget does not allow; maybe more than once. */
export const collectNeedles = (
  needles: Needles,
  slot: Slot,
  view: EventSlots,
  meter: Meter,
  take: (id: number) => void,
): void => {
  const { searches } = needles;
  const consider = (search: TextSearch | undefined): void => {
    // What cannot be decided for want of budget is left to the rules, which say so.
    if (search !== undefined && decideSearch(search, slot, view, meter) !== false) take(search.id);
  };
  if (searches.length <= SEARCH_MAX) {
    for (const search of searches) consider(search);
    return;
  }
  const { shift, first, runs, next } = (needles.table ??= buildTable(searches));
  const text = textOf(slot.value) ?? "";
  let window = openWindow(text);
  for (let index = NEEDLE_LENGTH_MIN - 1; index < text.length; index += 1) {
    window = shiftIn(window, text.charCodeAt(index));
    let place = first[Math.imul(window, GOLDEN) >>> shift] ?? 0;
    for (; place !== 0; place = next[place] ?? 0) if (runs[place] === window) consider(searches[place - 1]);
  }
};
