import type { Item, Value } from "./item.ts";

/*
 * dynalite parses the expressions of every request, which takes most of a request's time. The service has only a few dozen
 * expressions. This file parses each expression once per set of names and types of values.
 */

type ParserContext = {
  attrNames?: Record<string, string> | undefined;
  attrVals?: Item | undefined;
  unusedAttrNames: Record<string, true>;
  unusedAttrVals: Record<string, true>;
  isKeyCondition?: boolean;
  compare: (operator: "GT", one: Value, other: Value) => boolean;
};
export type Parser = { parse: (text: string, options: { context: ParserContext }) => unknown };

type Parsed = { parsed: object; names: readonly string[]; values: readonly string[]; placeOf: Map<unknown, string> };

const EXPRESSIONS_MAX = 2000;

const getValueType = (value: Value | undefined): string => Object.keys(value ?? {}).join();

const isNode = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Changes a parser so that it parses each expression once per set of names and types of values. */
export const cacheParsed = (parser: Parser): void => {
  const { parse } = parser;
  const known = new Map<string, Parsed>();

  const parseAndCache = (key: string, text: string, context: ParserContext): unknown => {
    const { unusedAttrNames, unusedAttrVals, attrVals = {} } = context;
    const [names, values] = [Object.keys(unusedAttrNames), Object.keys(unusedAttrVals)];
    const parsed = parse(text, { context });
    // For an invalid expression, the parser returns a text, which is not cached, because the fault may depend on values.
    if (!isNode(parsed)) return parsed;
    if (known.size >= EXPRESSIONS_MAX) known.clear();
    const nameOf = new Map(Object.entries(attrVals).map(([name, value]) => [value, name]));
    known.set(key, {
      parsed,
      names: names.filter((name) => !(name in unusedAttrNames)),
      values: values.filter((name) => !(name in unusedAttrVals)),
      placeOf: nameOf,
    });
    // Returns a copy, because the caller may change the result.
    return fillExpression(known.get(key)?.parsed, nameOf, attrVals);
  };

  parser.parse = (text, { context }) => {
    const { attrNames, attrVals = {}, isKeyCondition } = context;
    const types = Object.entries(attrVals).map(([name, value]) => `${name} ${getValueType(value)}`);
    const key = JSON.stringify([text, attrNames, types, isKeyCondition]);
    const found = known.get(key);
    if (found === undefined) return parseAndCache(key, text, context);
    const parsed = fillExpression(found.parsed, found.placeOf, attrVals);
    // A `between` with reversed bounds is parsed again, because the parser must refuse it.
    if (hasReversedBounds(parsed, context.compare)) return parse(text, { context });
    for (const name of found.names) delete context.unusedAttrNames[name];
    for (const name of found.values) delete context.unusedAttrVals[name];
    return parsed;
  };
};

/** Returns a copy of a parsed expression with `values`. `nameByNode`: the placeholder, such as `:a`, of each value's node. */
const fillExpression = (node: unknown, nameByNode: ReadonlyMap<unknown, string>, values: Item): unknown => {
  if (!isNode(node)) return node;
  const name = nameByNode.get(node);
  if (name !== undefined) return values[name];
  if (Array.isArray(node)) return node.map((one) => fillExpression(one, nameByNode, values));
  // A node without a prototype is a list of attributes, which is not copied, because no caller changes it.
  if (Object.getPrototypeOf(node) === null) return node;
  const copy: Record<string, unknown> = {};
  for (const name in node) copy[name] = fillExpression(node[name], nameByNode, values);
  return copy;
};

const isValue = (node: unknown): node is Value => isNode(node) && !Array.isArray(node) && !("type" in node);

/** Returns whether a parsed expression contains a `between` whose lower bound is above its upper bound. */
const hasReversedBounds = (node: unknown, compare: ParserContext["compare"]): boolean => {
  if (!isNode(node)) return false;
  const [, low, high] = node["type"] === "between" && Array.isArray(node["args"]) ? (node["args"] as unknown[]) : [];
  if (isValue(low) && isValue(high)) return compare("GT", low, high);
  const inner = node["expression"] === undefined ? node["args"] : [node["expression"]];
  return Array.isArray(inner) && inner.some((one) => hasReversedBounds(one, compare));
};
