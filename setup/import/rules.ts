import * as v from "valibot";
import { ACTIVE_HOURS_MAX } from "../../core/domain/rules/active-hours.ts";
import { Conditions } from "../../core/domain/rules/matching/index.ts";
import type { FileRule } from "../file.ts";
import type { Draft } from "./draft.ts";
import { negated, termsOf, type Drafted, type Formula, type Term } from "./formula.ts";
import { restrictionsOf } from "./hours.ts";
import type { Ladder } from "./ladder.ts";

type RuleParts = Pick<FileRule, "conditions" | "activeHours" | "timeZone">;

/** A term as the fields of a rule, or what is wrong with it. */
const partsOf = ({ conditions, hours }: Term): RuleParts | { fault: string } => {
  const read = v.safeParse(Conditions, conditions);
  if (!read.success) return { fault: read.issues.map(({ message }) => message).join(" ") };
  const activeHours = hours === undefined ? [] : restrictionsOf(hours.spans);
  if (hours === undefined || activeHours.length === 0)
    return { conditions: read.output, activeHours: null, timeZone: null };
  if (activeHours.length > ACTIVE_HOURS_MAX) return { fault: `Its hours need more than ${ACTIVE_HOURS_MAX} entries.` };
  return { conditions: read.output, activeHours, timeZone: hours.timeZone };
};

/** Which events of a rule ring once. */
export type Grouping = Pick<FileRule, "groupBy" | "groupMinutes">;

/** Where a sender's events go. */
export type Branch = {
  /** How the report calls it, and how its rule is called. */
  what: string;
  name: string;
  /** When it applies; undefined if no rule can say so, and `why` not. */
  when: Formula | undefined;
  why?: string;
  /** Undefined if it tells nobody: what it decides is told to nobody, also by a later one. */
  ladder: Ladder | undefined;
  enabled?: boolean;
  priorityOverride?: FileRule["priorityOverride"] | undefined;
  grouping?: Grouping | undefined;
};

const NOT_ALL = "It also tells its people of what an earlier one decides: rules cannot say that more shortly.";

/** The terms of a branch, without what an earlier branch decides, as far as rules can say that. */
const termsFor = (
  draft: Draft,
  { what }: Branch,
  when: Formula,
  reach: Formula,
  earlier: readonly Formula[],
): Term[] | undefined => {
  const exact = termsOf({ all: [reach, when, ...earlier.map(negated)] });
  if (exact?.every((term) => !("fault" in partsOf(term))) === true) return exact;
  const loose = termsOf({ all: [reach, when] });
  if (loose !== undefined && earlier.length > 0) draft.different(what, NOT_ALL);
  return loose;
};

/** Adds a rule to the file; returns its name. */
const addRule = (
  draft: Draft,
  wanted: string,
  rule: RuleParts & Ladder & Partial<Grouping> & Pick<FileRule, "eventKey" | "enabled" | "priorityOverride">,
): string => {
  const name = draft.nameFor("rules", wanted);
  const alone = { groupBy: null, groupMinutes: null, atLeast: null, chain: null, position: null };
  draft.setUp.rules.push({ name, conditionMatch: "all", requiresAck: true, fallback: false, ...alone, ...rule });
  return name;
};

/**
 * Rules for branches of which the first one that applies decides. `reach`: by which events the branches are reached,
 * which exclude each other. A branch that cannot be written decides nothing: what it would have decided goes on to the
 * later ones, so that it is told to somebody.
 */
export const addBranches = (
  draft: Draft,
  eventKey: string,
  reach: readonly Formula[],
  branches: readonly Branch[],
): void => {
  const earlier: Formula[] = [];
  for (const branch of branches) {
    const { what, name, when, why = "", ladder, enabled = true, priorityOverride = null, grouping } = branch;
    if (when === undefined) {
      draft.left(what, `Its condition cannot be written as one of ours: ${why}`.trim());
      continue;
    }
    if (reach.length === 0) {
      draft.left(what, "No sender of the export leads to it.");
      continue;
    }
    if (ladder === undefined) {
      earlier.push(when);
      continue;
    }
    const terms = reach.map((by) => termsFor(draft, branch, when, by, earlier));
    const parts = terms.flatMap((some) => some ?? []).map(partsOf);
    const fault = parts.find((part) => "fault" in part);
    if (terms.includes(undefined) || fault !== undefined) {
      const reason = fault !== undefined && "fault" in fault ? fault.fault : "it would need too many rules.";
      draft.left(what, `Its condition cannot be written as one of ours: ${reason}`);
      continue;
    }
    earlier.push(when);
    const rules = parts.flatMap((part, index) => {
      const wanted = parts.length === 1 ? name : `${name}, ${index + 1} of ${parts.length}`;
      return "fault" in part
        ? []
        : [addRule(draft, wanted, { eventKey, enabled, priorityOverride, ...part, ...ladder, ...grouping })];
    });
    if (rules.length === 0) draft.left(what, "An earlier one always decides before it.");
    else draft.taken(what, `${rules.length === 1 ? "rule" : "rules"} ${rules.join("; ")}`);
  }
};

/** Events of some senders, by the names of their keys. */
export const sentBy = (keys: readonly string[]): Formula => ({
  any: keys.map((key): Formula => ({ is: { field: "sender", operator: "equals", value: key } })),
});

/** A text as a pattern that finds nothing else. */
const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Whether a list that is stored as one text, such as `db, prod`, has one of some names. */
export const isListed = (field: string, names: readonly string[]): Drafted => ({
  field,
  operator: "matches_regex",
  value: `(?:^|, )(?:${names.map(literally).join("|")})(?:, |$)`,
});
