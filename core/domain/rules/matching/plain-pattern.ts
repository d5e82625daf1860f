import { foldCase } from "./fold-case.ts";

/** What must come before or after a found needle. */
type Edge = "anything" | "word boundary" | "end of text";

/** A plain text, with optional assertions at its ends, such as `(?i)\bdisk full\b` or `^ERROR`. */
export type PlainPattern = { needle: string; ignoresCase: boolean; before: Edge; after: Edge };

const SHAPE = /^(\(\?i\))?(\\b|\^)?([^\\^$.|?*+()[\]{}]+)(\\b|\$)?$/u;

const parseEdge = (assertion: string | undefined): Edge => {
  if (assertion === undefined) return "anything";
  return assertion === "\\b" ? "word boundary" : "end of text";
};

/** Returns undefined if the pattern needs the regex engine. */
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

/** In RE2's `\b`, words consist of ASCII letters, digits and underscores. */
const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;

/** There are no word characters outside the text. */
const isAtEdge = (edge: Edge, text: string, index: number, end: number): boolean => {
  if (edge === "anything") return true;
  if (edge === "end of text") return index === end;
  return isWordCharacter(text.charCodeAt(index - 1)) !== isWordCharacter(text.charCodeAt(index));
};

/** How many occurrences are tried in a text. Repeated searches may take more than linear time; the engine never does. */
const OCCURRENCES_MAX = 16;

/** `folded`: the text in folded case, if known. Returns undefined if the regex engine must decide. */
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
