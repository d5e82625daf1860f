/* A part of a text message holds 160 GSM 03.38 characters (some count twice), or 70 UTF-16 units with any other character. */

const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const EXTENDED = "^{}\\[~]|€\f";

const GSM_PART = 160;
const UCS2_PART = 70;

const septets: ReadonlyMap<string, number> = new Map([
  ...BASIC.split("").map((character): [string, number] => [character, 1]),
  ...EXTENDED.split("").map((character): [string, number] => [character, 2]),
]);

/** Replacements for characters outside of the GSM alphabet, each of which would cut an SMS part from 160 to 70 characters. */
const PLAIN: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "‚": ",",
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "–": "-",
  "—": "-",
  "−": "-",
  "…": "...",
  "•": "-",
  "→": "->",
  "\u00a0": " ",
  "\t": " ",
};

/** Replaces typographic characters, such as curved quotes and dashes, by GSM characters. Keeps all other characters. */
export const replaceNonGsm = (text: string): string =>
  text.replaceAll(/[‘’‚“”„«»–—−…•→\u00a0\t]/gu, (character) => PLAIN[character] ?? character);

const isGsmText = (text: string): boolean => text.split("").every((character) => septets.has(character));

/** Returns the text's length in GSM units; some characters count as two. */
const countSeptets = (text: string): number =>
  text.split("").reduce((sum, character) => sum + (septets.get(character) ?? 0), 0);

/** How to measure a text message. `part`: the maximum length of one part. */
export type Measure = { lengthOf: (text: string) => number; part: number };

/** Returns how to measure the text: in GSM characters if the GSM alphabet suffices, otherwise in UTF-16 units. */
export const chooseMeasure = (text: string): Measure =>
  isGsmText(text) ? { lengthOf: countSeptets, part: GSM_PART } : { lengthOf: ({ length }) => length, part: UCS2_PART };
