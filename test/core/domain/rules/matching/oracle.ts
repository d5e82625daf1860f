/**
 * A second implementation of docs/matching.md, which shares no code with the engine: compares numbers as scaled integers, and
 * texts by JavaScript's regular expressions.
 */
export type OracleCondition = {
  field: string;
  operator: string;
  value?: unknown;
  not?: boolean;
  ignoreCase?: boolean;
};
export type OracleRule = {
  id: string;
  eventKey: string;
  conditions?: OracleCondition[];
  conditionMatch?: "all" | "any";
  enabled?: boolean;
};
export type OracleEvent = {
  eventKey: string;
  title: string;
  body: string;
  priority: string;
  detail?: string;
  url?: string;
  sender?: { name: string };
  data?: Record<string, unknown>;
};

const MISSING = Symbol("missing");

const isRecord = (found: unknown): found is Record<string, unknown> =>
  typeof found === "object" && found !== null && !Array.isArray(found);

/** Tries all ways to split the path into field names, shortest names first, and returns the first value. */
const lookUp = (from: unknown, path: string): unknown => {
  if (!isRecord(from)) return MISSING;
  const dots = path.matchAll(/\./g).map((dot) => dot.index);
  for (const end of [...dots, path.length]) {
    const own = Object.getOwnPropertyDescriptor(from, path.slice(0, end));
    if (own === undefined) continue;
    const found = end === path.length ? own.value : lookUp(own.value, path.slice(end + 1));
    if (found !== MISSING && found !== null && found !== undefined) return found;
  }
  return MISSING;
};

const valueOf = (field: string, event: OracleEvent): unknown => {
  if (field === "title") return event.title;
  if (field === "body") return event.body;
  if (field === "priority") return event.priority;
  if (field === "eventKey") return event.eventKey;
  if (field === "detail") return event.detail ?? MISSING;
  if (field === "url") return event.url ?? MISSING;
  if (field === "sender") return event.sender?.name ?? MISSING;
  const found = lookUp(event.data, field.slice("data.".length));
  return typeof found === "boolean" ? `${found}` : found;
};

type Fraction = { units: bigint; scale: number };

const parseFraction = (found: unknown): Fraction | undefined => {
  if (typeof found !== "number" && typeof found !== "string") return undefined;
  const parts = /^([+-]?)(\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(`${found}`);
  if (parts === null) return undefined;
  const [, sign, whole = "", fraction = "", power = "0"] = parts;
  if (whole === "" && fraction === "") return undefined;
  return { units: BigInt(`${sign === "-" ? "-" : ""}${whole}${fraction}`), scale: fraction.length - Number(power) };
};

const compare = (left: unknown, right: unknown): number | undefined => {
  const a = parseFraction(left);
  const b = parseFraction(right);
  if (a === undefined || b === undefined) return undefined;
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [a.units * 10n ** BigInt(scale - a.scale), b.units * 10n ** BigInt(scale - b.scale)];
  return x < y ? -1 : Number(x > y);
};

const isScalar = (found: unknown): found is string | number => typeof found === "string" || typeof found === "number";

/** Returns a JavaScript regular expression for a text, which ignores case as RE2 does. */
const ignoringCase = (text: string, before: string, after: string): RegExp =>
  new RegExp(`^${before}${text.replace(/[\\^$.|?*+()[\]{}/]/g, "\\$&")}${after}$`, "isu");

const isEqual = (found: unknown, wanted: unknown, ignoresCase: boolean): boolean => {
  const other = typeof wanted === "boolean" ? `${wanted}` : wanted;
  if (!isScalar(found)) return false;
  if (typeof found === "string" && typeof other === "string")
    return ignoresCase ? ignoringCase(other, "", "").test(found) : found === other;
  return compare(found, other) === 0;
};

const holdsForText = (found: unknown, holds: (text: string) => boolean): boolean =>
  isScalar(found) && holds(String(found));

const isEmpty = (found: unknown): boolean =>
  found === MISSING || found === "" || (typeof found === "object" && Object.keys(found as object).length === 0);

const holdsForOrder = (found: unknown, bound: unknown, holds: (order: number) => boolean): boolean => {
  const order = compare(found, bound);
  return order !== undefined && holds(order);
};

const asText = (value: unknown) => value as string;
const asList = (value: unknown) => value as unknown[];

/** Replaces a leading `(?i)` by a flag, because JavaScript's regular expressions have no inline flags. */
const toNativePattern = (pattern: string, ignoresCase: boolean): RegExp => {
  const flagged = pattern.startsWith("(?i)");
  return new RegExp(flagged ? pattern.slice("(?i)".length) : pattern, flagged || ignoresCase ? "iu" : "u");
};

const meanings: Record<string, (found: unknown, value: unknown, ignoresCase: boolean) => boolean> = {
  equals: isEqual,
  not_equals: (found, value, ignoresCase) => !isEqual(found, value, ignoresCase),
  one_of: (found, value, ignoresCase) => asList(value).some((item) => isEqual(found, item, ignoresCase)),
  not_one_of: (found, value, ignoresCase) => !asList(value).some((item) => isEqual(found, item, ignoresCase)),
  contains: (found, value, ignoresCase) =>
    holdsForText(found, (text) =>
      ignoresCase ? ignoringCase(asText(value), ".*", ".*").test(text) : text.split(asText(value)).length > 1,
    ),
  starts_with: (found, value, ignoresCase) =>
    holdsForText(found, (text) =>
      ignoresCase ? ignoringCase(asText(value), "", ".*").test(text) : text.slice(0, asText(value).length) === value,
    ),
  ends_with: (found, value, ignoresCase) =>
    holdsForText(found, (text) =>
      ignoresCase
        ? ignoringCase(asText(value), ".*", "").test(text)
        : text.length >= asText(value).length && text.slice(-asText(value).length) === value,
    ),
  greater_than: (found, value) => holdsForOrder(found, value, (order) => order === 1),
  greater_than_or_equal: (found, value) => holdsForOrder(found, value, (order) => order !== -1),
  less_than: (found, value) => holdsForOrder(found, value, (order) => order === -1),
  less_than_or_equal: (found, value) => holdsForOrder(found, value, (order) => order !== 1),
  between: (found, value) => {
    const [low, high] = asList(value);
    return holdsForOrder(found, low, (order) => order !== -1) && holdsForOrder(found, high, (order) => order !== 1);
  },
  is_empty: isEmpty,
  is_not_empty: (found) => !isEmpty(found),
  matches_regex: (found, value, ignoresCase) =>
    holdsForText(found, (text) => toNativePattern(asText(value), ignoresCase).test(text)),
};

const negative = ["not_equals", "not_one_of", "is_empty"];

const ORDERED_PRIORITIES: unknown[] = ["LOW", "NORMAL", "HIGH", "URGENT", "CRITICAL"];
const rank = (priority: unknown): number | undefined => {
  const index = ORDERED_PRIORITIES.indexOf(priority);
  return index < 0 ? undefined : Math.min(index, 3);
};
const ordering = ["greater_than", "greater_than_or_equal", "less_than", "less_than_or_equal", "between"];

const holdsWithoutNot = (
  { field, operator, value, ignoreCase = false }: OracleCondition,
  event: OracleEvent,
): boolean => {
  if (field === "priority" && ordering.includes(operator)) {
    const ranks = Array.isArray(value) ? value.map(rank) : rank(value);
    return meanings[operator]?.(rank(event.priority), ranks, false) ?? false;
  }
  const meaning = meanings[operator];
  if (meaning === undefined) return false;
  const found = valueOf(field, event);
  if (field !== "priority" || (found !== "URGENT" && found !== "CRITICAL")) return meaning(found, value, ignoreCase);
  const verdicts = [meaning("URGENT", value, ignoreCase), meaning("CRITICAL", value, ignoreCase)];
  return negative.includes(operator) ? verdicts.every(Boolean) : verdicts.some(Boolean);
};

const holds = (condition: OracleCondition, event: OracleEvent): boolean =>
  holdsWithoutNot(condition, event) !== (condition.not ?? false);

const matchesKey = (pattern: string, key: string): boolean =>
  pattern === "*" || pattern === key || (pattern.endsWith(".*") && key.split(".")[0] === pattern.split(".")[0]);

export const oracle = (rules: readonly OracleRule[], event: OracleEvent): string[] =>
  rules
    .filter(({ eventKey, conditions = [], conditionMatch = "all", enabled = true }) => {
      if (!enabled || !matchesKey(eventKey, event.eventKey)) return false;
      if (conditions.length === 0) return true;
      const verdicts = conditions.map((condition) => holds(condition, event));
      return conditionMatch === "all" ? !verdicts.includes(false) : verdicts.includes(true);
    })
    .map((rule) => rule.id);
