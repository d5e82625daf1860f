import type { MatchableEvent, MatchableRule } from "../core/domain/rules/matching/index.ts";
import { createRandom } from "../tools/random.ts";
import { generateMixedWorkload } from "./matching-mixed.ts";

type Condition = NonNullable<MatchableRule["conditions"]>[number];

export const workloads = {
  core: "all operators but `matches_regex`; `contains` only on titles; key patterns 70 % exact, 20 % prefix, 10 % `*`",
  mixed: "events with 5 to 12 of 40 fields, texts of 6 to 60 words; rules with 0 to 4 conditions, a third on texts",
  all: "the fifteen operators in equal shares, texts up to 2,000 characters",
  star: "as core, every rule on `*`",
  hot: "as core, every rule and every event on one key",
} as const;
export type Workload = keyof typeof workloads;

const KEYS = 200;
const ACTIONS = 5;
const eventKeys = Array.from({ length: KEYS }, (_, index) => {
  const resource = `resource_${Math.floor(index / ACTIONS)}`;
  const action = ["created", "updated", "deleted", "failed", "expired"][index % ACTIONS] ?? "created";
  return `${resource}.${action}`;
});

/** 600 words, most common first. */
const words = (() => {
  const random = createRandom(600);
  const syllables = "ba co de fi ga hu jo ka le mi no pu ra so tu ve wi xa yo ze".split(" ");
  const drawSyllable = (): string => syllables[Math.floor(random() * syllables.length)] ?? "";
  return Array.from({ length: 600 }, () => Array.from({ length: random() < 0.5 ? 2 : 3 }, drawSyllable).join(""));
})();

export type Generator = { rules: MatchableRule[]; events: MatchableEvent[] };

/** Generates rules and events of a workload; the same seed gives the same rules and events. `count`: the number of rules. */
export const drawWorkload = (workload: Workload, count: number, eventCount: number, seed = 20_261_121): Generator => {
  const random = createRandom(seed + count);
  const drawBelow = (limit: number): number => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[drawBelow(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  /** Draws an index by Zipf's law: the frequency of the k-th index is proportional to 1/k. */
  const drawZipfIndex = (size: number): number =>
    Math.min(size - 1, Math.floor(Math.exp(random() * Math.log(size + 1))) - 1);
  const drawWord = (): string => words[drawZipfIndex(words.length)] ?? "";
  const drawSentence = (length: number): string => {
    let text = `${pick(words)} ${drawBelow(100)}`;
    // A few words make up most of a text.
    while (text.length < length) text += ` ${drawWord()}`;
    return text.slice(0, length).trimEnd();
  };

  const fields = {
    customer: () => `cus_${drawBelow(2_000)}`,
    host: () => `host-${drawBelow(400)}.eu.example`,
    service: () => `svc-${drawBelow(60)}`,
    region: () => `region-${drawBelow(12)}`,
    env: () => pick(["production", "production", "staging", "test"]),
    code: () => (random() < 0.8 ? drawBelow(100) : String(drawBelow(100))),
    amount: () => Math.round(random() * 1_000_000) / 100,
    latency: () => drawBelow(5_000),
    tier: () => pick(["free", "team", "business", "enterprise"]),
    depth: () => drawBelow(1_000),
  };

  const drawEvent = (): MatchableEvent => ({
    eventKey: eventKeys[workload === "hot" ? 0 : drawZipfIndex(KEYS)] ?? "",
    title: drawSentence(30 + drawBelow(40)),
    body: drawSentence(workload === "all" ? 200 + drawBelow(1_800) : 80 + drawBelow(120)),
    priority: pick(["LOW", "NORMAL", "NORMAL", "NORMAL", "HIGH", "URGENT"]),
    data: {
      customer: fields.customer(),
      host: fields.host(),
      service: fields.service(),
      region: fields.region(),
      env: fields.env(),
      code: fields.code(),
      amount: fields.amount(),
      latency_ms: fields.latency(),
      account: { tier: fields.tier(), queue: { depth: fields.depth() } },
      ...(random() < 0.3 ? { note: drawSentence(40) } : {}),
    },
  });

  /** Conditions that few events meet. */
  const narrow: Record<string, () => Condition> = {
    equals: () =>
      pick<() => Condition>([
        () => ({ field: "data.service", operator: "equals", value: fields.service() }),
        () => ({ field: "data.host", operator: "equals", value: fields.host() }),
        () => ({ field: "data.code", operator: "equals", value: drawBelow(100) }),
        () => ({ field: "data.region", operator: "equals", value: fields.region() }),
      ])(),
    one_of: () =>
      pick<() => Condition>([
        () => ({
          field: "data.service",
          operator: "one_of",
          value: [fields.service(), fields.service(), fields.service()],
        }),
        () => ({ field: "data.customer", operator: "one_of", value: Array.from({ length: 10 }, fields.customer) }),
      ])(),
    between: () => {
      const low = drawBelow(4_600);
      return { field: "data.latency_ms", operator: "between", value: [low, low + 400] };
    },
    starts_with: () => ({ field: "data.host", operator: "starts_with", value: `host-${10 + drawBelow(30)}` }),
    ends_with: () => ({ field: "title", operator: "ends_with", value: ` ${drawWord()}` }),
    contains: () => ({ field: "title", operator: "contains", value: drawWord() }),
  };
  /** Conditions that many events meet. */
  const broad: Record<string, () => Condition> = {
    not_equals: () => ({ field: "data.env", operator: "not_equals", value: "test" }),
    not_one_of: () => ({ field: "data.region", operator: "not_one_of", value: [fields.region(), fields.region()] }),
    greater_than: () => ({ field: "data.amount", operator: "greater_than", value: drawBelow(5_000) }),
    greater_than_or_equal: () => ({
      field: "data.account.queue.depth",
      operator: "greater_than_or_equal",
      value: drawBelow(500),
    }),
    less_than: () => ({ field: "data.amount", operator: "less_than", value: 5_000 + drawBelow(5_000) }),
    less_than_or_equal: () => ({
      field: "data.latency_ms",
      operator: "less_than_or_equal",
      value: 2_500 + drawBelow(2_500),
    }),
    is_empty: () => ({ field: "data.note", operator: "is_empty" }),
    is_not_empty: () => ({ field: "data.customer", operator: "is_not_empty" }),
    equals: () => ({ field: "data.env", operator: "equals", value: "production" }),
    one_of: () => ({ field: "priority", operator: "one_of", value: ["HIGH", "CRITICAL", "NORMAL"] }),
  };
  /** The most expensive conditions: searches and patterns on bodies of up to 2,000 characters. */
  const extreme: Record<string, () => Condition> = {
    contains: () => ({ field: "body", operator: "contains", value: `${pick(words)} ${drawWord()}` }),
    matches_regex: () => ({
      field: pick(["title", "body"]),
      operator: "matches_regex",
      value: pick([
        () => `${pick(words)} \\d+ ${pick(words)}`,
        () => `(?i)${pick(words)} (${pick(words)}|${pick(words)})`,
        () => `^${pick(words)}\\s\\d{2} .*${pick(words)}$`,
        () => `\\b${pick(words)} ${pick(words)}\\b`,
      ])(),
    }),
  };

  const equality = [narrow["equals"], narrow["one_of"]];
  const narrowOnes = [...equality, ...equality, ...Object.values(narrow)].filter((make) => make !== undefined);
  const broadOnes = Object.values(broad);
  const everything = Object.values({ ...broad, ...narrow, ...extreme });
  const drawConditions = (count: number, generators: readonly (() => Condition)[]): Condition[] =>
    Array.from({ length: count }, () => pick(generators)());

  /** Draws three `narrow` conditions if any one of them is enough, or else one `narrow` and up to two `broad` conditions. */
  const drawRuleConditions = (isAnyEnough: boolean): Condition[] => {
    if (workload === "all") return drawConditions(isAnyEnough ? 2 : 1 + drawBelow(4), everything);
    return isAnyEnough
      ? drawConditions(3, narrowOnes)
      : [...drawConditions(1, narrowOnes), ...drawConditions(drawBelow(3), broadOnes)];
  };

  const drawPattern = (): string => {
    if (workload === "star") return "*";
    if (workload === "hot") return eventKeys[0] ?? "";
    const share = random();
    const key = eventKeys[drawZipfIndex(KEYS)] ?? "";
    if (share < 0.7) return key;
    return share < 0.9 ? `${key.split(".")[0]}.*` : "*";
  };

  if (workload === "mixed") {
    const make = generateMixedWorkload(
      { random, below: drawBelow, pick, word: drawWord, rareWord: () => pick(words) },
      () => eventKeys[drawZipfIndex(KEYS)] ?? "",
      drawPattern,
    );
    return { rules: Array.from({ length: count }, make.rule), events: Array.from({ length: eventCount }, make.event) };
  }

  const drawRule = (_: unknown, index: number): MatchableRule => {
    const any = random() < 0.1;
    return {
      id: `rule_${index}`,
      eventKey: drawPattern(),
      conditions: drawRuleConditions(any),
      conditionMatch: any ? "any" : "all",
      enabled: true,
    };
  };
  return { rules: Array.from({ length: count }, drawRule), events: Array.from({ length: eventCount }, drawEvent) };
};
