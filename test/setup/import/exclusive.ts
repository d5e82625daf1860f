import * as v from "valibot";
import { Conditions } from "../../../core/domain/rules/matching/index.ts";
import type { Draft } from "../../../setup/import/draft.ts";
import {
  negateFormula,
  type Condition,
  type Formula,
  type AndTerm,
  type ZonedHours,
} from "../../../setup/import/formula.ts";
import { listCommonHours, toRestrictions } from "../../../setup/import/hours.ts";
import type { addBranches as addChain } from "../../../setup/import/rules.ts";

/*
 * Creates rules without chains, of which at most one matches: a rule includes the negation of the earlier rules' conditions, and
 * its alternatives exclude each other. This file shares no code with the importers' way to create rules.
 */

export { containsListedName, createSenderFormula } from "../../../setup/import/rules.ts";

const toKey = ({ field, operator, value, not = false, ignoreCase = false }: Condition) =>
  JSON.stringify([field, operator, value, not, ignoreCase]);
const negate = ({ not = false, ...condition }: Condition): Condition => (not ? condition : { ...condition, not: true });

const intersectHours = (
  one: ZonedHours | undefined,
  other: ZonedHours | undefined,
): ZonedHours | "never" | undefined => {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.timeZone !== other.timeZone) throw new Error("hours of two zones cannot exclude each other");
  const spans = listCommonHours(one.spans, other.spans);
  return spans.length === 0 ? "never" : { ...one, spans };
};

const joinTerms = (term: AndTerm, other: AndTerm): AndTerm[] => {
  const all = new Map([...term.conditions, ...other.conditions].map((condition) => [toKey(condition), condition]));
  const conditions = [...all.values()];
  if (conditions.some((condition) => all.has(toKey(negate(condition))))) return [];
  const hours = intersectHours(term.hours, other.hours);
  return hours === "never" ? [] : [{ conditions, hours }];
};

/** Lists terms of which exactly one matches if the formula does. */
const listExclusiveTerms = (formula: Formula): AndTerm[] => {
  if ("is" in formula) return [{ conditions: [formula.is], hours: undefined }];
  if ("within" in formula) return formula.within.spans.length === 0 ? [] : [{ conditions: [], hours: formula.within }];
  if ("all" in formula)
    return formula.all
      .map(listExclusiveTerms)
      .reduce<AndTerm[]>(
        (some, others) => some.flatMap((one) => others.flatMap((other) => joinTerms(one, other))),
        [{ conditions: [], hours: undefined }],
      );
  const [first, ...rest] = formula.any;
  if (first === undefined) return [];
  return [...listExclusiveTerms(first), ...listExclusiveTerms({ all: [negateFormula(first), { any: rest }] })];
};

/** Replaces the importers' own function by rules that exclude each other. */
export const addBranches: typeof addChain = (draft: Draft, _chain, reach, branches) => {
  const isWritable = (terms: readonly AndTerm[]) =>
    terms.length <= 64 && terms.every(({ conditions }) => v.is(Conditions, conditions));
  for (const { eventKey, when: by } of reach) {
    const earlier: Formula[] = [];
    for (const { name, when: asked, recipients, enabled = true, priorityOverride = null } of branches) {
      const when = typeof asked === "function" ? asked(eventKey) : asked;
      if (when === undefined || !isWritable(listExclusiveTerms({ all: [by, when] }))) continue;
      const leases =
        recipients === undefined ? [] : listExclusiveTerms({ all: [by, when, ...earlier.map(negateFormula)] });
      earlier.push(when);
      for (const { conditions, hours } of leases) {
        const activeHours = hours === undefined ? [] : toRestrictions(hours.spans);
        draft.setUp.rules.push({
          name: draft.nameFor("rules", name),
          eventKey,
          conditions: v.parse(Conditions, conditions),
          conditionMatch: "all",
          requiresAck: true,
          priorityOverride,
          enabled,
          fallback: false,
          activeHours: activeHours.length === 0 ? null : activeHours,
          timeZone: activeHours.length === 0 ? null : (hours?.timeZone ?? null),
          groupBy: null,
          groupMinutes: null,
          atLeast: null,
          chain: null,
          position: null,
          ...recipients!,
        });
      }
    }
  }
};
