import { listCommonHours, listUncoveredHours, type WeekSpan } from "./hours.ts";

/** A condition for a rule. The condition is not validated yet, so the API may refuse it. */
export type Condition = {
  field: string;
  operator: string;
  value?: string | string[];
  not?: boolean;
  ignoreCase?: boolean;
};

export type ZonedHours = { spans: readonly WeekSpan[]; timeZone: string };

export type Formula =
  | { all: readonly Formula[] }
  | { any: readonly Formula[] }
  | { is: Condition }
  | { within: ZonedHours };

/** Conditions that must all hold, at a time within `hours`. `hours`: undefined for any time. */
export type AndTerm = { conditions: readonly Condition[]; hours: ZonedHours | undefined };

export const ALWAYS_HOLDS: Formula = { all: [] };

const TERMS_MAX = 64;

const negateCondition = ({ not = false, ...condition }: Condition): Condition =>
  not ? condition : { ...condition, not: true };

/** Returns the opposite formula. A negated condition is also true if the field is missing. */
export const negateFormula = (formula: Formula): Formula => {
  if ("all" in formula) return { any: formula.all.map(negateFormula) };
  if ("any" in formula) return { all: formula.any.map(negateFormula) };
  if ("is" in formula) return { is: negateCondition(formula.is) };
  return { within: { ...formula.within, spans: listUncoveredHours(formula.within.spans) } };
};

const isSameCondition = (first: Condition, second: Condition): boolean => {
  const toConditionKey = ({ field, operator, value, not = false, ignoreCase = false }: Condition) =>
    JSON.stringify([field, operator, value, not, ignoreCase]);
  return toConditionKey(first) === toConditionKey(second);
};

/** Returns the terms that together require both terms: none if they exclude each other; undefined if time zones differ. */
const joinTerms = (one: AndTerm, other: AndTerm): AndTerm[] | undefined => {
  const conditions = [...one.conditions];
  for (const condition of other.conditions) {
    if (conditions.some((known) => isSameCondition(known, negateCondition(condition)))) return [];
    if (!conditions.some((known) => isSameCondition(known, condition))) conditions.push(condition);
  }
  if (one.hours === undefined || other.hours === undefined) return [{ conditions, hours: one.hours ?? other.hours }];
  if (one.hours.timeZone !== other.hours.timeZone) return undefined;
  const spans = listCommonHours(one.hours.spans, other.hours.spans);
  return spans.length === 0 ? [] : [{ conditions, hours: { ...one.hours, spans } }];
};

/** Joins each term of one list with each term of the other list; returns undefined if rules cannot express the result. */
const combineTerms = (first: readonly AndTerm[], second: readonly AndTerm[]): AndTerm[] | undefined => {
  const terms: AndTerm[] = [];
  for (const one of first)
    for (const other of second) {
      const both = joinTerms(one, other);
      if (both === undefined) return undefined;
      terms.push(...both);
    }
  return terms.length > TERMS_MAX ? undefined : terms;
};

const flattenAlternatives = (parts: readonly Formula[]): Formula[] =>
  parts.flatMap((part) => ("any" in part ? flattenAlternatives(part.any) : [part]));

/** Merges alternative values of one field into one condition. */
const mergeAlternatives = (parts: readonly Formula[]): Formula[] => {
  const fields = new Map<string, string[]>();
  const others: Formula[] = [];
  for (const part of parts) {
    const { field = "", operator = "", value, not = false, ignoreCase = false } = "is" in part ? part.is : {};
    if (operator === "equals" && typeof value === "string" && !not && !ignoreCase)
      fields.set(field, [...(fields.get(field) ?? []), value]);
    else others.push(part);
  }
  const compared = [...fields].map(([field, [value = "", ...more]]): Formula => ({
    is:
      more.length === 0 ? { field, operator: "equals", value } : { field, operator: "one_of", value: [value, ...more] },
  }));
  return [...compared, ...others];
};

/**
 * Splits a formula into terms, each with conditions and hours that must all hold. The formula is true if any term is true.
 * Returns undefined if rules cannot express the formula, or if the formula has more than `TERMS_MAX` terms.
 */
export const toTerms = (formula: Formula): AndTerm[] | undefined => {
  if ("is" in formula) return [{ conditions: [formula.is], hours: undefined }];
  if ("within" in formula) return formula.within.spans.length === 0 ? [] : [{ conditions: [], hours: formula.within }];
  if ("all" in formula) {
    let terms: AndTerm[] | undefined = [{ conditions: [], hours: undefined }];
    for (const part of formula.all) {
      const more = toTerms(part);
      terms = more === undefined || terms === undefined ? undefined : combineTerms(terms, more);
      if (terms === undefined) return undefined;
    }
    return terms;
  }
  const terms: AndTerm[] = [];
  for (const part of mergeAlternatives(flattenAlternatives(formula.any))) {
    const more = toTerms(part);
    if (more === undefined) return undefined;
    terms.push(...more);
  }
  return terms.length > TERMS_MAX ? undefined : terms;
};
