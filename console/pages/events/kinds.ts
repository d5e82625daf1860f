import { suggestPatterns } from "../rule/patterns.ts";

/** The API accepts a complete event key or pattern. Any other text filters the loaded page by the beginning of keys. */
const PATTERN = /^(?:\*|[a-z0-9_]+\.(?:\*|[a-z0-9_]+))$/;

export const typedPattern = (typed: string): string | undefined => (PATTERN.test(typed) ? typed : undefined);

/** Only this number of keys are buttons; the field accepts any key. */
const KINDS_MAX = 6;

/** Returns the event keys seen so far, and the current filter. */
export const listOfferedPatterns = (types: readonly { eventKey: string }[], asked: string): string[] => {
  const kinds = suggestPatterns(types)
    .filter((pattern) => pattern.endsWith(".*"))
    .slice(0, KINDS_MAX);
  const other = typedPattern(asked);
  return other === undefined || kinds.includes(other) ? kinds : [...kinds, other];
};
