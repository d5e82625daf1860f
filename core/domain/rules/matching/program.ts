import { compareDecimals, type Decimal } from "./decimal.ts";
import { foldCase } from "./fold-case.ts";
import { CONTAINS, CONTAINS_IN_ANY_CASE, estimateDecisionCost, type ConditionForm } from "./form.ts";
import { NEEDLE_LENGTH_MIN } from "./needles.ts";
import type { RegexPool, Regex } from "./regex.ts";
import { findLongestRequiredText } from "./regex-literal.ts";
import { decideSearch, registerSearch, type Meter } from "./search.ts";
import type { TextSearch } from "./event-slots.ts";
import { registerValue, readSlot, findOrAddSlot, UNKNOWN, type EventSlots, type Slot } from "./event-slots.ts";
import { isEmpty, toText } from "./value.ts";

/**
 * Stores the conditions of many rules in one array of numbers, because matching mostly waits for memory. With an object
 * for each condition, matching 100,000 rules took four times as long.
 *
 * The first word of a rule is twice the number of its conditions, plus one if a single true condition suffices. The second
 * word is the `turn` of the last event that the rule was compared with. The rule's conditions follow. Each condition has
 * an even number of words, so that doubles are aligned. The highest bits of `head` are the condition's slot, the next bits
 * its flags, and the lowest bits its kind. The words of a condition depend on its kind:
 *
 *   AMONG    [head, count, (text id, number id)...]
 *   WITHIN   [head, exact bounds or -1, low as a double, high as a double]
 *   TEXT     [head, search]
 *   PATTERN  [head, pattern]
 *   FILLED   [head, 0]
 */
export type Program = {
  words: Int32Array;
  doubles: Float64Array;
  searches: TextSearch[];
  patterns: Pattern[];
  exact: { low: Decimal | undefined; high: Decimal | undefined }[];
  length: number;
};

/** A condition's regular expression. `required`: a search for a text that every match of the pattern contains. */
type Pattern = { regex: Regex; required: TextSearch | undefined };

/** Returns a search for a text that every match contains; undefined if no such text exists, or if the search costs too much. */
export const findRequiredSearch = (form: ConditionForm, slot: Slot, slots: EventSlots): TextSearch | undefined => {
  // A condition for CRITICAL, the other name of URGENT, also matches URGENT, so no text is in every match.
  if (slot.field === "priority") return undefined;
  if (form.kind === "text") {
    return form.needle.length < NEEDLE_LENGTH_MIN ? undefined : registerSearch(slot, form.test, form.needle, slots);
  }
  if (form.kind !== "pattern") return undefined;
  const { text, ignoresCase } = findLongestRequiredText(form.source);
  if (text.length < NEEDLE_LENGTH_MIN) return undefined;
  return ignoresCase
    ? registerSearch(slot, CONTAINS_IN_ANY_CASE, foldCase(text), slots)
    : registerSearch(slot, CONTAINS, text, slots);
};

const AMONG = 0;
const WITHIN = 1;
const TEXT = 2;
const PATTERN = 3;
const FILLED = 4;

const KIND_MASK = 7;
const NEGATED = 8;
/** Flags of a WITHIN condition, each of which excludes one end of the range. */
const LOW_OPEN = 16;
const HIGH_OPEN = 32;
/** A flag of an AMONG condition: texts are compared without regard to case. */
const IN_ANY_CASE = 16;
const SLOT_SHIFT = 6;

export const createProgram = (): Program => {
  const words = new Int32Array(64);
  return { words, doubles: new Float64Array(words.buffer), searches: [], patterns: [], exact: [], length: 0 };
};

const reserveWords = (program: Program, count: number): void => {
  if (program.length + count <= program.words.length) return;
  const words = new Int32Array(2 * (program.length + count));
  words.set(program.words.subarray(0, program.length));
  program.words = words;
  program.doubles = new Float64Array(words.buffer);
};

const appendWords = (program: Program, first: number, second: number): void => {
  reserveWords(program, 2);
  program.words[program.length] = first;
  program.words[program.length + 1] = second;
  program.length += 2;
};

const appendDoubles = (program: Program, low: number, high: number): void => {
  reserveWords(program, 4);
  program.doubles[program.length / 2] = low;
  program.doubles[program.length / 2 + 1] = high;
  program.length += 4;
};

export type ReadyCondition = { field: string; form: ConditionForm; negated: boolean };

const appendCondition = (
  program: Program,
  { field, form, negated }: ReadyCondition,
  slots: EventSlots,
  pool: RegexPool,
): void => {
  const slot = findOrAddSlot(slots, field);
  const head = (slot.index << SLOT_SHIFT) | (negated ? NEGATED : 0);
  switch (form.kind) {
    case "among":
      appendWords(program, head | AMONG | (form.ignoresCase ? IN_ANY_CASE : 0), form.values.length);
      for (const value of form.values) {
        const { textId, numberId } = registerValue(slot, value, form.ignoresCase, slots);
        appendWords(program, textId, numberId);
      }
      return;
    case "within": {
      const { low, high } = form;
      const isExact = low?.at.digits !== undefined || high?.at.digits !== undefined;
      const open = (low?.open === true ? LOW_OPEN : 0) | (high?.open === true ? HIGH_OPEN : 0);
      appendWords(
        program,
        head | open | WITHIN,
        isExact ? program.exact.push({ low: low?.at, high: high?.at }) - 1 : UNKNOWN,
      );
      appendDoubles(program, low?.at.number ?? Number.NEGATIVE_INFINITY, high?.at.number ?? Number.POSITIVE_INFINITY);
      return;
    }
    case "text":
      appendWords(program, head | TEXT, program.searches.push(registerSearch(slot, form.test, form.needle, slots)) - 1);
      return;
    case "pattern":
      appendWords(
        program,
        head | PATTERN,
        program.patterns.push({ regex: pool.find(form.source), required: findRequiredSearch(form, slot, slots) }) - 1,
      );
      return;
    case "filled":
      appendWords(program, head | FILLED, 0);
  }
};

/** Adds the rule to the program, its cheapest conditions first. Returns the index at which the rule begins. */
export const addRule = (
  program: Program,
  conditions: readonly ReadyCondition[],
  isAnyEnough: boolean,
  slots: EventSlots,
  pool: RegexPool,
): number => {
  const start = program.length;
  appendWords(program, 2 * conditions.length + (isAnyEnough ? 1 : 0), 0);
  for (let effort = 0, left = conditions.length; left > 0; effort += 1) {
    for (const condition of conditions) {
      if (estimateDecisionCost(condition.form) !== effort) continue;
      appendCondition(program, condition, slots, pool);
      left -= 1;
    }
  }
  return start;
};

/** Compares a value with `exact` or, if undefined, with `bound`. Negative if the value is lower; NaN for an infinite `bound`. */
const compareWithBound = (value: Decimal, exact: Decimal | undefined, bound: number): number => {
  if (exact === undefined && !Number.isFinite(bound)) return Number.NaN;
  return compareDecimals(value, exact ?? { number: bound, digits: undefined });
};

/** Returns whether the value is in the range of the WITHIN condition at `offset`. `head`: the condition's first word. */
const isInRange = (program: Program, offset: number, head: number, value: Decimal): boolean => {
  const { number } = value;
  const low = program.doubles[offset / 2 + 1] ?? 0;
  const high = program.doubles[offset / 2 + 2] ?? 0;
  if (number > low && number < high) return true;
  // If the value is not a number, it is NaN, for which both comparisons are false.
  if (!(number >= low && number <= high)) return false;
  const exact = program.exact[program.words[offset + 1] ?? UNKNOWN];
  // If a bound is missing, the result is NaN, which is neither below nor above 0.
  const fromLow = compareWithBound(value, exact?.low, low);
  const fromHigh = compareWithBound(value, exact?.high, high);
  const isBelow = fromLow < 0 || (fromLow === 0 && (head & LOW_OPEN) !== 0);
  const isAbove = fromHigh > 0 || (fromHigh === 0 && (head & HIGH_OPEN) !== 0);
  return !isBelow && !isAbove;
};

/** Returns whether the slot's value is in the list of the AMONG condition at `offset`. `head`: the condition's first word. */
const isInList = (program: Program, offset: number, head: number, slot: Slot): boolean => {
  const { words } = program;
  const isNumber = typeof slot.value.raw === "number";
  const ownId = (head & IN_ANY_CASE) === 0 ? slot.textId : slot.foldedId;
  const end = offset + 2 + 2 * (words[offset + 1] ?? 0);
  for (let pair = offset + 2; pair < end; pair += 2) {
    const textId = words[pair] ?? UNKNOWN;
    if (textId !== UNKNOWN && textId === ownId) return true;
    const numberId = words[pair + 1] ?? UNKNOWN;
    // The texts `1` and `1.0` differ, but both equal the number 1.
    if (numberId !== UNKNOWN && numberId === slot.numberId && (isNumber || textId === UNKNOWN)) return true;
  }
  return false;
};

/** Returns whether the pattern matches the slot's text; undefined if the budget runs out. */
const testPattern = (
  pattern: Pattern | undefined,
  slot: Slot,
  slots: EventSlots,
  meter: Meter,
  pool: RegexPool,
): boolean | undefined => {
  const text = toText(slot.value);
  if (text === undefined || pattern === undefined) return false;
  const { regex, required } = pattern;
  const mayHave = required === undefined || decideSearch(required, slot, slots, meter);
  if (mayHave !== true) return mayHave;
  if (meter.spent >= meter.limit) return undefined;
  if (meter.limit !== Number.POSITIVE_INFINITY && pool.isBeyond(regex)) return undefined;
  meter.spent += pool.search(regex, text, slot.folded);
  if (regex.verdict || slot.alternative === undefined) return regex.verdict;
  meter.spent += pool.search(regex, slot.alternative);
  return regex.verdict;
};

/** Returns whether the slot's value meets the condition at `offset`, ignoring its negation; undefined if the budget runs out. */
const doesConditionHold = (
  program: Program,
  offset: number,
  slot: Slot,
  slots: EventSlots,
  meter: Meter,
  pool: RegexPool,
): boolean | undefined => {
  const { words, searches, patterns } = program;
  const head = words[offset] ?? 0;
  const operand = words[offset + 1] ?? UNKNOWN;
  switch (head & KIND_MASK) {
    case AMONG:
      return isInList(program, offset, head, slot);
    case WITHIN:
      return isInRange(program, offset, head, slot.value);
    case TEXT: {
      const search = searches[operand];
      return search !== undefined && decideSearch(search, slot, slots, meter);
    }
    case PATTERN:
      return testPattern(patterns[operand], slot, slots, meter, pool);
    default:
      return !isEmpty(slot.value);
  }
};

/** Returns how many words of the program the condition at `offset` has. */
const countConditionWords = (words: Int32Array, offset: number): number => {
  const kind = (words[offset] ?? 0) & KIND_MASK;
  if (kind === WITHIN) return 6;
  return kind === AMONG ? 2 + 2 * (words[offset + 1] ?? 0) : 2;
};

/** Returns whether the rule at `start` matches the event; false if the budget ran out, or on a second call for the event. */
export const doesRuleMatch = (
  program: Program,
  start: number,
  slots: EventSlots,
  meter: Meter,
  pool: RegexPool,
): boolean => {
  const { words } = program;
  const { turn } = slots;
  if (words[start + 1] === turn) return false;
  words[start + 1] = turn;
  const count = (words[start] ?? 0) >> 1;
  const any = ((words[start] ?? 0) & 1) === 1;
  let at = start + 2;
  for (let condition = 0; condition < count; condition += 1) {
    const head = words[at] ?? 0;
    const slot = slots.all[head >>> SLOT_SHIFT];
    // For a missing field, only negated conditions are true.
    const verdict =
      slot !== undefined &&
      readSlot(slot, slots).raw !== undefined &&
      doesConditionHold(program, at, slot, slots, meter, pool);
    if (verdict === undefined) meter.refused = true;
    // An undecided condition is not true, even if negated.
    const holds = verdict !== undefined && ((head & NEGATED) !== 0) !== verdict;
    if (holds === any) return any;
    at += countConditionWords(words, at);
  }
  return !any;
};
