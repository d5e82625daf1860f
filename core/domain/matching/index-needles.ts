import { gramsOf, type EventView, type Slot } from "./slot.ts";
import { GRAM_HASHES, gramHashes, type Grams } from "./grams.ts";
import { addHit, type Hits } from "./hits.ts";

/**
 * Rules by a text that must occur in a field's text. Of each needle two runs of three characters are kept, the ones
 * that the fewest other needles share; an event's text is turned into the set of its runs once, and a needle costs two
 * looks at that set.
 */
export type NeedleIndex = {
  /** A needle of at least three characters. */
  add(needle: string, rule: number): void;
  collect(slot: Slot, view: EventView, hits: Hits): void;
};

type Filter = { first: Uint16Array; second: Uint16Array; rules: Int32Array };

const buildFilter = (needles: readonly string[], rules: readonly number[]): Filter => {
  const shared = new Uint32Array(GRAM_HASHES);
  const hashed = needles.map(gramHashes);
  for (const hash of hashed.flat()) shared[hash] = (shared[hash] ?? 0) + 1;

  const first = new Uint16Array(needles.length);
  const second = new Uint16Array(needles.length);
  for (const [index, hashes] of hashed.entries()) {
    const [rarest = 0, next = rarest] = hashes.toSorted((a, b) => (shared[a] ?? 0) - (shared[b] ?? 0));
    first[index] = rarest;
    second[index] = next;
  }
  return { first, second, rules: Int32Array.from(rules) };
};

const has = (grams: Grams, hash: number): number => ((grams[hash >>> 5] ?? 0) >>> (hash & 31)) & 1;

export const createNeedleIndex = (): NeedleIndex => {
  let needles: string[] = [];
  let rules: number[] = [];
  let filter: Filter | undefined;

  return {
    add: (needle, rule) => {
      needles.push(needle);
      rules.push(rule);
    },
    collect: (slot, view, hits) => {
      if (filter === undefined) {
        filter = buildFilter(needles, rules);
        needles = [];
        rules = [];
      }
      const { first, second, rules: numbers } = filter;
      const grams = gramsOf(slot, view, numbers.length);
      for (let index = 0; index < numbers.length; index += 1) {
        if (grams === undefined || (has(grams, first[index] ?? 0) && has(grams, second[index] ?? 0))) {
          addHit(hits, numbers[index] ?? 0);
        }
      }
    },
  };
};
