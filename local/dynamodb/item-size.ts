import * as v from "valibot";

/** A value as it travels. */
type Attribute =
  | { S: string }
  | { N: string }
  | { B: string }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { M: Record<string, Attribute> }
  | { L: Attribute[] }
  | { BOOL: boolean }
  | { NULL: boolean };
export type Item = Record<string, Attribute>;

/** Looks no further than it must: dynalite checks every value, and a schema for them would cost as much as the write. */
export const Item = v.custom<Item>((value) => typeof value === "object" && value !== null);

const sum = <Part>(parts: readonly Part[], size: (part: Part) => number): number =>
  parts.reduce((total, part) => total + size(part), 0);

const textSize = (text: string): number => Buffer.byteLength(text);
const binarySize = (base64: string): number => Buffer.byteLength(base64, "base64");

/** About a byte for two significant digits, one for the rest, and one for the sign of a negative number. */
const numberSize = (number: string): number => {
  const [mantissa = ""] = number.toLowerCase().split("e");
  const digits = mantissa.replaceAll(/[-+.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
  return digits === "" ? 1 : Math.ceil(digits.length / 2) + 1 + (number.startsWith("-") ? 1 : 0);
};

/** A map or a list costs 3 bytes, and each of its elements one more. */
const NESTING_BYTES = 3;

const valueSize = (value: Attribute): number => {
  if ("S" in value) return textSize(value.S);
  if ("N" in value) return numberSize(value.N);
  if ("B" in value) return binarySize(value.B);
  if ("SS" in value) return sum(value.SS, textSize);
  if ("NS" in value) return sum(value.NS, numberSize);
  if ("BS" in value) return sum(value.BS, binarySize);
  if ("M" in value) return NESTING_BYTES + Object.keys(value.M).length + itemSize(value.M);
  if ("L" in value) return NESTING_BYTES + value.L.length + sum(value.L, valueSize);
  return 1;
};

/** Bytes of an item as AWS counts them: names and texts in UTF-8. */
export const itemSize = (item: Item): number =>
  sum(Object.entries(item), ([name, value]) => textSize(name) + valueSize(value));

/** Units of a write: 1 for each KB begun of the larger of what was there and what is there now; at least 1. */
export const writeUnits = (...items: readonly (Item | undefined)[]): number =>
  Math.max(1, ...items.map((item) => (item === undefined ? 0 : Math.ceil(itemSize(item) / 1024))));

/** Units of a read: 1 for each 4 KB begun, half of that where it need not be consistent; at least for the first 4 KB. */
export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);
