import { createRandom } from "../../../../../tools/random.ts";
import type { OracleCondition, OracleEvent, OracleRule } from "./oracle.ts";

/** Creates random rule sets and events with few and unusual values, so that rules often match. */
export const createArbitraries = (seed: number) => {
  const random = createRandom(seed);
  const randomBelow = (limit: number) => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[randomBelow(items.length)]!;
  const makeSome = <Item>(maxCount: number, make: () => Item): Item[] =>
    Array.from({ length: 1 + randomBelow(maxCount) }, make);

  const numbers = [0, -0, 5, -5, 0.1, 0.3, 1000, 1e21, 1e-7, 12345678901234567000, 9007199254740992];
  const decimals = [
    "5",
    "5.0",
    "05",
    "+5",
    "-5",
    "-0",
    "0",
    "0.00",
    "1e3",
    "1E+3",
    "1000",
    ".5",
    "0.5",
    "0.1",
    "0.10000000000000000001",
    "0.30000000000000000000",
    "12345678901234567890",
    "12345678901234567000",
    "12345678901234567890.5",
    "9007199254740993",
    "9007199254740992",
    "123456789012345678901234567890.12345678",
    "1e400",
    "1e-400",
    "-1e400",
    "1e21",
    "1000000000000000000000",
    "0.0000001",
  ];
  const oddTexts = [
    "",
    " ",
    " 5",
    "5.",
    "0x10",
    "Infinity",
    "NaN",
    "1e",
    "five",
    "true",
    "false",
    "TRUE",
    "null",
    "CRITICAL",
    "URGENT",
    "é",
    "e\u0301",
    "😀",
    "😀😀",
    "日本語のタイトル",
    "a.b",
    "A.B",
    "ß",
    "ẞ",
    "ſ",
    "\u212a",
    "Σας",
    "σΑΣ",
    "İ",
    "ı",
    "ﬅ",
    "ﬆ",
    "booking.created",
    "Booking.Failed",
    "constructor",
    "$1",
    "^a",
    "a\nb",
  ];
  const pieces = ["disk", "full", " ", "Disk", "cpu 95%", "é", "É", "😀", "err", "error", "ERR", "-", "ab", "abab"];
  pieces.push("\n", "日本", "Störung", "STÖRUNG", "di\u017fk", "dis\u212a", "𐐀𐐁", "𐐨𐐩", "ΣΊΣΥΦΟΣ", "σίσυφος");
  const sentence = () => makeSome(6, () => pick(pieces)).join("");
  const text = () => pick([() => pick(decimals), () => pick(oddTexts), sentence])();
  const spellFive = () => pick([5, "5", "5.0", "+5", "05"]);
  const scalar = () => pick([spellFive, () => pick(numbers), text, text, () => random() < 0.5])();
  const needle = () => pick([() => pick(pieces), () => pick(pieces) + pick(pieces), text])() || "x";
  const numberLike = () => (random() < 0.5 ? pick(numbers) : pick(decimals));

  const keys = ["a", "a", "b", "b", "a.b", "a.b", "c", "constructor", "toString", "__proto__", "a.b.c"];
  const nested = (depth: number): unknown => {
    const roll = random();
    if (roll < 0.75 || depth === 0) return scalar();
    if (roll < 0.8) return null;
    if (roll < 0.83) return pick([[], [1], ["disk"]]);
    return record(depth - 1);
  };
  /** Returns nested data, parsed from JSON like events, so that `__proto__` is an own key. */
  const record = (depth: number): Record<string, unknown> => {
    const entries = Array.from(
      { length: randomBelow(5) },
      () => `${JSON.stringify(pick(keys))}:${JSON.stringify(nested(depth))}`,
    );
    return JSON.parse(`{${entries.join(",")}}`);
  };

  const eventKeys = ["booking.created", "booking.failed", "payment.failed", "disk.full"];
  const priorities = ["LOW", "NORMAL", "HIGH", "URGENT", "CRITICAL"];
  const event = (): OracleEvent => ({
    eventKey: pick(eventKeys),
    title: text(),
    body: random() < 0.9 ? sentence() : sentence().repeat(30),
    priority: pick(priorities),
    ...(random() < 0.5 ? { detail: text() } : {}),
    ...(random() < 0.5 ? { url: text() } : {}),
    ...(random() < 0.5 ? { sender: { name: sentence() } } : {}),
    ...(random() < 0.95 ? { data: record(3) } : {}),
  });

  const patterns = [
    "disk",
    "^disk",
    "full|cpu",
    "five|Disk",
    "full$",
    "^$",
    "d.sk",
    "(disk|cpu) ",
    "[0-9]+%",
    "é",
    "^.{1,4}$",
    "a+b",
    "(ab)+$",
    "err(or)?",
    "er{2}o?r",
    "\\d\\.\\d",
    "^-?\\d+$",
    "disk\\s?full",
    "[^a-z]é",
    "x*",
    "CRIT|LOW",
    "^URGENT$",
    "😀+",
    "日.",
    "cpu \\d\\d%",
    "(?:ab){2}",
    "a\\nb",
  ];
  const field = () =>
    pick([
      "title",
      "body",
      "priority",
      "eventKey",
      "detail",
      "url",
      "sender",
      "data.a",
      "data.b",
      "data.a.b",
      "data.a.b.c",
      "data.c",
      "data.constructor",
      "data.toString",
      "data.b.__proto__",
      "data.c.a",
    ]);
  const value: Record<string, () => unknown> = {
    equals: scalar,
    not_equals: scalar,
    one_of: () => makeSome(random() < 0.2 ? 20 : 4, scalar),
    not_one_of: () => makeSome(random() < 0.2 ? 20 : 4, scalar),
    contains: needle,
    starts_with: needle,
    ends_with: needle,
    greater_than: numberLike,
    greater_than_or_equal: numberLike,
    less_than: numberLike,
    less_than_or_equal: numberLike,
    between: () => [numberLike(), numberLike()],
    is_empty: () => undefined,
    is_not_empty: () => undefined,
    matches_regex: () => pick(patterns),
  };
  const operators = Object.keys(value);
  const priorityFor = (operator: string): unknown => {
    if (operator === "between") return [pick(priorities), pick(priorities)];
    return /equal|than/.test(operator) ? pick(priorities) : value[operator]!();
  };
  const condition = (): OracleCondition => {
    const operator = pick(operators);
    const onPriority = random() < 0.1;
    const made = onPriority && random() < 0.7 ? priorityFor(operator) : value[operator]!();
    return {
      field: onPriority ? "priority" : field(),
      operator,
      ...(made === undefined ? {} : { value: made }),
      ...(random() < 0.25 ? { not: random() < 0.8 } : {}),
      ...(random() < 0.3 ? { ignoreCase: random() < 0.8 } : {}),
    };
  };
  /** The maximum numbers of rules in most sets: up to 8 rules are tested one by one, and up to 60 are found by an index. */
  const sizes = [8, 60];
  const rule = (_: unknown, index: number): OracleRule => ({
    id: `rule_${index}`,
    eventKey: pick(["*", "*", "booking.*", "payment.*", ...eventKeys]),
    ...(random() < 0.95 ? { conditions: Array.from({ length: randomBelow(4) }, condition) } : {}),
    ...(random() < 0.5 ? { conditionMatch: random() < 0.5 ? "all" : "any" } : {}),
    ...(random() < 0.3 ? { enabled: random() < 0.7 } : {}),
  });
  return {
    rules: (count = 1 + randomBelow(random() < 0.01 ? 600 : pick(sizes))): OracleRule[] =>
      Array.from({ length: count }, rule),
    event,
  };
};
