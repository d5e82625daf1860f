import { isDecimal } from "./decimal.ts";
import type { Form, Scalar } from "./form.ts";
import { GRAM_LENGTH } from "./grams.ts";
import type { ReadyCondition } from "./program.ts";
import { requiredLiteral } from "./regex-literal.ts";

/**
 * How a form's rules are found. Each access but `any` promises: where the condition holds, the access does, so that no
 * other rule need be looked at. An exact one holds only where the condition does, which then need not be tested again.
 * A needle is what a text test searches for, or without a test a literal part of a pattern.
 */
export type Access =
  | { kind: "values"; values: readonly Scalar[]; exact: boolean }
  | { kind: "range"; low: number; high: number }
  | { kind: "needle"; needle: string; test: 0 | 1 | 2 | undefined }
  | { kind: "present" }
  | { kind: "absent" }
  | { kind: "any" };

const any: Access = { kind: "any" };
const present: Access = { kind: "present" };

const needleAccess = (needle: string, test: 0 | 1 | 2 | undefined, field: string): Access =>
  // A short needle has no run of characters to look for; a priority has two spellings.
  needle.length < GRAM_LENGTH || field === "priority" ? present : { kind: "needle", needle, test };

const positiveAccess = (form: Form, field: string): Access => {
  switch (form.kind) {
    case "among":
      return {
        kind: "values",
        values: form.values,
        // A text that is a decimal number meets numbers of its value too, but no other text.
        exact: !form.values.some((value) => typeof value === "string" && isDecimal(value)),
      };
    case "within":
      return {
        kind: "range",
        low: form.low?.at.number ?? Number.NEGATIVE_INFINITY,
        high: form.high?.at.number ?? Number.POSITIVE_INFINITY,
      };
    case "text":
      return needleAccess(form.needle, form.test, field);
    case "pattern":
      return needleAccess(requiredLiteral(form.source), undefined, field);
    case "filled":
      return present;
  }
};

const accessOf = ({ field, form, negated }: ReadyCondition): Access => {
  if (negated) return form.kind === "filled" ? { kind: "absent" } : any;
  return positiveAccess(form, field);
};

/** How many different values a bucket's rules ask of a field: the more, the fewer rules each value leads to. */
export type Variety = ReadonlyMap<string, ReadonlySet<Scalar>>;

/** Beyond so many values a field is as good as any. */
const VARIETY_MAX = 64;

export const varietyOf = (rules: readonly { conditions: readonly ReadyCondition[] }[]): Variety => {
  const seen = new Map<string, Set<Scalar>>();
  for (const { conditions } of rules) {
    for (const { field, form, negated } of conditions) {
      if (negated || form.kind !== "among") continue;
      let values = seen.get(field);
      if (values === undefined) {
        values = new Set();
        seen.set(field, values);
      }
      if (values.size < VARIETY_MAX) for (const value of form.values) values.add(value);
    }
  }
  return seen;
};

/** The share of events that an access is guessed to let through. Only its order matters, never a result. */
const shareOf = (access: Access, field: string, variety: Variety): number => {
  switch (access.kind) {
    case "values":
      return Math.min(0.9, access.values.length / (1 + (variety.get(field)?.size ?? 0)));
    case "needle":
      return 0.5 ** Math.min(6, access.needle.length - 1);
    case "range":
      return Number.isFinite(access.low) && Number.isFinite(access.high) ? 0.15 : 0.5;
    case "absent":
      return 0.3;
    case "present":
      return 0.8;
    case "any":
      return 1;
  }
};

export type ChosenAccess = { condition: ReadyCondition; access: Access };

/**
 * Where to find a rule: under its most selective condition when all must hold, under every one when any may. Empty
 * when nothing narrows it down, so that every event must test it.
 */
export const chooseAccesses = (
  conditions: readonly ReadyCondition[],
  anySuffices: boolean,
  variety: Variety,
): ChosenAccess[] => {
  const chosen = conditions.map((condition) => ({ condition, access: accessOf(condition) }));
  if (anySuffices) return chosen.some(({ access }) => access.kind === "any") ? [] : chosen;
  let best: ChosenAccess | undefined;
  let bestShare = 1;
  for (const candidate of chosen) {
    const share = shareOf(candidate.access, candidate.condition.field, variety);
    if (share < bestShare) {
      best = candidate;
      bestShare = share;
    }
  }
  return best === undefined ? [] : [best];
};
