const ADDRESS = /\b(?:https?|ftp|mailto|slack):\S+|\bwww\.\S+/gi;
const PAIR = /[\w.@/-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s,;)\]]+)[,;]?/g;
/** Matches a line with a label, such as `- severity = critical` or `job: node`. */
const LABEL = /^[-*•\s]*(?:[\w.@/-]+\s*=.*|[a-z][\w.]*:\s+\S+)$/;
/** Matches a heading above lines with labels, or the text before a removed address. */
const HEADING = /^[-*•\s]*[^.!?]*:$/;
const JSON_TEXT = /^\s*[{[]\s*["{[]/;

/** Removes addresses, pairs of a name and a value, and markup. */
const removeUnspeakable = (text: string): string =>
  text
    .replaceAll(ADDRESS, "")
    .replaceAll(PAIR, "")
    .replaceAll(/[*`]+|\(\s*\)|\[\s*\]/g, "")
    .replaceAll(/[^\S\n]+/g, " ")
    .trim();

let sentences: Intl.Segmenter | undefined;

export const cleanTitleForSpeech = (title: string): string => removeUnspeakable(title) || "Alert";

/** Returns the first sentence, without addresses, labels and data. Returns an empty text if nothing is left. */
export const findFirstSentence = (text: string): string => {
  if (JSON_TEXT.test(text)) return "";
  const lines = text.split(/[\n\r\u2028\u2029]+/).filter((line) => !LABEL.test(line));
  const words = lines
    .map(removeUnspeakable)
    .filter((line) => line !== "" && !HEADING.test(line))
    .join(" ");
  sentences ??= new Intl.Segmenter("en", { granularity: "sentence" });
  return sentences.segment(words).containing(0)?.segment.trim() ?? "";
};
