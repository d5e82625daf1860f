import { ID_PREFIXES } from "../../core/domain/basics/ids.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../core/domain/basics/units.ts";

export type Fields = Record<string, unknown>;

const WIDTH = 128;
const NAMED = ID_PREFIXES.filter((prefix) => prefix !== "usr" && prefix !== "ws").join("|");
const ID = new RegExp(`(?<![a-z0-9])(${NAMED})_[0-9a-z]{14,}`, "g");
const NUMBER = new RegExp(`(?<![a-z0-9])(${NAMED})_\\d+(?![a-z0-9])`, "g");
const PACK = /\b1m[0-9a-z]{24,26}\b/g;
/** Texts that differ in each run: random secrets, tokens and signatures. */
const DRAWN = /(?<![\w-])[\w-]{43,}(?![\w-])|whsec_[\w+/=]+/g;
const ISO = /\b202\d-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{3})?)?Z/g;
/** Matches the times of a transcript since 1970: milliseconds, and seconds within a token. */
const MS = /\b1(?:79|8\d)\d{10}\b/g;
const SECONDS = /\b1(?:79|8\d)\d{7}\b/g;

/** Formats a span such as `+2d 03:04:05` or `+00:07.250`. */
const formatSpan = (ms: number): string => {
  const [, minutes = "", fraction = ""] = /T..:(.{5})(.{4})/.exec(new Date(Math.abs(ms)).toISOString()) ?? [];
  const [days, hours] = [Math.floor(Math.abs(ms) / DAY_MS), Math.floor((Math.abs(ms) % DAY_MS) / HOUR_MS)];
  const longer = `${days === 0 ? "" : `${days}d `}${days + hours === 0 ? "" : `${String(hours).padStart(2, "0")}:`}`;
  return `${ms < 0 ? "-" : "+"}${longer}${minutes}${fraction === ".000" ? "" : fraction}`;
};

/** Returns a function that names ids by kind and order of appearance, and times by their distance from the part's start. */
export const createIdAndTimeNamer = (part: { start: number }) => {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameId = (id: string, prefix: string): string => {
    const nr = (counts.get(prefix) ?? 0) + (names.has(id) ? 0 : 1);
    counts.set(prefix, nr);
    return names.get(id) ?? (names.set(id, `${prefix}_${nr}`).get(id) as string);
  };
  const nameTime = (ms: number) => formatSpan(ms - part.start);
  const nameText = (text: string): string =>
    text
      .replace(PACK, "pack")
      .replace(ID, nameId)
      .replace(DRAWN, "<drawn>")
      .replace(ISO, (time) => nameTime(Date.parse(time)))
      .replace(MS, (time) => nameTime(Number(time)))
      .replace(SECONDS, (time) => nameTime(Number(time) * SECOND_MS + (part.start % SECOND_MS)));
  const nameAll = (value: unknown): unknown => {
    if (typeof value === "string") return nameText(value);
    if (typeof value === "number") return value > 1.79e12 ? nameTime(value) : value;
    if (Array.isArray(value)) return value.map(nameAll);
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(([, one]) => one !== null && one !== undefined && format(one) !== "[]");
    return Object.fromEntries(kept.map(([key, one]) => [nameText(key), nameAll(one)]));
  };
  return nameAll;
};

/** Masks ids and secrets, so that the same actions give the same text. */
export const maskNames = (text: string): string =>
  text.replace(PACK, "pack").replace(ID, "$1").replace(NUMBER, "$1").replace(DRAWN, "<drawn>");

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const format = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(format).join(", ")}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, one]) => `${key}: ${format(one)}`)
      .join(", ")}}`;
  return typeof value === "string" && !/[\n"]/.test(value) ? value : JSON.stringify(value);
};

/** Returns the lines of a value: a line for each item of a list, and as many fields of an object on a line as fit. */
const formatBlock = (value: unknown, width: number): string[] => {
  const inline = format(value);
  if (inline.length <= width) return [inline];
  if (Array.isArray(value))
    return value.flatMap((item) => formatBlock(item, width - 2).map((line, nr) => (nr === 0 ? "- " : "  ") + line));
  if (!isObject(value)) return String(value).match(new RegExp(`\\S.{0,${width - 1}}(?= |$)|.{1,${width}}`, "gm")) ?? [];
  const lines: string[] = [];
  let left = 0;
  for (const [key, one] of Object.entries(value)) {
    const field = `${key}: ${format(one)}`;
    if (field.length + 2 <= left) lines.push(`${lines.pop()}, ${field}`);
    else if (field.length <= width) lines.push(field);
    else lines.push(`${key}:`, ...formatBlock(one, width - 2).map((line) => `  ${line}`));
    left = field.length <= width ? width - (lines.at(-1)?.length ?? 0) : 0;
  }
  return lines;
};

/** Formats an entry: `head` (what was done) and a value, on one line if they fit, or the value on the lines below. */
export const formatEntry = (head: string, value: unknown = {}): string => {
  const inline = format(value) === "{}" ? head : `${head} ${format(value)}`;
  if (inline.length <= WIDTH) return inline;
  return [head, ...formatBlock(value, WIDTH - 4).map((line) => `    ${line}`)].join("\n");
};

/** Returns an object without nested objects: `android.priority` for the field `priority` of the object `android`. */
export const flatten = (value: unknown, path = ""): Fields =>
  isObject(value)
    ? Object.assign({}, ...Object.entries(value).map(([key, one]) => flatten(one, `${path}${path && "."}${key}`)))
    : { [path.replace(/^(?:data|notification|headers|apns\.(?:headers|payload\.aps))\./, "")]: value };

/** Returns the fields of `after` that differ from `before`. `gone`: the names of the fields that only `before` has. */
export const findChanges = (before: unknown, after: unknown): unknown => {
  if (!isObject(before) || !isObject(after)) return after;
  const changed = Object.entries(after).filter(([key, one]) => !(key in before) || format(before[key]) !== format(one));
  const gone = Object.keys(before).filter((key) => !(key in after));
  return { ...Object.fromEntries(changed), ...(gone.length === 0 ? {} : { gone }) };
};

/** Leaves out the fields of each item that are the same in the item before. */
export const shorten = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item, nr) => shorten(nr === 0 ? item : findChanges(value[nr - 1], item)));
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shorten(one)])) : value;
};

const hasId = (value: unknown): value is { id: string } => isObject(value) && typeof value["id"] === "string";

/** Returns what differs from an earlier answer: of lists of items with ids, the changed and the new items. */
export const findNews = (before: unknown, after: unknown): unknown => {
  if (Array.isArray(before) && Array.isArray(after) && before.every(hasId) && after.every(hasId)) {
    const byId = (items: { id: string }[]) => Object.fromEntries(items.map((item) => [item.id, item]));
    return findNews(byId(before), byId(after));
  }
  if (!isObject(before) || !isObject(after)) return after;
  const news = findChanges(before, after) as Fields;
  return Object.fromEntries(
    Object.entries(news).map(([key, one]) => [key, key === "gone" ? one : findNews(before[key], one)]),
  );
};

/** Sorts texts, and counts those that are the same. */
export const countSame = (texts: readonly string[]): string[] =>
  [...Map.groupBy(texts, (text) => text)]
    .map(([text, { length }]) => ({ text, count: length === 1 ? "" : `${length} × ` }))
    .toSorted((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ text, count }) => count + text);
