import { suggestPatterns } from "../rule/patterns.ts";

/** The API accepts complete event keys and patterns. Other texts filter the loaded page by how keys begin. */
const PATTERN = /^(?:\*|[a-z0-9_]+\.(?:\*|[a-z0-9_]+))$/;

export const typedPattern = (typed: string): string | undefined => (PATTERN.test(typed) ? typed : undefined);

/** This many keys get buttons. The field accepts all keys. */
const KINDS_MAX = 6;

/** The received event keys, and the current filter. */
export const listOfferedPatterns = (types: readonly { eventKey: string }[], asked: string): string[] => {
  const kinds = suggestPatterns(types)
    .filter((pattern) => pattern.endsWith(".*"))
    .slice(0, KINDS_MAX);
  const other = typedPattern(asked);
  return other === undefined || kinds.includes(other) ? kinds : [...kinds, other];
};
