import type { MatchableEvent, MatchableRule } from "../core/domain/rules/matching/index.ts";

export type RandomDraws = {
  random: () => number;
  /** Returns a random whole number from 0 to below the limit. */
  below: (limit: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  /** Draws common words more often, by Zipf's law. */
  word: () => string;
  rareWord: () => string;
};

type Condition = NonNullable<MatchableRule["conditions"]>[number];
type MakeCondition = () => Condition;

/** A field of `data`, with functions that generate its values and conditions. */
type FieldKind = { name: string; value: () => unknown; asks: readonly MakeCondition[] };

const FIELDS_MIN = 5;
const FIELDS_MAX = 12;

/** How many rules of a hundred have 0, 1, 2, 3 and 4 conditions. */
const RULES_BY_CONDITION_COUNT = [2, 18, 35, 27, 18];

const NAMES = {
  identifiers: ["order_id", "user", "host", "pod", "build", "invoice", "session", "device"],
  choices: ["env", "region", "tier", "plan", "channel", "method", "browser", "currency", "queue", "shard"],
  numbers: ["amount", "latency_ms", "retries", "cpu", "memory", "disk", "items", "age", "score", "depth"],
  flags: ["paid", "urgent", "manual", "test"],
  nested: ["http", "customer", "job", "db"],
  texts: ["message", "reason", "note", "stack"],
};

/** Returns functions that draw a rule and an event. Events are like logs: each has 5 to 12 of 40 fields, some with long texts. */
export const generateMixedWorkload = (draw: RandomDraws, drawKey: () => string, drawPattern: () => string) => {
  const { random, below, pick, word, rareWord } = draw;
  const drawWords = (count: number): string => Array.from({ length: count }, word).join(" ");
  const toCondition = (field: string, operator: Condition["operator"], value?: Condition["value"]): Condition =>
    value === undefined ? { field, operator } : { field, operator, value };

  const createIdentifierField = (name: string, index: number): FieldKind => {
    const drawValue = (): string => `${name}-${below(100 * (index + 1) ** 2)}`;
    const field = `data.${name}`;
    return {
      name,
      value: drawValue,
      asks: [
        () => toCondition(field, "equals", drawValue()),
        () => toCondition(field, "equals", drawValue()),
        () => toCondition(field, "one_of", Array.from({ length: 5 }, drawValue)),
        () => toCondition(field, "starts_with", drawValue().slice(0, -1)),
        () => toCondition(field, "is_not_empty"),
      ],
    };
  };
  const createChoiceField = (name: string, index: number): FieldKind => {
    const drawValue = (): string => `${name}_${below(2 * index + 4)}`;
    const field = `data.${name}`;
    return {
      name,
      value: drawValue,
      asks: [
        () => toCondition(field, "equals", drawValue()),
        () => toCondition(field, "equals", drawValue()),
        () => toCondition(field, "equals", drawValue()),
        () => toCondition(field, "equals", drawValue()),
        () => toCondition(field, "one_of", [drawValue(), drawValue()]),
        () =>
          random() < 0.5
            ? toCondition(field, "not_equals", drawValue())
            : toCondition(field, "not_one_of", [drawValue(), drawValue()]),
      ],
    };
  };
  const createNumberField = (name: string, index: number): FieldKind => {
    const most = 10 ** (1 + (index % 4));
    const drawValue = (): number => Math.round(random() * most * 100) / 100;
    const field = `data.${name}`;
    return {
      name,
      value: drawValue,
      asks: [
        // Thresholds are near the ends of the range, because rules match unusual values.
        () => toCondition(field, "greater_than", most - drawValue() / 4),
        () => toCondition(field, "greater_than_or_equal", most - drawValue() / 4),
        () => toCondition(field, "less_than", drawValue() / 4),
        () => toCondition(field, "less_than_or_equal", drawValue() / 4),
        () => {
          const low = drawValue();
          return toCondition(field, "between", [low, low + most / 20]);
        },
      ],
    };
  };
  const createFlagField = (name: string): FieldKind => {
    const drawValue = (): string => pick(["yes", "no"]);
    return { name, value: drawValue, asks: [() => toCondition(`data.${name}`, "equals", drawValue())] };
  };
  const createNestedField = (name: string): FieldKind => {
    const drawKind = (): string => `${name}-${below(20)}`;
    const drawCode = (): number => 100 + below(500);
    return {
      name,
      value: () => ({ kind: drawKind(), status: { code: drawCode() } }),
      asks: [
        () => toCondition(`data.${name}.kind`, "equals", drawKind()),
        () => toCondition(`data.${name}.status.code`, "equals", drawCode()),
        () => toCondition(`data.${name}.status.code`, "greater_than_or_equal", drawCode()),
        () => toCondition(`data.${name}.kind`, "is_empty"),
      ],
    };
  };
  // Lists generators of conditions that search a text field for words. `rareWord` draws all words equally often.
  const listTextConditions = (field: string): MakeCondition[] => [
    () => toCondition(field, "contains", rareWord()),
    () => toCondition(field, "contains", `${rareWord()} ${word()}`),
    () => toCondition(field, "starts_with", rareWord()),
    () => toCondition(field, "ends_with", rareWord()),
    () =>
      toCondition(
        field,
        "matches_regex",
        pick([() => `${rareWord()} \\w+ ${word()}`, () => `(?i)\\b${rareWord()}\\b`])(),
      ),
  ];
  const createTextField = (name: string): FieldKind => ({
    name,
    value: () => drawWords(6 + below(20)),
    asks: listTextConditions(`data.${name}`),
  });

  const texts = NAMES.texts.map(createTextField);
  const others = [
    ...NAMES.identifiers.map(createIdentifierField),
    ...NAMES.choices.map(createChoiceField),
    ...NAMES.numbers.map(createNumberField),
    ...NAMES.flags.map(createFlagField),
    ...NAMES.nested.map(createNestedField),
  ];
  const fields = [...others, ...texts];
  const textAsks = [
    ...texts.map(({ asks }) => asks),
    listTextConditions("title"),
    listTextConditions("body"),
    listTextConditions("body"),
  ];
  const priorityAsks: MakeCondition[] = [
    () => toCondition("priority", "equals", pick(["HIGH", "URGENT"])),
    () => toCondition("priority", "one_of", ["HIGH", "CRITICAL"]),
  ];
  const otherAsks = [...others.map(({ asks }) => asks), priorityAsks];

  const drawData = (): Record<string, unknown> => {
    const left = [...fields];
    const count = FIELDS_MIN + below(FIELDS_MAX - FIELDS_MIN + 1);
    const chosen = Array.from({ length: count }, () => left.splice(below(left.length), 1)).flat();
    return Object.fromEntries(chosen.map(({ name, value }) => [name, value()]));
  };
  const drawEvent = (): MatchableEvent => ({
    eventKey: drawKey(),
    title: drawWords(6 + below(8)),
    body: drawWords(6 + below(55)),
    priority: pick(["LOW", "NORMAL", "NORMAL", "NORMAL", "HIGH", "URGENT"]),
    data: drawData(),
  });

  const drawConditionCount = (): number => {
    let share = below(100);
    return RULES_BY_CONDITION_COUNT.findIndex((weight) => (share -= weight) < 0);
  };
  const drawCondition = (): Condition => pick(pick(random() < 1 / 3 ? textAsks : otherAsks))();
  const drawRule = (_: unknown, index: number): MatchableRule => ({
    id: `rule_${index}`,
    eventKey: drawPattern(),
    conditions: Array.from({ length: drawConditionCount() }, drawCondition),
    conditionMatch: random() < 0.1 ? "any" : "all",
    enabled: true,
  });
  return { event: drawEvent, rule: drawRule };
};
