import { suggestPatterns } from "../rule/patterns.ts";

/** Matches a complete event key or pattern. An incomplete text only selects loaded events whose keys start with it. */
const PATTERN = /^(?:\*|[a-z0-9_]+\.(?:\*|[a-z0-9_]+))$/;

/** Returns the text if it is a complete event key or pattern; undefined otherwise. */
export const parsePattern = (typed: string): string | undefined => (PATTERN.test(typed) ? typed : undefined);

/** The maximum number of event keys that get a button. Other keys can be typed into a field. */
const KINDS_MAX = 6;

/** Lists patterns for the received event keys, and the current filter. */
export const listOfferedPatterns = (types: readonly { eventKey: string }[], currentFilter: string): string[] => {
  const kinds = suggestPatterns(types)
    .filter((pattern) => pattern.endsWith(".*"))
    .slice(0, KINDS_MAX);
  const other = parsePattern(currentFilter);
  return other === undefined || kinds.includes(other) ? kinds : [...kinds, other];
};
