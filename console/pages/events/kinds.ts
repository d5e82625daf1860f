import { suggestPatterns } from "../rule/patterns.ts";

/** A complete event key or pattern, which the API accepts. Any other text filters the loaded page by the beginning of keys. */
const PATTERN = /^(?:\*|[a-z0-9_]+\.(?:\*|[a-z0-9_]+))$/;

/** Returns the API's query for the typed text. */
export const typedPattern = (typed: string): string | undefined => (PATTERN.test(typed) ? typed : undefined);

/** The maximum number of event keys that are offered as buttons; the field accepts any key. */
const KINDS_MAX = 6;

/** Returns the patterns offered as buttons: the event keys seen so far, and the current filter. */
export const listOfferedPatterns = (types: readonly { eventKey: string }[], asked: string): string[] => {
  const kinds = suggestPatterns(types)
    .filter((pattern) => pattern.endsWith(".*"))
    .slice(0, KINDS_MAX);
  const other = typedPattern(asked);
  return other === undefined || kinds.includes(other) ? kinds : [...kinds, other];
};
