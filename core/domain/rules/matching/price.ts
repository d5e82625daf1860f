import { findIndexAfterClass } from "./regex-literal.ts";

/*
 * Estimates the time to compile a pattern and run it once, in units of about 10 ns. Reads only the pattern's text, because
 * compiling takes most of the time. Repetitions multiply the instructions of RE2's program. A character class has as many ranges
 * as its Unicode table. A test ensures that the estimate is never below the size of the compiled program (price.test.ts).
 */

/** The number of ranges in RE2's largest Unicode table. */
export const UNICODE_CLASS_RANGES = 800;
/** The number of ranges in the largest ASCII class, such as `\w`. */
const ASCII_CLASS_RANGES = 8;
/** RE2 folds the characters of a range one by one up to this code point; no character above it has an upper or lower case. */
const FOLDED_CHARACTERS = 126_000;

const BASE_UNITS = 10_000;
const CHARACTER_UNITS = 20;
/** The cost of one range that RE2's parser adds to a character class, and the cost of folding one of its characters. */
const PARSED_RANGE_UNITS = 20;
const FOLDED_UNITS = 4;
/** The cost of an instruction, and the cost of a range in its classes. */
const STEP_UNITS = 150;
const RANGE_UNITS = 5;

/** A program's instructions, and the ranges of their classes. */
type Size = { steps: number; ranges: number };

/** Returns how many copies of the last piece the quantifier at `index` needs, and its end; undefined without a quantifier. */
const readQuantifier = (pattern: string, index: number): { times: number; end: number } | undefined => {
  const [all, from, to] = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})/u.exec(pattern.slice(index, index + 24)) ?? [];
  if (all === undefined) return undefined;
  const end = pattern.charAt(index + all.length) === "?" ? index + all.length + 1 : index + all.length;
  // For `{n,}`, RE2 copies the piece once more, for the loop.
  return { times: Math.max(1, Number(from ?? 1) + (to === "" ? 1 : 0), Number(to ?? 0)), end };
};

const CLASS_ESCAPE = /^\\(?:[pP](?:\{[^}]*\}|.)|[dDwWsS])|^\[:\^?\w+:\]/su;
/** Matches a range with an end that is not a literal ASCII character. */
const WIDE_RANGE = /(?:[\u{80}-\u{10FFFF}]|\\x\{?[0-9A-Fa-f]+\}?|\\[0-7]+)-|-(?:[\u{80}-\u{10FFFF}]|\\[x0-7])/gu;

const countRangesOfClassEscape = (classEscape: string): number =>
  /^\\[pP]/u.test(classEscape) ? UNICODE_CLASS_RANGES : ASCII_CLASS_RANGES;

/** Returns an upper bound for the number of ranges in a character class. `inside`: the text between the brackets. */
const countRangesOfClass = (inside: string): number => {
  let ranges = 1;
  for (let at = 0; at < inside.length;) {
    const escape = CLASS_ESCAPE.exec(inside.slice(at, at + 64))?.[0];
    ranges += escape === undefined ? 1 : countRangesOfClassEscape(escape);
    at += escape?.length ?? 1;
  }
  return ranges;
};

type Piece = { end: number; ranges: number; parsed: number };

/** Reads the class, escape or character at `index`. `folds`: case is ignored, so that a character has up to four variants. */
const readPiece = (pattern: string, index: number, folds: boolean): Piece => {
  const more = folds ? 4 : 1;
  if (pattern.charAt(index) === "[") {
    const end = findIndexAfterClass(pattern, index);
    const ranges = countRangesOfClass(pattern.slice(index + 1, end - 1)) * more;
    return { end, ranges, parsed: ranges };
  }
  const escape = CLASS_ESCAPE.exec(pattern.slice(index, index + 64))?.[0];
  if (escape !== undefined) {
    const ranges = countRangesOfClassEscape(escape);
    return { end: index + escape.length, ranges, parsed: ranges };
  }
  return { end: index + (pattern.charAt(index) === "\\" ? 2 : 1), ranges: more, parsed: 0 };
};

/** The number of instructions around a group, an alternative or a quantifier. */
const AROUND = 2;

/** Returns an upper bound for the size of RE2's program. `parsed`: how many ranges RE2's parser adds to classes. */
const estimateProgramSize = (pattern: string): Size & { parsed: number } => {
  const folds = /\(\?[a-zA-Z]*i/u.test(pattern);
  let parsed = 0;
  /** `last`: the last piece of a group, stored separately because a quantifier may repeat this piece. */
  const open: { whole: Size; last: Size }[] = [{ whole: { steps: 2, ranges: 0 }, last: { steps: 0, ranges: 0 } }];
  const addPiece = (piece: Size): void => {
    const group = open.at(-1);
    if (group === undefined) return;
    group.whole = { steps: group.whole.steps + piece.steps, ranges: group.whole.ranges + piece.ranges };
    group.last = piece;
  };
  const repeatPiece = (times: number): void => {
    const group = open.at(-1);
    if (group === undefined) return;
    const { steps, ranges } = group.last;
    const repeated = { steps: steps * times + AROUND * times, ranges: ranges * times };
    group.whole.steps += repeated.steps - steps;
    group.whole.ranges += repeated.ranges - ranges;
    group.last = repeated;
  };
  for (let at = 0; at < pattern.length;) {
    const char = pattern.charAt(at);
    const quantifier = readQuantifier(pattern, at);
    if (pattern.startsWith("\\Q", at)) {
      const end = pattern.indexOf("\\E", at);
      const literal = pattern.slice(at + 2, end < 0 ? pattern.length : end);
      for (const _ of literal) addPiece({ steps: 1, ranges: folds ? 4 : 1 });
      at = end < 0 ? pattern.length : end + 2;
    } else if (quantifier !== undefined) {
      repeatPiece(quantifier.times);
      at = quantifier.end;
    } else if (char === "(") {
      open.push({ whole: { steps: AROUND, ranges: 0 }, last: { steps: 0, ranges: 0 } });
      at += 1;
    } else if (char === ")" && open.length > 1) {
      const closed = open.pop();
      if (closed !== undefined) addPiece(closed.whole);
      at += 1;
    } else if (char === "|") {
      addPiece({ steps: AROUND, ranges: 0 });
      at += 1;
    } else {
      const { end, ranges, parsed: taken } = readPiece(pattern, at, folds);
      parsed += taken;
      addPiece({ steps: 1, ranges });
      at = end;
    }
  }
  const { whole } = open.reduceRight((inner, outer) => ({
    whole: { steps: outer.whole.steps + inner.whole.steps, ranges: outer.whole.ranges + inner.whole.ranges },
    last: outer.last,
  }));
  return { ...whole, parsed };
};

/** Returns how long compiling the pattern and running it once may take, in units of about 10 ns. */
export const estimatePatternCost = (pattern: string): number => {
  const { steps, ranges, parsed } = estimateProgramSize(pattern);
  const folded = /\(\?[a-zA-Z]*i/u.test(pattern) ? (pattern.match(WIDE_RANGE)?.length ?? 0) * FOLDED_CHARACTERS : 0;
  return Math.ceil(
    BASE_UNITS +
      CHARACTER_UNITS * pattern.length +
      PARSED_RANGE_UNITS * parsed +
      FOLDED_UNITS * folded +
      STEP_UNITS * steps +
      RANGE_UNITS * ranges,
  );
};

/** Matches an anchor of the text's start. RE2 may keep a second (one-pass) program of a pattern with this anchor. */
const ANCHOR = /(?<!\[)\^|\\A/u;
/** The memory of an instruction of a compiled pattern, and of a range in a character class. */
const STEP_BYTES = 100;
const RANGE_BYTES = 12;

/** Returns an upper bound for the memory of the compiled pattern, before any search. */
export const estimateMaxCompiledBytes = (pattern: string): number => {
  const { steps, ranges, parsed } = estimateProgramSize(pattern);
  // In a one-pass program, each step stores the classes of all possible next steps.
  const onePass = ANCHOR.test(pattern) ? RANGE_BYTES * (ranges + steps * parsed) : 0;
  return 3_000 + STEP_BYTES * steps + RANGE_BYTES * ranges + onePass;
};
