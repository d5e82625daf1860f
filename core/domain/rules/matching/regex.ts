import { RE2JS } from "re2js";
import { PATTERNS_UNITS_MAX, REGEX_STEPS_MAX } from "./limits.ts";
import { matchesPlainPattern, parsePlainPattern, type PlainPattern } from "./plain-pattern.ts";
import { estimateMaxCompiledBytes, estimatePatternCost } from "./price.ts";

/** The memory that the compiled patterns of a rule set may keep between events. */
const REGEX_POOL_MAX_BYTES = 32 * 1024 * 1024;
/** The memory that the engine's DFA states of one pattern may keep between events. */
const REGEX_STATES_MAX_BYTES = 512 * 1024;

/** Counts a pattern's literal characters. The limit on a pattern's steps ignores them, because they never multiply the work. */
const countLiterals = (pattern: string): number => {
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

/** Returns why the pattern is refused, as a sentence; undefined if the pattern is valid. */
export const findRegexFault = (pattern: string): string | undefined => {
  const engine = RE2JS;
  const units = estimatePatternCost(pattern);
  // The budget is checked before the pattern is compiled, because compiling is the expensive part.
  if (units > PATTERNS_UNITS_MAX)
    return `This regular expression costs ${units} units to compile; the limit is ${PATTERNS_UNITS_MAX}. Lower its repetition counts, or use fewer character classes.`;
  let steps: number;
  try {
    steps = engine.compile(pattern).programSize() - countLiterals(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /u, "") : "not understood";
    return `A regular expression must be in RE2 syntax (no look-around, no back-references): ${reason}.`;
  }
  if (steps <= REGEX_STEPS_MAX) return undefined;
  return `This regular expression compiles to ${steps} steps; the limit is ${REGEX_STEPS_MAX}. Lower its repetition counts.`;
};

const countStateBytes = (regex: RE2JS): number => {
  const dfa = regex.re2().lazyDFA;
  // Before the first search, a pattern has no states, although the types say that it has.
  return dfa?.maxMem === undefined ? 0 : dfa.maxMem - dfa.memBudget;
};

/** The number of characters that can be scanned in the time in which one byte of DFA states is built. */
const UNITS_PER_STATE_BYTE = 1.5;
/** How many bytes of a pattern's states are not charged, so that an event does not cost more on a new Lambda instance. */
const FREE_STATE_BYTES = 32 * 1024;

export type Regex = {
  readonly pattern: string;
  readonly plain: PlainPattern | undefined;
  compiled: RE2JS | undefined;
  /** The estimated memory of the compiled pattern, in bytes. `states`: the part that the DFA states use. */
  bytes: number;
  states: number;
  /** The number of events that the pool had counted at the last search. */
  usedAt: number;
  /** The text that was searched last, so that rules with the same pattern search a text only once. */
  text: string | undefined;
  verdict: boolean;
};

export type RegexPool = {
  find(pattern: string): Regex;
  /** True if the pattern is over the rule set's budget and must not be compiled. */
  isBeyond(regex: Regex): boolean;
  /** Sets the regex's `verdict`. Returns the cost in units: at least the text's length, or 0 if the verdict was known. */
  search(regex: Regex, text: string, folded?: string): number;
  /** Drops compiled patterns above the memory limit. Must not run during matching, which might then compile one twice. */
  tidy(): void;
  /** Returns the bytes of all compiled patterns. */
  estimateBytes(): number;
};

export type PoolOptions = { maxBytes?: number; beyond?: () => ReadonlySet<string> };

export const createRegexPool = ({
  maxBytes = REGEX_POOL_MAX_BYTES,
  beyond = () => new Set(),
}: PoolOptions = {}): RegexPool => {
  const all = new Map<string, Regex>();
  /** The patterns whose DFA states alone use more memory than one pattern may keep. */
  const swollen = new Set<Regex>();
  let bytes = 0;
  let events = 0;
  let known: ReadonlySet<string> | undefined;

  const evictRegex = (regex: Regex): void => {
    bytes -= regex.bytes;
    regex.compiled = undefined;
    regex.bytes = 0;
    regex.states = 0;
  };

  /** Compiles the pattern on its first use. Returns undefined for an invalid pattern. */
  const compileRegex = (regex: Regex): RE2JS | undefined => {
    // The engine's file is loaded outside of the `try`, because the event must be retried if the file is missing.
    const engine = RE2JS;
    try {
      regex.compiled ??= engine.compile(regex.pattern);
    } catch {
      // An invalid pattern never matches, and does not affect other rules.
    }
    return regex.compiled;
  };

  /** Records the memory that a search with the regex has used. Returns the cost of newly built DFA states, in units. */
  const recordMemory = (regex: Regex, compiled: RE2JS): number => {
    const states = countStateBytes(compiled);
    const charged = Math.max(0, states - FREE_STATE_BYTES) - Math.max(0, regex.states - FREE_STATE_BYTES);
    const held = estimateMaxCompiledBytes(regex.pattern) + states;
    bytes += held - regex.bytes;
    regex.bytes = held;
    regex.states = states;
    regex.usedAt = events;
    if (states > REGEX_STATES_MAX_BYTES) swollen.add(regex);
    return Math.max(0, charged) * UNITS_PER_STATE_BYTE;
  };

  return {
    find: (pattern) => {
      const found = all.get(pattern);
      if (found !== undefined) return found;
      const regex: Regex = {
        pattern,
        plain: parsePlainPattern(pattern),
        compiled: undefined,
        bytes: 0,
        states: 0,
        usedAt: 0,
        text: undefined,
        verdict: false,
      };
      all.set(pattern, regex);
      return regex;
    },
    search: (regex, text, folded) => {
      if (regex.text === text) return 0;
      const plainly = regex.plain === undefined ? undefined : matchesPlainPattern(regex.plain, text, folded);
      if (plainly !== undefined) {
        regex.text = text;
        regex.verdict = plainly;
        return text.length + 1;
      }
      const compiled = compileRegex(regex);
      regex.verdict = compiled?.test(text) ?? false;
      // The text is stored only after the search: if the search throws, no verdict is stored, and the event is retried.
      regex.text = text;
      if (compiled === undefined) return text.length;
      // Patterns of plain text do not use the rule set's budget: compiling such a pattern uses the event's budget.
      const compiling = regex.plain === undefined ? 0 : estimatePatternCost(regex.pattern);
      return text.length + 1 + compiling + recordMemory(regex, compiled);
    },
    isBeyond: ({ plain, pattern }) => plain === undefined && (known ??= beyond()).has(pattern),
    tidy: () => {
      events += 1;
      for (const regex of swollen) evictRegex(regex);
      swollen.clear();
      if (bytes <= maxBytes) return;
      const idle = [...all.values()].filter(({ compiled }) => compiled !== undefined);
      idle.sort((one, other) => one.usedAt - other.usedAt);
      for (const regex of idle) {
        evictRegex(regex);
        if (bytes <= maxBytes / 2) return;
      }
    },
    estimateBytes: () => bytes,
  };
};
