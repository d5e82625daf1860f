import type { MatchableEvent, MatchableRule } from "../core/domain/rules/matching/index.ts";

/** The random choices that workloads are made with. */
export type Draw = {
  random: () => number;
  /** A whole number from 0 to below the limit. */
  below: (limit: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  /** A word of the vocabulary, with Zipf's frequencies. */
  word: () => string;
  /** Any word of the vocabulary. */
  rareWord: () => string;
};

type Condition = NonNullable<MatchableRule["conditions"]>[number];
type Make = () => Condition;

/** The values of a field of `data`, and the conditions that rules put on it. */
type FieldKind = { name: string; value: () => unknown; asks: readonly Make[] };

const FIELDS_MIN = 5;
const FIELDS_MAX = 12;

/** The number of rules in a hundred that have none, one, two, three and four conditions. */
const CONDITION_COUNTS = [2, 18, 35, 27, 18];

const NAMES = {
  identifiers: ["order_id", "user", "host", "pod", "build", "invoice", "session", "device"],
  choices: ["env", "region", "tier", "plan", "channel", "method", "browser", "currency", "queue", "shard"],
  numbers: ["amount", "latency_ms", "retries", "cpu", "memory", "disk", "items", "age", "score", "depth"],
  flags: ["paid", "urgent", "manual", "test"],
  nested: ["http", "customer", "job", "db"],
  texts: ["message", "reason", "note", "stack"],
};

/**
 * Events of an application that logs everything: 5 to 12 of 40 fields, different ones each time, so that no two objects have
 * the same shape; texts of 6 to 60 words; rules of 0 to 4 conditions, a third of them on texts.
 */
export const mixed = (draw: Draw, keyOf: () => string, patternOf: () => string) => {
  const { random, below, pick, word, rareWord } = draw;
  const words = (count: number): string => Array.from({ length: count }, word).join(" ");
  const one = (field: string, operator: Condition["operator"], value?: Condition["value"]): Condition =>
    value === undefined ? { field, operator } : { field, operator, value };

  const identifier = (name: string, index: number): FieldKind => {
    const make = (): string => `${name}-${below(100 * (index + 1) ** 2)}`;
    const field = `data.${name}`;
    return {
      name,
      value: make,
      asks: [
        () => one(field, "equals", make()),
        () => one(field, "equals", make()),
        () => one(field, "one_of", Array.from({ length: 5 }, make)),
        () => one(field, "starts_with", make().slice(0, -1)),
        () => one(field, "is_not_empty"),
      ],
    };
  };
  const choice = (name: string, index: number): FieldKind => {
    const make = (): string => `${name}_${below(2 * index + 4)}`;
    const field = `data.${name}`;
    return {
      name,
      value: make,
      asks: [
        () => one(field, "equals", make()),
        () => one(field, "equals", make()),
        () => one(field, "equals", make()),
        () => one(field, "equals", make()),
        () => one(field, "one_of", [make(), make()]),
        () => (random() < 0.5 ? one(field, "not_equals", make()) : one(field, "not_one_of", [make(), make()])),
      ],
    };
  };
  const number = (name: string, index: number): FieldKind => {
    const most = 10 ** (1 + (index % 4));
    const make = (): number => Math.round(random() * most * 100) / 100;
    const field = `data.${name}`;
    return {
      name,
      value: make,
      asks: [
        // Rules notify about unusual values, so thresholds are near the ends of the range.
        () => one(field, "greater_than", most - make() / 4),
        () => one(field, "greater_than_or_equal", most - make() / 4),
        () => one(field, "less_than", make() / 4),
        () => one(field, "less_than_or_equal", make() / 4),
        () => {
          const low = make();
          return one(field, "between", [low, low + most / 20]);
        },
      ],
    };
  };
  const flag = (name: string): FieldKind => {
    const make = (): string => pick(["yes", "no"]);
    return { name, value: make, asks: [() => one(`data.${name}`, "equals", make())] };
  };
  const nested = (name: string): FieldKind => {
    const kind = (): string => `${name}-${below(20)}`;
    const code = (): number => 100 + below(500);
    return {
      name,
      value: () => ({ kind: kind(), status: { code: code() } }),
      asks: [
        () => one(`data.${name}.kind`, "equals", kind()),
        () => one(`data.${name}.status.code`, "equals", code()),
        () => one(`data.${name}.status.code`, "greater_than_or_equal", code()),
        () => one(`data.${name}.kind`, "is_empty"),
      ],
    };
  };
  // Rules search for rare words as often as for common ones.
  const asksOfText = (field: string): Make[] => [
    () => one(field, "contains", rareWord()),
    () => one(field, "contains", `${rareWord()} ${word()}`),
    () => one(field, "starts_with", rareWord()),
    () => one(field, "ends_with", rareWord()),
    () => one(field, "matches_regex", pick([() => `${rareWord()} \\w+ ${word()}`, () => `(?i)\\b${rareWord()}\\b`])()),
  ];
  const text = (name: string): FieldKind => ({
    name,
    value: () => words(6 + below(20)),
    asks: asksOfText(`data.${name}`),
  });

  const texts = NAMES.texts.map(text);
  const others = [
    ...NAMES.identifiers.map(identifier),
    ...NAMES.choices.map(choice),
    ...NAMES.numbers.map(number),
    ...NAMES.flags.map(flag),
    ...NAMES.nested.map(nested),
  ];
  const fields = [...others, ...texts];
  const textAsks = [...texts.map(({ asks }) => asks), asksOfText("title"), asksOfText("body"), asksOfText("body")];
  const priorityAsks: Make[] = [
    () => one("priority", "equals", pick(["HIGH", "URGENT"])),
    () => one("priority", "one_of", ["HIGH", "CRITICAL"]),
  ];
  const otherAsks = [...others.map(({ asks }) => asks), priorityAsks];

  const data = (): Record<string, unknown> => {
    const left = [...fields];
    const count = FIELDS_MIN + below(FIELDS_MAX - FIELDS_MIN + 1);
    const chosen = Array.from({ length: count }, () => left.splice(below(left.length), 1)).flat();
    return Object.fromEntries(chosen.map(({ name, value }) => [name, value()]));
  };
  const event = (): MatchableEvent => ({
    eventKey: keyOf(),
    title: words(6 + below(8)),
    body: words(6 + below(55)),
    priority: pick(["LOW", "NORMAL", "NORMAL", "NORMAL", "HIGH", "URGENT"]),
    data: data(),
  });

  const conditionCount = (): number => {
    let share = below(100);
    return CONDITION_COUNTS.findIndex((weight) => (share -= weight) < 0);
  };
  const condition = (): Condition => pick(pick(random() < 1 / 3 ? textAsks : otherAsks))();
  const rule = (_: unknown, index: number): MatchableRule => ({
    id: `rule_${index}`,
    eventKey: patternOf(),
    conditions: Array.from({ length: conditionCount() }, condition),
    conditionMatch: random() < 0.1 ? "any" : "all",
    enabled: true,
  });
  return { event, rule };
};
