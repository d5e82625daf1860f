/**
 * The set of all runs of three characters of a text, as bits by their hash: what is not in it is not in the text. Upper
 * and lower case of Latin letters count as one, so that the set serves patterns that ignore case as well.
 */
export type Grams = Uint32Array;

const HASH_BITS = 14;
const SHIFT = 32 - HASH_BITS;
const GOLDEN = 0x9e3779b1;

export const GRAM_LENGTH = 3;
export const GRAM_HASHES = 1 << HASH_BITS;

export const emptyGrams = (): Grams => new Uint32Array(GRAM_HASHES / 32);

const fold = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** Eight bits a character: exact for Latin text, mixed for others. */
const shiftIn = (window: number, code: number): number => ((window << 8) ^ fold(code)) & 0xffffff;

export const markGrams = (grams: Grams, text: string): void => {
  const target = grams;
  target.fill(0);
  let window = shiftIn(shiftIn(0, text.charCodeAt(0)), text.charCodeAt(1));
  for (let index = 2; index < text.length; index += 1) {
    window = shiftIn(window, text.charCodeAt(index));
    const hash = Math.imul(window, GOLDEN) >>> SHIFT;
    target[hash >>> 5] = (target[hash >>> 5] ?? 0) | (1 << (hash & 31));
  }
};

/** The hashes of a text's runs, in order. */
export const gramHashes = (text: string): number[] => {
  const hashes: number[] = [];
  let window = shiftIn(shiftIn(0, text.charCodeAt(0)), text.charCodeAt(1));
  for (let index = 2; index < text.length; index += 1) {
    window = shiftIn(window, text.charCodeAt(index));
    hashes.push(Math.imul(window, GOLDEN) >>> SHIFT);
  }
  return hashes;
};
