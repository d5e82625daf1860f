/** A value in DynamoDB's JSON. */
export type Value = {
  S?: string;
  N?: string;
  /** The bytes in base64. */
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  M?: Item;
  L?: Value[];
  SS?: string[];
  NS?: string[];
  BS?: string[];
};
export type Item = { [name: string]: Value };

export type Key = { pk: string; sk: string };
/** Returns the item's key, or a key with empty texts if there is no item. */
export const readKey = (item: Item | undefined): Key => ({ pk: item?.["pk"]?.S ?? "", sk: item?.["sk"]?.S ?? "" });

const sumSizes = <Part>(parts: readonly Part[], sizeOf: (part: Part) => number): number =>
  parts.reduce((total, part) => total + sizeOf(part), 0);

const countTextBytes = (text: string): number => Buffer.byteLength(text);
const countBinaryBytes = (base64: string): number => Buffer.byteLength(base64, "base64");

/** Returns a number's approximate size in bytes: 1 per two significant digits, 1 more, and 1 for a minus sign; 1 for zero. */
const countNumberBytes = (number: string): number => {
  const [mantissa = ""] = number.toLowerCase().split("e");
  const digits = mantissa.replaceAll(/[-+.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
  return digits === "" ? 1 : Math.ceil(digits.length / 2) + 1 + (number.startsWith("-") ? 1 : 0);
};

/** The size of a map or list without its elements, in bytes. Each element needs one more byte. */
const NESTING_BYTES = 3;

const countValueBytes = (value: Value): number => {
  if (value.S !== undefined) return countTextBytes(value.S);
  if (value.N !== undefined) return countNumberBytes(value.N);
  const { B, SS, NS, BS, M, L } = value;
  if (B !== undefined) return countBinaryBytes(B);
  if (SS !== undefined) return sumSizes(SS, countTextBytes);
  if (NS !== undefined) return sumSizes(NS, countNumberBytes);
  if (BS !== undefined) return sumSizes(BS, countBinaryBytes);
  if (M !== undefined) return NESTING_BYTES + Object.keys(M).length + countItemBytes(M);
  if (L !== undefined) return NESTING_BYTES + L.length + sumSizes(L, countValueBytes);
  return 1;
};

/** Sizes are cached, because items never change and every read and write needs the size. */
const sizes = new WeakMap<Item, number>();

/** Returns the size of an item. Names and texts count in UTF-8, as on AWS. */
export const countItemBytes = (item: Item): number => {
  const known = sizes.get(item);
  if (known !== undefined) return known;
  const size = sumSizes(Object.entries(item), ([name, value]) => countTextBytes(name) + countValueBytes(value));
  sizes.set(item, size);
  return size;
};

/** Returns the units of a write: one per started KB of the largest item (the old or the new one), at least 1. */
export const countWriteUnits = (...items: readonly (Item | undefined)[]): number =>
  Math.max(1, ...items.map((item) => (item === undefined ? 0 : Math.ceil(countItemBytes(item) / 1024))));

/** Returns the units of a read: one per started 4 KB, at least 1; half of these for an eventually consistent read. */
export const countReadUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);
