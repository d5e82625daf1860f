import { foldCase } from "./fold-case.ts";

/** What a pattern requires directly before or after the needle in the text. */
type Edge = "anything" | "word boundary" | "end of text";

/** A regular expression that is a plain text, perhaps with assertions at its ends: `(?i)\bdisk full\b` or `^ERROR`. */
export type PlainPattern = { needle: string; ignoresCase: boolean; before: Edge; after: Edge };

const SHAPE = /^(\(\?i\))?(\\b|\^)?([^\\^$.|?*+()[\]{}]+)(\\b|\$)?$/u;

/** Returns what the assertion requires next to the pattern's text. */
const parseEdge = (assertion: string | undefined): Edge => {
  if (assertion === undefined) return "anything";
  return assertion === "\\b" ? "word boundary" : "end of text";
};

/** Returns the pattern's plain text; undefined if the pattern needs the regex engine. */
export const parsePlainPattern = (pattern: string): PlainPattern | undefined => {
  const [, flag, before, needle = "", after] = SHAPE.exec(pattern) ?? [];
  const ignoresCase = flag !== undefined;
  if (needle === "" || !needle.isWellFormed()) return undefined;
  return {
    needle: ignoresCase ? foldCase(needle) : needle,
    ignoresCase,
    before: parseEdge(before),
    after: parseEdge(after),
  };
};

/** Returns whether RE2's `\b` counts the character as part of a word: ASCII letters, digits and underscores. */
const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;

/** Returns whether the text meets the assertion at `index`. `end`: 0 if it is before the needle, otherwise the text's length. */
const isAtEdge = (edge: Edge, text: string, index: number, end: number): boolean => {
  if (edge === "anything") return true;
  if (edge === "end of text") return index === end;
  return isWordCharacter(text.charCodeAt(index - 1)) !== isWordCharacter(text.charCodeAt(index));
};

/** The number of occurrences of the needle after which the regex engine decides, because more searches could take too long. */
const OCCURRENCES_MAX = 16;

/** Returns whether the text matches; undefined if the regex engine must decide. `folded`: the text in folded case, if known. */
export const matchesPlainPattern = (
  { needle, ignoresCase, before, after }: PlainPattern,
  text: string,
  folded?: string,
): boolean | undefined => {
  const searched = ignoresCase ? (folded ?? foldCase(text)) : text;
  let at = -1;
  for (let occurrences = 0; occurrences < OCCURRENCES_MAX; occurrences += 1) {
    at = searched.indexOf(needle, at + 1);
    if (at < 0) return false;
    if (isAtEdge(before, text, at, 0) && isAtEdge(after, text, at + needle.length, text.length)) return true;
  }
  return undefined;
};
