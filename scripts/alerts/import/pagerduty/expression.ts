import type { Drafted } from "../rules.ts";

/* The conditions of an event orchestration, if they are comparisons joined by `and`. */

const FIELDS: Readonly<Record<string, string>> = {
  "event.summary": "title",
  "event.source": "data.source",
  "event.severity": "data.severity",
  "event.component": "data.component",
  "event.group": "data.group",
  "event.class": "data.class",
};

const fieldOf = (path: string): string | undefined =>
  path.startsWith("event.custom_details.")
    ? `data.details.${path.slice("event.custom_details.".length)}`
    : FIELDS[path];

const TERM =
  /^(event(?:\.[\w-]+)+)\s+(matches part|matches regex|matches|does not match|exists|does not exist)(?:\s+'((?:[^'\\]|\\.)*)')?$/;

const OPERATORS: Readonly<Record<string, string>> = {
  matches: "equals",
  "matches part": "contains",
  "matches regex": "matches_regex",
  "does not match": "not_equals",
  exists: "is_not_empty",
  "does not exist": "is_empty",
};

const termOf = (text: string): Drafted | undefined => {
  const [, path = "", word = "", value] = TERM.exec(text.trim()) ?? [];
  const field = fieldOf(path);
  const operator = OPERATORS[word];
  if (field === undefined || operator === undefined) return undefined;
  if (operator.startsWith("is_")) return { field, operator };
  return value === undefined ? undefined : { field, operator, value: value.replaceAll("\\'", "'") };
};

/** The conditions, all of which must hold; undefined if the expression says more than ours can. */
export const conditionsOfExpression = (expression: string): Drafted[] | undefined => {
  // A quoted text may contain the joining words, so they are only looked for outside quotes.
  const outside = expression.replaceAll(/'(?:[^'\\]|\\.)*'/g, (quoted) => " ".repeat(quoted.length));
  if (/\bor\b|\bnot \(|[()]/.test(outside)) return undefined;
  const terms: string[] = [];
  let begin = 0;
  for (const { index } of outside.matchAll(/\sand\s/g)) {
    terms.push(expression.slice(begin, index));
    begin = index + " and ".length;
  }
  terms.push(expression.slice(begin));
  const drafts = terms.map(termOf);
  return drafts.every((draft) => draft !== undefined) ? drafts : undefined;
};
