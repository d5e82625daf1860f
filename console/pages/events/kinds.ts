import { patternsOf } from "../rule/patterns.ts";

/** A complete event key or pattern, which the API takes. Anything shorter filters this page by how keys begin. */
const PATTERN = /^(?:\*|[a-z0-9_]+\.(?:\*|[a-z0-9_]+))$/;

/** The API's query for the typed text. */
export const patternIn = (typed: string): string | undefined => (PATTERN.test(typed) ? typed : undefined);

/** Kinds of events that are offered for a press; the field takes any. */
const KINDS_MAX = 6;

/** The patterns that one press filters by: the kinds of events seen so far, and the present filter. */
export const kindsOf = (types: readonly { eventKey: string }[], asked: string): string[] => {
  const kinds = patternsOf(types)
    .filter((pattern) => pattern.endsWith(".*"))
    .slice(0, KINDS_MAX);
  const other = patternIn(asked);
  return other === undefined || kinds.includes(other) ? kinds : [...kinds, other];
};
