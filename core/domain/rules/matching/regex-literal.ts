/** Matches flags such as `(?i)`, unless a quantifier follows: it would repeat the text before the flags. */
const FLAGS = /^\(\?([imsU]+)\)(?![*+?{])/u;

export type RequiredLiteral = { text: string; ignoresCase: boolean };

const NONE: RequiredLiteral = { text: "", ignoresCase: false };

/** Returns the longest text that every match of the pattern contains; empty if no such text is certain. */
export const findLongestRequiredText = (pattern: string): RequiredLiteral => {
  if (pattern.includes("\\Q")) return NONE;
  let longest = NONE;
  let run = "";
  let ignoresCase = false;
  const keepRunIfLongest = (): void => {
    if (run.length > longest.text.length) longest = { text: run, ignoresCase };
    run = "";
  };

  for (let index = 0; index < pattern.length;) {
    const char = pattern.charAt(index);
    switch (char) {
      case "|":
        return NONE;
      case "*":
      case "?":
        // The quantifier after the last character makes this character optional.
        run = run.slice(0, -1);
        keepRunIfLongest();
        index += 1;
        break;
      case "{": {
        const repetition = /^\{\d+(?:,\d*)?\}/u.exec(pattern.slice(index))?.[0];
        if (repetition !== undefined) run = run.slice(0, -1);
        keepRunIfLongest();
        index += repetition?.length ?? 1;
        break;
      }
      case "+":
      case ".":
      case "^":
      case "$":
        keepRunIfLongest();
        index += 1;
        break;
      case "[":
        keepRunIfLongest();
        index = findIndexAfterClass(pattern, index);
        break;
      case "(": {
        keepRunIfLongest();
        const flags = FLAGS.exec(pattern.slice(index))?.[1];
        if (flags !== undefined) ignoresCase ||= flags.includes("i");
        // Flag groups such as `(?-i)` are rare, and may undo earlier flags.
        else if (/^\(\?[a-zA-Z-]*\)/u.test(pattern.slice(index))) return NONE;
        index = findIndexAfterGroup(pattern, index);
        break;
      }
      case "\\": {
        const next = pattern.charAt(index + 1);
        if (/[dDsSwWbBAzntrfva]/u.test(next)) keepRunIfLongest();
        else if (/[^\w\s]/u.test(next)) run += next;
        else return NONE;
        index += 2;
        break;
      }
      default:
        run += char;
        index += 1;
    }
  }
  keepRunIfLongest();
  // Removing the last unit may have split a surrogate pair.
  return longest.text.isWellFormed() ? longest : NONE;
};

const findIndexAfter = (pattern: string, from: number, closing: string): number => {
  const found = pattern.indexOf(closing, from);
  return found < 0 ? pattern.length : found + 1;
};

/** Returns the index after the end of the character class in brackets that begins at `from`. */
export const findIndexAfterClass = (pattern: string, from: number): number => {
  let index = from + 1;
  if (pattern.charAt(index) === "^") index += 1;
  // A closing bracket at the start of a class is literal.
  if (pattern.charAt(index) === "]") index += 1;
  while (index < pattern.length && pattern.charAt(index) !== "]") {
    if (pattern.charAt(index) === "\\") index += 2;
    else if (pattern.startsWith("[:", index)) index = findIndexAfter(pattern, index, ":]") + 1;
    else index += 1;
  }
  return index + 1;
};

const findIndexAfterGroup = (pattern: string, from: number): number => {
  let depth = 0;
  let index = from;
  while (index < pattern.length) {
    const char = pattern.charAt(index);
    if (char === "\\") index += 2;
    else if (char === "[") index = findIndexAfterClass(pattern, index);
    else {
      if (char === "(") depth += 1;
      if (char === ")") depth -= 1;
      index += 1;
      if (depth === 0) return index;
    }
  }
  return index;
};
