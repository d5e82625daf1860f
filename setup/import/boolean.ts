import { negated, type Formula } from "./formula.ts";

/**
 * Parses a term at the beginning of a text. Returns its meaning, and how many characters it takes; undefined for a term
 * that no rule can express.
 */
export type ReadTerm = (text: string) => { says: Formula; length: number } | undefined;

/** Keeps a single part unchanged, so that alternatives of one field are recognized and become one rule. */
const joined = (parts: readonly Formula[], join: (parts: readonly Formula[]) => Formula): Formula => {
  const [one, ...others] = parts;
  return one !== undefined && others.length === 0 ? one : join(parts);
};

/** Parses terms joined by `and`, `or` and `not`, with parentheses; undefined if a term is unknown, or if anything else follows. */
export const readBoolean = (text: string, readTerm: ReadTerm): Formula | undefined => {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    const found = pattern.exec(text.slice(at))?.[0];
    if (found !== undefined) at += found.length;
    return found !== undefined;
  };
  const unary = (): Formula | undefined => {
    if (take(/^\s*not\b\s*/i)) {
      const inner = unary();
      return inner === undefined ? undefined : negated(inner);
    }
    if (take(/^\s*\(/)) {
      const inner = either();
      return take(/^\s*\)/) ? inner : undefined;
    }
    take(/^\s+/);
    const term = readTerm(text.slice(at));
    at += term?.length ?? 0;
    return term?.says;
  };
  const both = (): Formula | undefined => {
    const parts = [unary()];
    while (parts.at(-1) !== undefined && take(/^\s*\band\b/i)) parts.push(unary());
    return parts.every((part) => part !== undefined) ? joined(parts, (all) => ({ all })) : undefined;
  };
  const either = (): Formula | undefined => {
    const parts = [both()];
    while (parts.at(-1) !== undefined && take(/^\s*\bor\b/i)) parts.push(both());
    return parts.every((part) => part !== undefined) ? joined(parts, (any) => ({ any })) : undefined;
  };
  const formula = either();
  take(/^\s+/);
  return at === text.length ? formula : undefined;
};
