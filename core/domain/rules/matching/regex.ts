import { RE2JS } from "re2js";
import { REGEX_STEPS_MAX } from "./limits.ts";
import { plainlyMatches, plainPattern, type PlainPattern } from "./plain-pattern.ts";

/** How much memory the compiled patterns of one rule set may hold before they are dropped. */
const REGEX_POOL_MAX_BYTES = 32 * 1024 * 1024;
/** How much memory the states of one pattern may keep from one event to the next. */
const REGEX_STATES_MAX_BYTES = 512 * 1024;

/** How many characters of a pattern stand for themselves. They never multiply work, so they do not count as steps. */
const literalCount = (pattern: string): number => {
  let count = 0;
  let nesting = 0;
  let escaped = false;
  for (const char of pattern) {
    if (escaped) escaped = false;
    else if (char === "\\") escaped = true;
    else if (char === "[" || char === "{") nesting += 1;
    else if (char === "]" || char === "}") nesting = Math.max(0, nesting - 1);
    else if (nesting === 0 && !"^$.|?*+()".includes(char)) count += 1;
  }
  return count;
};

/** What is wrong with a pattern, as a sentence; undefined where it is fine. */
export const regexFault = (pattern: string): string | undefined => {
  let steps: number;
  try {
    steps = RE2JS.compile(pattern).programSize() - literalCount(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /u, "") : "not understood";
    return `A regular expression is in RE2 syntax (no look-around, no back-references): ${reason}.`;
  }
  if (steps <= REGEX_STEPS_MAX) return undefined;
  return `A regular expression compiles to at most ${REGEX_STEPS_MAX} steps besides its literal characters, this one to ${steps}: lower its repetition counts.`;
};

/** Bytes of a compiled pattern before it has seen any text; measured: 3 KB plus 100 bytes per step. */
const compiledBytes = (regex: RE2JS): number => 3_000 + 100 * regex.programSize();

/** Bytes of the states that a pattern has built for the texts it has seen. They only grow. */
const stateBytes = (regex: RE2JS): number => {
  const dfa = regex.re2().lazyDFA;
  // There is none until the first search, which the typings do not say.
  return dfa?.maxMem === undefined ? 0 : dfa.maxMem - dfa.memBudget;
};

/** Building one byte of states takes as long as scanning this many characters with existing states. */
const UNITS_PER_STATE_BYTE = 1.5;
/** States that any pattern builds for its first texts. Not charged: rules must not cost more on a fresh instance. */
const FREE_STATE_BYTES = 32 * 1024;

export type Regex = {
  readonly pattern: string;
  /** The parts of the pattern, where most texts need no engine. */
  readonly plain: PlainPattern | undefined;
  compiled: RE2JS | undefined;
  /** Memory held in all (`bytes`), and the part of it that the states hold. */
  bytes: number;
  states: number;
  /** The latest text, kept with its verdict so that rules that share a pattern search an event only once. */
  text: string | undefined;
  verdict: boolean;
};

export type RegexPool = {
  find(pattern: string): Regex;
  /**
   * Searches a text, which may come with its case folded, and returns the cost in units: at least its length, or 0 when
   * the answer was known.
   */
  search(regex: Regex, text: string, folded?: string): number;
};

/** The patterns of one rule set, compiled when first needed and dropped when they hold too much memory. */
export const createRegexPool = (maxBytes: number = REGEX_POOL_MAX_BYTES): RegexPool => {
  const all = new Map<string, Regex>();
  let bytes = 0;

  const forget = (regex: Regex): void => {
    bytes -= regex.bytes;
    regex.compiled = undefined;
    regex.bytes = 0;
    regex.states = 0;
  };

  const compile = (regex: Regex): RE2JS | undefined => {
    try {
      regex.compiled ??= RE2JS.compile(regex.pattern);
    } catch {
      // Only a rule that was never validated gets here. It cannot hold, and must not stop the others.
    }
    return regex.compiled;
  };

  /** Accounts for the states that a search has built, drops what is too much, and returns the units to charge. */
  const weigh = (regex: Regex, compiled: RE2JS): number => {
    const states = stateBytes(compiled);
    const charged = Math.max(0, states - FREE_STATE_BYTES) - Math.max(0, regex.states - FREE_STATE_BYTES);
    const held = compiledBytes(compiled) + states;
    bytes += held - regex.bytes;
    regex.bytes = held;
    regex.states = states;
    if (states > REGEX_STATES_MAX_BYTES) forget(regex);
    if (bytes > maxBytes) for (const other of all.values()) forget(other);
    return Math.max(0, charged) * UNITS_PER_STATE_BYTE;
  };

  return {
    find: (pattern) => {
      const known = all.get(pattern);
      if (known !== undefined) return known;
      const regex: Regex = {
        pattern,
        plain: plainPattern(pattern),
        compiled: undefined,
        bytes: 0,
        states: 0,
        text: undefined,
        verdict: false,
      };
      all.set(pattern, regex);
      return regex;
    },
    search: (regex, text, folded) => {
      if (regex.text === text) return 0;
      regex.text = text;
      const plainly = regex.plain === undefined ? undefined : plainlyMatches(regex.plain, text, folded);
      if (plainly !== undefined) {
        regex.verdict = plainly;
        return text.length + 1;
      }
      const compiled = compile(regex);
      regex.verdict = compiled?.test(text) ?? false;
      if (compiled === undefined) return text.length;
      return text.length + 1 + weigh(regex, compiled);
    },
  };
};
