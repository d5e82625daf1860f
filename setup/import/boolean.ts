import { negateFormula, type Formula } from "./formula.ts";

/** Reads the term at the start of a text. Returns undefined if no rule can express the term. */
export type ReadTerm = (text: string) => { says: Formula; length: number } | undefined;

/** Joins parts into one formula. Returns a single part unchanged, so that `mergeAlternatives` recognizes it. */
const joinParts = (parts: readonly Formula[], join: (parts: readonly Formula[]) => Formula): Formula => {
  const [one, ...others] = parts;
  return one !== undefined && others.length === 0 ? one : join(parts);
};

/** Parses an expression with `and`, `or`, `not` and parentheses. Returns undefined if the whole text cannot be parsed. */
export const parseBoolean = (text: string, readTerm: ReadTerm): Formula | undefined => {
  let at = 0;
  const consumeToken = (pattern: RegExp): boolean => {
    const found = pattern.exec(text.slice(at))?.[0];
    if (found !== undefined) at += found.length;
    return found !== undefined;
  };
  const parseUnary = (): Formula | undefined => {
    if (consumeToken(/^\s*not\b\s*/i)) {
      const inner = parseUnary();
      return inner === undefined ? undefined : negateFormula(inner);
    }
    if (consumeToken(/^\s*\(/)) {
      const inner = parseOr();
      return consumeToken(/^\s*\)/) ? inner : undefined;
    }
    consumeToken(/^\s+/);
    const term = readTerm(text.slice(at));
    at += term?.length ?? 0;
    return term?.says;
  };
  const parseAnd = (): Formula | undefined => {
    const parts = [parseUnary()];
    while (parts.at(-1) !== undefined && consumeToken(/^\s*\band\b/i)) parts.push(parseUnary());
    return parts.every((part) => part !== undefined) ? joinParts(parts, (all) => ({ all })) : undefined;
  };
  const parseOr = (): Formula | undefined => {
    const parts = [parseAnd()];
    while (parts.at(-1) !== undefined && consumeToken(/^\s*\bor\b/i)) parts.push(parseAnd());
    return parts.every((part) => part !== undefined) ? joinParts(parts, (any) => ({ any })) : undefined;
  };
  const formula = parseOr();
  consumeToken(/^\s+/);
  return at === text.length ? formula : undefined;
};
