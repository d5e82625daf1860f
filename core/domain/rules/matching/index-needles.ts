import { GRAM_HASHES, gramHashes, type Grams } from "./grams.ts";
import { addHit, type Hits } from "./hits.ts";
import { decideSearch, type Meter, type TextSearch } from "./search.ts";
import { gramsOf, type EventView, type Slot } from "./slot.ts";

/**
 * Rules by a text that must occur in a field's text. Of each needle two runs of three characters are kept, the ones
 * that the fewest other needles share; an event's text is turned into the set of its runs once, and a needle costs two
 * looks at that set. What passes is searched for, once for all rules that ask for it.
 */
export type NeedleIndex = {
  /** What to search for, or a literal part of a pattern: at least three characters. */
  add(search: TextSearch | string, rule: number): void;
  collect(slot: Slot, view: EventView, meter: Meter, hits: Hits): void;
};

type Filter = {
  first: Uint16Array;
  second: Uint16Array;
  searches: (TextSearch | undefined)[];
  /** The rules of all needles in a row, and where each needle's end. */
  rules: Int32Array;
  ends: Int32Array;
};

const buildFilter = (groups: ReadonlyMap<TextSearch | string, readonly number[]>): Filter => {
  const keys = [...groups.keys()];
  const hashed = keys.map((key) => gramHashes(typeof key === "string" ? key : key.needle));
  const shared = new Uint32Array(GRAM_HASHES);
  for (const hashes of hashed) for (const hash of hashes) shared[hash] = (shared[hash] ?? 0) + 1;

  const first = new Uint16Array(keys.length);
  const second = new Uint16Array(keys.length);
  for (const [index, hashes] of hashed.entries()) {
    let [rarest = 0] = hashes;
    let next = rarest;
    for (const hash of hashes) {
      if ((shared[hash] ?? 0) < (shared[rarest] ?? 0)) {
        next = rarest;
        rarest = hash;
      } else if (next === rarest || (shared[hash] ?? 0) < (shared[next] ?? 0)) next = hash;
    }
    first[index] = rarest;
    second[index] = next;
  }
  const lists = [...groups.values()];
  let end = 0;
  return {
    first,
    second,
    searches: keys.map((key) => (typeof key === "string" ? undefined : key)),
    rules: Int32Array.from(lists.flat()),
    ends: Int32Array.from(lists, (rules) => (end += rules.length)),
  };
};

const has = (grams: Grams, hash: number): number => ((grams[hash >>> 5] ?? 0) >>> (hash & 31)) & 1;

export const createNeedleIndex = (): NeedleIndex => {
  const groups = new Map<TextSearch | string, number[]>();
  let filter: Filter | undefined;

  return {
    add: (search, rule) => {
      const group = groups.get(search);
      if (group === undefined) groups.set(search, [rule]);
      else group.push(rule);
    },
    collect: (slot, view, meter, hits) => {
      if (filter === undefined) {
        filter = buildFilter(groups);
        groups.clear();
      }
      const { first, second, searches, rules, ends } = filter;
      const grams = gramsOf(slot, view, ends.length);
      for (let index = 0; index < ends.length; index += 1) {
        if (grams !== undefined && !(has(grams, first[index] ?? 0) && has(grams, second[index] ?? 0))) continue;
        const search = searches[index];
        // What cannot be decided for want of budget is left to the rules, which say so.
        if (search !== undefined && decideSearch(search, slot, view, meter) === false) continue;
        const end = ends[index] ?? 0;
        for (let place = ends[index - 1] ?? 0; place < end; place += 1) addHit(hits, rules[place] ?? 0);
      }
    },
  };
};
