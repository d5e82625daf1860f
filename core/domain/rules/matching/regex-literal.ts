/** Flags for the rest of the pattern, unless a repetition follows, which would repeat what precedes the flags. */
const FLAGS = /^\(\?([imsU]+)\)(?![*+?{])/u;

/** A text that every match of a pattern contains ("" if none is certain), and whether case is ignored. */
export type RequiredLiteral = { text: string; ignoresCase: boolean };

const NONE: RequiredLiteral = { text: "", ignoresCase: false };

/** Returns the longest text that every match contains. At anything uncertain, ends the run or gives up, so that the result is always contained. */
export const requiredLiteral = (pattern: string): RequiredLiteral => {
  if (pattern.includes("\\Q")) return NONE;
  let longest = NONE;
  let run = "";
  let ignoresCase = false;
  const end = (): void => {
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
        // The preceding character may be absent.
        run = run.slice(0, -1);
        end();
        index += 1;
        break;
      case "{": {
        const repetition = /^\{\d+(?:,\d*)?\}/u.exec(pattern.slice(index))?.[0];
        if (repetition !== undefined) run = run.slice(0, -1);
        end();
        index += repetition?.length ?? 1;
        break;
      }
      case "+":
      case ".":
      case "^":
      case "$":
        end();
        index += 1;
        break;
      case "[":
        end();
        index = afterClass(pattern, index);
        break;
      case "(": {
        end();
        const flags = FLAGS.exec(pattern.slice(index))?.[1];
        if (flags !== undefined) ignoresCase ||= flags.includes("i");
        // Other flag groups are rare, and may switch off earlier flags.
        else if (/^\(\?[a-zA-Z-]*\)/u.test(pattern.slice(index))) return NONE;
        index = afterGroup(pattern, index);
        break;
      }
      case "\\": {
        const next = pattern.charAt(index + 1);
        if (/[dDsSwWbBAzntrfva]/u.test(next)) end();
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
  end();
  // Removing the last unit before a quantifier may have left half of a surrogate pair.
  return longest.text.isWellFormed() ? longest : NONE;
};

const after = (pattern: string, from: number, closing: string): number => {
  const found = pattern.indexOf(closing, from);
  return found < 0 ? pattern.length : found + 1;
};

export const afterClass = (pattern: string, from: number): number => {
  let index = from + 1;
  if (pattern.charAt(index) === "^") index += 1;
  // A closing bracket in the first position of a class is literal.
  if (pattern.charAt(index) === "]") index += 1;
  while (index < pattern.length && pattern.charAt(index) !== "]") {
    if (pattern.charAt(index) === "\\") index += 2;
    else if (pattern.startsWith("[:", index)) index = after(pattern, index, ":]") + 1;
    else index += 1;
  }
  return index + 1;
};

const afterGroup = (pattern: string, from: number): number => {
  let depth = 0;
  let index = from;
  while (index < pattern.length) {
    const char = pattern.charAt(index);
    if (char === "\\") index += 2;
    else if (char === "[") index = afterClass(pattern, index);
    else {
      if (char === "(") depth += 1;
      if (char === ")") depth -= 1;
      index += 1;
      if (depth === 0) return index;
    }
  }
  return index;
};
