/** In DynamoDB's JSON. */
export type Value = {
  S?: string;
  N?: string;
  /** In base64. */
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
export const keyOf = (item: Item | undefined): Key => ({ pk: item?.["pk"]?.S ?? "", sk: item?.["sk"]?.S ?? "" });

const sumSizes = <Part>(parts: readonly Part[], size: (part: Part) => number): number =>
  parts.reduce((total, part) => total + size(part), 0);

const textSize = (text: string): number => Buffer.byteLength(text);
const binarySize = (base64: string): number => Buffer.byteLength(base64, "base64");

/** In bytes: about one per two significant digits, one more, and one for a minus sign. */
const numberSize = (number: string): number => {
  const [mantissa = ""] = number.toLowerCase().split("e");
  const digits = mantissa.replaceAll(/[-+.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
  return digits === "" ? 1 : Math.ceil(digits.length / 2) + 1 + (number.startsWith("-") ? 1 : 0);
};

/** The bytes of a map or list, plus one per element. */
const NESTING_BYTES = 3;

const valueSize = ({ S, N, B, SS, NS, BS, M, L }: Value): number => {
  if (S !== undefined) return textSize(S);
  if (N !== undefined) return numberSize(N);
  if (B !== undefined) return binarySize(B);
  if (SS !== undefined) return sumSizes(SS, textSize);
  if (NS !== undefined) return sumSizes(NS, numberSize);
  if (BS !== undefined) return sumSizes(BS, binarySize);
  if (M !== undefined) return NESTING_BYTES + Object.keys(M).length + itemSize(M);
  if (L !== undefined) return NESTING_BYTES + L.length + sumSizes(L, valueSize);
  return 1;
};

/** Cached, because items never change and every read and write needs the size. */
const sizes = new WeakMap<Item, number>();

/** Names and texts count in UTF-8, as on AWS. */
export const itemSize = (item: Item): number => {
  const known = sizes.get(item);
  if (known !== undefined) return known;
  const size = sumSizes(Object.entries(item), ([name, value]) => textSize(name) + valueSize(value));
  sizes.set(item, size);
  return size;
};

/** One per started KB of the larger of the old and new item, at least 1. */
export const writeUnits = (...items: readonly (Item | undefined)[]): number =>
  Math.max(1, ...items.map((item) => (item === undefined ? 0 : Math.ceil(itemSize(item) / 1024))));

/** One per started 4 KB, or half of that if not consistent; at least for the first 4 KB. */
export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);
