import { guard } from "@ucast/mongo2js";
import { LogicEngine } from "json-logic-engine";
import { Engine, type NestedCondition, type TopLevelCondition } from "json-rules-engine";
import { Query } from "mingo";
import { default as sift } from "sift";
import { compileRules, type MatchableEvent, type MatchableRule } from "../core/domain/rules/matching/index.ts";
import { naiveLoop } from "./matching-naive.ts";

type Condition = NonNullable<MatchableRule["conditions"]>[number];
type Match = (event: MatchableEvent) => string[] | Promise<string[]>;
export type Contestant = { name: string; compile(rules: readonly MatchableRule[]): Match; mostRules: number };

const enabledOnly = (rules: readonly MatchableRule[]) => rules.filter((rule) => rule.enabled !== false);
const escape = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/gu, "\\$&");

/** A pattern for native regular expressions, which have no inline flags. */
const nativePattern = (pattern: string): RegExp =>
  pattern.startsWith("(?i)") ? new RegExp(pattern.slice("(?i)".length), "iu") : new RegExp(pattern, "u");

/** Numbers come as numbers and as texts, and CRITICAL means URGENT: strict engines are given every spelling. */
type Scalar = string | number | boolean;
const spellings = (value: Condition["value"]): Scalar[] => {
  const list = typeof value === "object" ? [...value] : value === undefined ? [] : [value];
  return list.flatMap((item): Scalar[] => {
    if (item === "CRITICAL") return ["URGENT"];
    return typeof item === "number" ? [item, String(item)] : [item];
  });
};

const bounds = (value: Condition["value"]): unknown[] => (typeof value === "object" ? [...value] : []);

// --- Filters in MongoDB's language: mingo, sift, ucast ---

type Filter = Record<string, unknown>;

const mongoCondition = ({ field, operator, value }: Condition): Filter => {
  switch (operator) {
    case "equals":
    case "one_of":
      return { [field]: { $in: spellings(value) } };
    case "not_equals":
    case "not_one_of":
      return { [field]: { $nin: spellings(value) } };
    case "contains":
      return { [field]: { $regex: new RegExp(escape(String(value)), "u") } };
    case "starts_with":
      return { [field]: { $regex: new RegExp(`^${escape(String(value))}`, "u") } };
    case "ends_with":
      return { [field]: { $regex: new RegExp(`${escape(String(value))}$`, "u") } };
    case "greater_than":
      return { [field]: { $gt: value } };
    case "greater_than_or_equal":
      return { [field]: { $gte: value } };
    case "less_than":
      return { [field]: { $lt: value } };
    case "less_than_or_equal":
      return { [field]: { $lte: value } };
    case "between":
      return { [field]: { $gte: bounds(value)[0], $lte: bounds(value)[1] } };
    case "is_empty":
      return { $or: [{ [field]: { $exists: false } }, { [field]: "" }] };
    case "is_not_empty":
      return { $and: [{ [field]: { $exists: true } }, { [field]: { $ne: "" } }] };
    case "matches_regex":
      return { [field]: { $regex: nativePattern(String(value)) } };
  }
};

const mongoKey = (pattern: string): Filter[] => {
  if (pattern === "*") return [];
  return [
    { eventKey: pattern.endsWith(".*") ? { $regex: new RegExp(`^${escape(pattern.slice(0, -1))}`, "u") } : pattern },
  ];
};

const mongoFilter = (rule: MatchableRule): Filter => {
  const conditions = (rule.conditions ?? []).map(mongoCondition);
  const together = rule.conditionMatch === "any" ? [{ $or: conditions }] : conditions;
  return { $and: [...mongoKey(rule.eventKey), ...together] };
};

const mongoLike = (name: string, test: (filter: Filter) => (event: MatchableEvent) => boolean): Contestant => ({
  name,
  mostRules: 100_000,
  compile: (rules) => {
    const tests = enabledOnly(rules).map((rule) => ({ id: rule.id, test: test(mongoFilter(rule)) }));
    return (event) => tests.filter(({ test }) => test(event)).map(({ id }) => id);
  },
});

// --- JSON Logic ---

const logicCondition = ({ field, operator, value }: Condition): unknown => {
  const found = { var: field };
  switch (operator) {
    case "equals":
    case "one_of":
      return { in: [found, spellings(value)] };
    case "not_equals":
    case "not_one_of":
      return { "!": [{ in: [found, spellings(value)] }] };
    case "contains":
      return { in: [value, found] };
    case "starts_with":
    case "ends_with":
      return { [operator]: [found, value] };
    case "greater_than":
      return { ">": [found, value] };
    case "greater_than_or_equal":
      return { ">=": [found, value] };
    case "less_than":
      return { "<": [found, value] };
    case "less_than_or_equal":
      return { "<=": [found, value] };
    case "between":
      return { "<=": [bounds(value)[0], found, bounds(value)[1]] };
    case "is_empty":
      return { in: [found, [null, ""]] };
    case "is_not_empty":
      return { "!": [{ in: [found, [null, ""]] }] };
    case "matches_regex":
      return { matches_regex: [found, value] };
  }
};

const logicKey = (pattern: string): unknown[] => {
  if (pattern === "*") return [];
  if (pattern.endsWith(".*")) return [{ starts_with: [{ var: "eventKey" }, pattern.slice(0, -1)] }];
  return [{ "===": [{ var: "eventKey" }, pattern] }];
};

const jsonLogic: Contestant = {
  name: "json-logic-engine, built",
  mostRules: 100_000,
  compile: (rules) => {
    const engine = new LogicEngine();
    const patterns = new Map<string, RegExp>();
    const patternOf = (source: string): RegExp => {
      const known = patterns.get(source) ?? nativePattern(source);
      patterns.set(source, known);
      return known;
    };
    engine.addMethod(
      "starts_with",
      ([text, start]: [unknown, string]) => typeof text === "string" && text.startsWith(start),
    );
    engine.addMethod("ends_with", ([text, end]: [unknown, string]) => typeof text === "string" && text.endsWith(end));
    engine.addMethod(
      "matches_regex",
      ([text, source]: [unknown, string]) => typeof text === "string" && patternOf(source).test(text),
    );
    const tests = enabledOnly(rules).map((rule) => {
      const conditions = (rule.conditions ?? []).map(logicCondition);
      const together = rule.conditionMatch === "any" ? [{ or: conditions }] : conditions;
      return { id: rule.id, test: engine.build({ and: [...logicKey(rule.eventKey), ...together, true] }) };
    });
    return (event) => tests.filter(({ test }) => Boolean(test(event))).map(({ id }) => id);
  },
};

// --- json-rules-engine ---

const jsonRulesCondition = ({ field, operator, value }: Condition): NestedCondition => {
  const [fact = "", ...path] = field.split(".");
  return {
    fact,
    operator,
    value: operator === "equals" || operator.endsWith("one_of") || operator === "not_equals" ? spellings(value) : value,
    ...(path.length === 0 ? {} : { path: `$.${path.join(".")}` }),
  };
};

const jsonRules: Contestant = {
  name: "json-rules-engine",
  mostRules: 10_000,
  compile: (rules) => {
    const engine = new Engine([], { allowUndefinedFacts: true });
    const isText = (found: unknown): found is string => typeof found === "string";
    for (const name of ["equals", "one_of"])
      engine.addOperator(name, (found: unknown, list: unknown[]) => list.includes(found));
    for (const name of ["not_equals", "not_one_of"])
      engine.addOperator(name, (found: unknown, list: unknown[]) => !list.includes(found));
    engine.addOperator("contains", (found: unknown, text: string) => isText(found) && found.includes(text));
    engine.addOperator("starts_with", (found: unknown, text: string) => isText(found) && found.startsWith(text));
    engine.addOperator("ends_with", (found: unknown, text: string) => isText(found) && found.endsWith(text));
    engine.addOperator("greater_than", (found: number, bound: number) => found > bound);
    engine.addOperator("greater_than_or_equal", (found: number, bound: number) => found >= bound);
    engine.addOperator("less_than", (found: number, bound: number) => found < bound);
    engine.addOperator("less_than_or_equal", (found: number, bound: number) => found <= bound);
    engine.addOperator("between", (found: number, [low = 0, high = 0]: number[]) => found >= low && found <= high);
    engine.addOperator("is_empty", (found: unknown) => found === undefined || found === null || found === "");
    engine.addOperator("is_not_empty", (found: unknown) => found !== undefined && found !== null && found !== "");
    engine.addOperator(
      "matches_regex",
      (found: unknown, source: string) => isText(found) && nativePattern(source).test(found),
    );
    engine.addOperator("key", (found: string, pattern: string) =>
      pattern.endsWith("*") ? found.startsWith(pattern.slice(0, -1)) : found === pattern,
    );
    for (const rule of enabledOnly(rules)) {
      const conditions = (rule.conditions ?? []).map(jsonRulesCondition);
      const together: TopLevelCondition = rule.conditionMatch === "any" ? { any: conditions } : { all: conditions };
      const key: NestedCondition = { fact: "eventKey", operator: "key", value: rule.eventKey, priority: 10 };
      engine.addRule({ conditions: { all: [key, together] }, event: { type: rule.id } });
    }
    return async (event) => (await engine.run({ ...event })).events.map(({ type }) => type);
  },
};

export const naive: Contestant = { name: "naive loop", compile: naiveLoop, mostRules: 100_000 };
export const ours: Contestant = { name: "this engine", compile: compileRules, mostRules: 100_000 };

export const rivals: readonly Contestant[] = [
  jsonLogic,
  mongoLike("@ucast/mongo2js", (filter) => {
    const test = guard(filter);
    return (event) => test({ ...event });
  }),
  mongoLike("mingo", (filter) => {
    const query = new Query(filter);
    return (event) => query.test(event);
  }),
  mongoLike("sift", (filter) => sift.default(filter)),
  jsonRules,
];
