/** A decimal number: the nearest double, and the digits if it may be inexact. Digits are compared only if doubles are equal. */
export type Decimal = { number: number; digits: string | undefined };

const SHAPE = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,6})?$/u;
/** Different decimals without an exponent have different doubles if their texts are at most this long. */
const PLAIN_LENGTH = 15;

const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;

/** Returns whether the text is a decimal number, with an optional sign, fraction and exponent. */
export const isDecimal = (text: string): boolean => {
  const first = text.charCodeAt(0);
  // The first character is tested first, because this is fast and most texts are not numbers.
  if ((first < ZERO || first > NINE) && first !== MINUS && first !== DOT && first !== PLUS) return false;
  return SHAPE.test(text);
};

/** Returns the text if its double could equal the double of a different decimal; undefined if not. */
export const keepDigitsIfInexact = (text: string): string | undefined =>
  text.length <= PLAIN_LENGTH && !text.includes("e") && !text.includes("E") ? undefined : text;

export const parseDecimal = (text: string): Decimal | undefined =>
  isDecimal(text) ? { number: Number(text), digits: keepDigitsIfInexact(text) } : undefined;

type ScientificNumber = { negative: boolean; digits: string; exponent: number };

/** Returns the digits and the exponent of a decimal in the form 0.DIGITS × 10^exponent, without zeros at either end. */
const normalizeDecimal = (text: string): ScientificNumber => {
  const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace(/^[+-]/u, "").split(".");
  const all = whole + fraction;
  const leading = /^0*/u.exec(all)?.[0].length ?? 0;
  const digits = all.slice(leading).replace(/0+$/u, "");
  if (digits === "") return { negative: false, digits, exponent: 0 };
  return { negative: mantissa.startsWith("-"), digits, exponent: whole.length - leading + Number(power) };
};

const compareDecimalTexts = (left: string, right: string): number => {
  const a = normalizeDecimal(left);
  const b = normalizeDecimal(right);
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  const sign = a.negative ? -1 : 1;
  if (a.digits === "" || b.digits === "") {
    if (a.digits === b.digits) return 0;
    return a.digits === "" ? -sign : sign;
  }
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -sign : sign;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -sign : sign;
};

export const compareDecimals = (left: Decimal, right: Decimal): number => {
  if (left.number < right.number) return -1;
  if (left.number > right.number) return 1;
  if (left.digits === undefined && right.digits === undefined) return 0;
  return compareDecimalTexts(left.digits ?? String(left.number), right.digits ?? String(right.number));
};

/** Returns the decimal's key for maps: two keys are equal if and only if the decimals are equal. */
export const toDecimalKey = ({ number, digits }: Decimal): number | string => {
  if (digits === undefined || compareDecimalTexts(digits, String(number)) === 0) return number;
  const { negative, digits: own, exponent } = normalizeDecimal(digits);
  return `${negative ? "-" : ""}${own}e${exponent}`;
};
