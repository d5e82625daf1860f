import * as v from "valibot";
import { text } from "../text.ts";
import { compareDecimals, isDecimal, parseDecimal, type Decimal } from "./decimal.ts";
import { LIST_OPERANDS_MAX, OPERAND_MAX_CODE_POINTS, REGEX_MAX_CODE_POINTS } from "./limits.ts";
import { regexFault, type RegexPool } from "./regex.ts";
import { requiredLiteral } from "./regex-literal.ts";
import { isEmpty, textOf, valueOf, type Value } from "./value.ts";

/**
 * The fifteen operators, an entry each: what a rule may give as its value, what the operator means, how rules that use
 * it are found without looking at each of them, and its corner cases.
 */

export type Operand = string | number | boolean | readonly (string | number | boolean)[] | undefined;

export type Test = (value: Value) => boolean;

/** Where the tests of one rule set draw their patterns from and account for long work. */
export type Bench = {
  readonly regexes: RegexPool;
  /** Units spent on the current event. */
  spent: number;
  /** Units that the current event may spend. */
  limit: number;
  /** Whether a test of the current rule was left undecided because nothing was left to spend. */
  refused: boolean;
};

/**
 * How an operator's rules are found. Each but `any` promises: where the operator holds, the access does, so that the
 * others need not be looked at. A range is of doubles, both ends included; a needle is a text that must occur.
 */
export type Access =
  | { kind: "values"; values: readonly (string | number)[] }
  | { kind: "range"; low: number; high: number }
  | { kind: "needle"; needle: string }
  | { kind: "present" }
  | { kind: "absent" }
  | { kind: "any" };

type Operator = {
  /** The schema of `value`; undefined where the operator takes none. */
  operand: v.GenericSchema<unknown, Operand> | undefined;
  test(operand: Operand, bench: Bench): Test;
  access(operand: Operand): Access;
  /** In which order a rule's conditions are tested: 0 in constant time, 1 scans a text, 2 runs a pattern. */
  effort: 0 | 1 | 2;
  /** Holds exactly where the other does not. */
  negates?: true;
};

const present: Access = { kind: "present" };
const any: Access = { kind: "any" };
const never: Test = () => false;

// --- Operands ---

const wellFormed = (what: string, min: number) => text(what, OPERAND_MAX_CODE_POINTS, min);
const finite = (what: string) => v.pipe(v.number(what), v.finite(what));

const scalarMessage = "The value is a text, a number, true or false.";
const Scalar = v.union([wellFormed("The value", 0), finite(scalarMessage), v.boolean()], scalarMessage);

const List = v.pipe(
  v.array(Scalar, "The value is a list of texts, numbers, true or false."),
  v.minLength(1, "The list holds at least one value."),
  v.maxLength(LIST_OPERANDS_MAX, `The list holds at most ${LIST_OPERANDS_MAX} values.`),
);

const Needle = wellFormed("The value", 1);

const numberMessage = 'The value is a number, or a text that is wholly a decimal number such as "12.50".';
const NumberLike = v.union(
  [finite(numberMessage), v.pipe(v.string(), v.maxLength(OPERAND_MAX_CODE_POINTS), v.check(isDecimal, numberMessage))],
  numberMessage,
);

const rangeMessage = "The value is a list of two numbers, [low, high].";
const Range = v.pipe(
  v.strictTuple([NumberLike, NumberLike], rangeMessage),
  v.check(([low, high]) => {
    const bounds = [numeric(low), numeric(high)] as const;
    return bounds[0] !== undefined && bounds[1] !== undefined && compareDecimals(bounds[0], bounds[1]) <= 0;
  }, "The value is [low, high] with low not above high."),
);

const Regex = v.pipe(
  text("A regular expression", REGEX_MAX_CODE_POINTS),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? regexFault(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
);

// --- Meanings that several operators share ---

function numeric(operand: Operand): Decimal | undefined {
  if (typeof operand === "number") return { number: operand, digits: undefined };
  return typeof operand === "string" ? parseDecimal(operand) : undefined;
}

/** Two texts compare as texts; where one side is a number, a text on the other that is a decimal number counts as one. */
const same = (value: Value, wanted: Value): boolean => {
  const { raw } = value;
  if (raw === undefined || typeof raw === "object" || wanted.raw === undefined) return false;
  if (typeof raw === "string" && typeof wanted.raw === "string") return raw === wanted.raw;
  // NaN on either side, that is text which is no number, compares as neither less nor greater: rule it out first.
  return value.number === wanted.number && compareDecimals(value, wanted) === 0;
};

const scalars = (operand: Operand): readonly (string | number)[] => {
  const list = typeof operand === "object" ? operand : operand === undefined ? [] : [operand];
  return list.map((item) => (typeof item === "boolean" ? String(item) : item));
};

/** Beyond so many values a set is quicker than looking at each. */
const SMALL_LIST = 8;

const sameAsOneOf = (operand: Operand): Test => {
  const wanted = scalars(operand).map(valueOf);
  const [only] = wanted;
  if (only === undefined) return never;
  if (wanted.length === 1) return (value) => same(value, only);
  if (wanted.length <= SMALL_LIST) return (value) => wanted.some((item) => same(value, item));
  const texts = new Set(wanted.map((item) => item.raw).filter((raw) => typeof raw === "string"));
  const numbers = wanted.filter((item) => typeof item.raw === "number");
  const decimals = wanted.filter((item) => !Number.isNaN(item.number));
  return (value) => {
    if (typeof value.raw === "number") return decimals.some((item) => same(value, item));
    if (typeof value.raw !== "string") return false;
    return texts.has(value.raw) || (!Number.isNaN(value.number) && numbers.some((item) => same(value, item)));
  };
};

const equality = {
  test: sameAsOneOf,
  access: (operand: Operand): Access => ({ kind: "values", values: scalars(operand) }),
};
const inequality = {
  test: (operand: Operand): Test => {
    const holds = sameAsOneOf(operand);
    return (value) => !holds(value);
  },
  access: () => any,
};

/** Compares exactly, digit by digit where doubles tie. A text that is no decimal number, and a missing field, fail. */
const ordering = (holds: (order: number) => boolean, range: (bound: number) => Access) => ({
  operand: NumberLike,
  test: (operand: Operand): Test => {
    const bound = numeric(operand);
    if (bound === undefined) return never;
    return (value) => !Number.isNaN(value.number) && holds(compareDecimals(value, bound));
  },
  access: (operand: Operand): Access => range(numeric(operand)?.number ?? Number.NaN),
  effort: 0 as const,
});
const from = (low: number): Access => ({ kind: "range", low, high: Number.POSITIVE_INFINITY });
const upTo = (high: number): Access => ({ kind: "range", low: Number.NEGATIVE_INFINITY, high });

const needleOf = (operand: Operand): string => (typeof operand === "string" ? operand : "");
const needleAccess = (operand: Operand): Access => ({ kind: "needle", needle: needleOf(operand) });

/** A text operator works on the string form of a number, and fails on a missing field and on an object. */
const onText = (operand: Operand, holds: (text: string, needle: string) => boolean): Test => {
  if (typeof operand !== "string") return never;
  return (value) => {
    const found = textOf(value);
    return found !== undefined && holds(found, operand);
  };
};

/** `includes` scans so many characters in the time of one unit. */
const CHARACTERS_PER_UNIT = 16;

const define = <Name extends string>(table: Record<Name, Operator>): Record<Name, Operator> => table;

export const operators = define({
  /** A number equals a text of the same decimal value (5, "5", "5.0"); texts are equal character by character. */
  equals: { ...equality, operand: Scalar, effort: 0 },
  /** Holds for a missing field too. */
  not_equals: { ...inequality, operand: Scalar, effort: 0, negates: true },
  /** Equals one of the list. */
  one_of: { ...equality, operand: List, effort: 0 },
  /** Equals none of the list; holds for a missing field too. */
  not_one_of: { ...inequality, operand: List, effort: 0, negates: true },

  /** Case-sensitive, as the other text operators are. */
  contains: {
    operand: Needle,
    test: (operand, bench) => {
      const account = bench;
      return onText(operand, (found, needle) => {
        if (account.spent >= account.limit) {
          account.refused = true;
          return false;
        }
        account.spent += 1 + found.length / CHARACTERS_PER_UNIT;
        return found.includes(needle);
      });
    },
    access: needleAccess,
    effort: 1,
  },
  starts_with: {
    operand: Needle,
    test: (operand) => onText(operand, (found, needle) => found.startsWith(needle)),
    access: needleAccess,
    effort: 0,
  },
  ends_with: {
    operand: Needle,
    test: (operand) => onText(operand, (found, needle) => found.endsWith(needle)),
    access: needleAccess,
    effort: 0,
  },

  greater_than: ordering((order) => order > 0, from),
  greater_than_or_equal: ordering((order) => order >= 0, from),
  less_than: ordering((order) => order < 0, upTo),
  less_than_or_equal: ordering((order) => order <= 0, upTo),
  /** Both ends included. */
  between: {
    operand: Range,
    test: (operand) => {
      const [low, high] = typeof operand === "object" ? [numeric(operand[0]), numeric(operand[1])] : [];
      if (low === undefined || high === undefined) return never;
      return (value) =>
        !Number.isNaN(value.number) && compareDecimals(value, low) >= 0 && compareDecimals(value, high) <= 0;
    },
    access: (operand) => {
      const [low, high] = typeof operand === "object" ? [numeric(operand[0]), numeric(operand[1])] : [];
      return { kind: "range", low: low?.number ?? Number.NaN, high: high?.number ?? Number.NaN };
    },
    effort: 0,
  },

  /** A missing field, an empty text, an object without keys. Zero, false and a blank are not empty. */
  is_empty: { operand: undefined, test: () => isEmpty, access: () => ({ kind: "absent" }), effort: 0, negates: true },
  is_not_empty: { operand: undefined, test: () => (value) => !isEmpty(value), access: () => present, effort: 0 },

  /** Searched for anywhere in the text unless the pattern anchors itself; RE2 syntax, linear time. */
  matches_regex: {
    operand: Regex,
    test: (operand, bench) => {
      const account = bench;
      const regex = bench.regexes.find(needleOf(operand));
      return onText(operand, (found) => {
        if (account.spent >= account.limit) {
          account.refused = true;
          return false;
        }
        account.spent += bench.regexes.search(regex, found);
        return regex.verdict;
      });
    },
    access: (operand) => {
      const literal = requiredLiteral(needleOf(operand));
      return literal === "" ? present : { kind: "needle", needle: literal };
    },
    effort: 2,
  },
});

export type OperatorName = keyof typeof operators;
