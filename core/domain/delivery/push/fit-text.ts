const ELLIPSIS = "…";
const ELLIPSIS_BYTES = 3;

let segmenter: Intl.Segmenter | undefined;

/** Returns the segmenter, which is created at the first use, because loading its tables takes milliseconds. */
const getGraphemeSegmenter = (): Intl.Segmenter =>
  (segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" }));

export const splitGraphemes = (text: string): string[] =>
  [...getGraphemeSegmenter().segment(text)].map(({ segment }) => segment);

/** Returns the code point's size in JSON, in bytes of UTF-8, including the escape. */
const countCodePointBytes = (codePoint: number): number => {
  if (codePoint === 0x22 || codePoint === 0x5c) return 2;
  if (codePoint < 0x20) return codePoint >= 0x08 && codePoint <= 0x0d && codePoint !== 0x0b ? 2 : 6;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
};

const countCodeUnits = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1);

/** Returns the text's size in JSON, in bytes of UTF-8, without the quotes. */
export const countJsonBytes = (text: string): number => {
  let bytes = 0;
  for (let index = 0; index < text.length;) {
    const codePoint = text.codePointAt(index) ?? 0;
    bytes += countCodePointBytes(codePoint);
    index += countCodeUnits(codePoint);
  }
  return bytes;
};

/** Returns the index of the first character that does not fit into `maxBytes` of JSON; else the text's length. */
const findFirstIndexBeyond = (text: string, maxBytes: number): number => {
  let bytes = 0;
  for (let index = 0; index < text.length;) {
    const codePoint = text.codePointAt(index) ?? 0;
    bytes += countCodePointBytes(codePoint);
    if (bytes > maxBytes) return index;
    index += countCodeUnits(codePoint);
  }
  return text.length;
};

/** Shortens a text to `maxBytes` of JSON, with an ellipsis. Never splits a grapheme. If `maxBytes` is below 3, returns "". */
export const fitText = (text: string, maxBytes: number): string => {
  if (findFirstIndexBeyond(text, maxBytes) === text.length) return text;
  if (maxBytes < ELLIPSIS_BYTES) return "";
  const end = findFirstIndexBeyond(text, maxBytes - ELLIPSIS_BYTES);
  const boundary = getGraphemeSegmenter().segment(text).containing(end)?.index ?? 0;
  return text.slice(0, boundary).trimEnd() + ELLIPSIS;
};
