import { joinNames } from "../../core/domain/sources/draft.ts";
import * as v from "valibot";
import { NAME_MAX_CODE_POINTS } from "../../core/domain/basics/limits.ts";
import { ACTIVE_HOURS_MAX } from "../../core/domain/rules/active-hours.ts";
import { findContradiction } from "../../core/domain/rules/contradiction.ts";
import { Conditions } from "../../core/domain/rules/matching/index.ts";
import type { FileRule } from "../file.ts";
import type { Draft } from "./draft.ts";
import { toTerms, type Condition, type Formula, type AndTerm } from "./formula.ts";
import { toRestrictions } from "./hours.ts";
import type { RuleRecipients } from "./escalation.ts";

type RuleParts = Pick<FileRule, "conditions" | "activeHours" | "timeZone">;

/** Converts conditions and hours to a rule's fields, or returns the fault that the API would find in them. */
const toRuleFields = ({ conditions, hours }: AndTerm): RuleParts | { fault: string } => {
  const read = v.safeParse(Conditions, conditions);
  if (!read.success) return { fault: read.issues.map(({ message }) => message).join(" ") };
  const activeHours = hours === undefined ? [] : toRestrictions(hours.spans);
  if (hours === undefined || activeHours.length === 0)
    return { conditions: read.output, activeHours: null, timeZone: null };
  if (activeHours.length > ACTIVE_HOURS_MAX)
    return { fault: `The active hours of the rule need more than ${ACTIVE_HOURS_MAX} time ranges.` };
  return { conditions: read.output, activeHours, timeZone: hours.timeZone };
};

/** Events with the same values in `groupBy` are one group, which pages once. */
export type Grouping = Pick<FileRule, "groupBy" | "groupMinutes">;

/** Events that reach a branch: all events with the key `eventKey` that meet the condition `when`. */
export type ReachingEvents = { eventKey: string; when: Formula };

/** A rule of the export. `what`: the rule's name in remarks; `name`: the rule's name in the draft. */
export type Branch = {
  what: string;
  name: string;
  /** The branch's condition; undefined if no rule can express the condition, for the reason in `why`. */
  when: Formula | undefined | ((eventKey: string) => Formula | undefined);
  why?: string | undefined;
  /** The branch's recipients; undefined if the branch matches without notifying anybody. */
  recipients: RuleRecipients | undefined;
  enabled?: boolean;
  priorityOverride?: FileRule["priorityOverride"] | undefined;
  grouping?: Grouping | undefined;
};

/** The difference between the positions of rules in a chain, so that rules can be inserted between them. */
const STEP = 10;

const NOBODY = "Nobody";

/** Adds a group without members, as recipients of a rule that ends a chain without notifying anybody. */
const addEmptyGroup = (draft: Draft): RuleRecipients & Pick<FileRule, "requiresAck"> => {
  const known = draft.setUp.groups.some(({ name, members }) => name === NOBODY && members.length === 0);
  const group = known ? NOBODY : draft.addGroup(NOBODY, []);
  return { groups: [group], onCallOnly: false, policy: null, requiresAck: false };
};

/** Returns the name, shortened if needed, with a number if the draft already has a chain of that name. */
const findUnusedChainName = ({ setUp }: Draft, name: string): string => {
  const taken = new Set(setUp.rules.map(({ chain }) => chain));
  const plain = Array.from(name)
    .slice(0, NAME_MAX_CODE_POINTS - 5)
    .join("");
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plain : `${plain} (${number})`;
    if (!taken.has(name)) return name;
  }
};

const UNSAID = "The conditions of a rule cannot express this condition:";

/** `isPartial`: whether rules can express the condition for only some of the event keys. */
type PlannedRules = {
  branch: Branch;
  rules: (RuleParts & { eventKey: string })[];
  takesAll: boolean;
  isPartial: boolean;
};

/** Plans this service's rules for a branch, or returns why no rule can express the branch. Leaves out rules that never match. */
const planRules = (branch: Branch, events: readonly ReachingEvents[]): PlannedRules | string => {
  const rules: PlannedRules["rules"] = [];
  let [isUnsaid, takesAll] = [false, true];
  for (const { eventKey, when: by } of events) {
    const when = typeof branch.when === "function" ? branch.when(eventKey) : branch.when;
    takesAll &&= when !== undefined && "all" in when && when.all.length === 0;
    isUnsaid ||= when === undefined;
    if (when === undefined) continue;
    const terms = toTerms({ all: [by, when] });
    if (terms === undefined) return `${UNSAID} it would need too many rules.`;
    for (const parts of terms.map(toRuleFields)) {
      if ("fault" in parts) return `${UNSAID} ${parts.fault}`;
      const rule = { ...parts, eventKey };
      if (findContradiction({ ...rule, conditionMatch: "all" }) === undefined) rules.push(rule);
    }
  }
  if (rules.length > 0) return { branch, rules, takesAll, isPartial: isUnsaid };
  if (branch.why !== undefined) return `${UNSAID} ${branch.why}`.trim();
  if (isUnsaid) return `${UNSAID} it uses fields that the sending tools do not send.`;
  return events.length === 0
    ? "No sender in the export sends alerts that this rule could match."
    : "No event can meet the conditions.";
};

/** Adds a branch's rules, to a chain if `chain` is not null. `precedingRules`: the number of rules that the chain already has. */
const addRules = (
  draft: Draft,
  { branch, rules, isPartial }: PlannedRules,
  chain: string | null,
  precedingRules: number,
): void => {
  const { what, name, recipients, enabled = true, priorityOverride = null, grouping } = branch;
  const names = rules.map((parts, index) => {
    const wanted = rules.length === 1 ? name : `${name}, ${index + 1} of ${rules.length}`;
    const called = draft.nameFor("rules", wanted);
    draft.setUp.rules.push({
      name: called,
      conditionMatch: "all",
      requiresAck: true,
      fallback: false,
      groupBy: null,
      groupMinutes: null,
      atLeast: null,
      enabled,
      priorityOverride,
      ...parts,
      ...(recipients === undefined ? addEmptyGroup(draft) : { ...recipients, ...grouping }),
      chain,
      position: chain === null ? null : (precedingRules + index + 1) * STEP,
    });
    return called;
  });
  if (isPartial)
    draft.different(what, "Rules check this condition only for some event keys; other alerts reach later rules.");
  const ends = recipients === undefined ? `, notifying nobody` : "";
  draft.taken(what, `${names.length === 1 ? "rule" : "rules"} ${names.join("; ")}${ends}`);
};

/**
 * Adds the rules of branches as a chain, of which the first matching rule applies. `events`: conditions of which at most one
 * matches an event. Events of a branch that cannot be converted reach later branches, so that somebody is notified.
 */
export const addBranches = (
  draft: Draft,
  chainName: string,
  events: readonly ReachingEvents[],
  branches: readonly Branch[],
): void => {
  const planned: PlannedRules[] = [];
  for (const branch of branches) {
    const plan = planRules(branch, events);
    if (typeof plan === "string") draft.left(branch.what, plan);
    else if (planned.at(-1)?.takesAll === true) draft.left(branch.what, "An earlier rule always matches first.");
    else planned.push(plan);
  }
  // Rules for different event keys need no chain, because no event matches two of the rules.
  const isChain = planned.length > 1 || planned.some(({ rules }) => rules.length > events.length);
  const chain = isChain ? findUnusedChainName(draft, chainName) : null;
  let before = 0;
  for (const plan of planned) {
    addRules(draft, plan, chain, before);
    before += plan.rules.length;
  }
};

/** Returns a formula that matches events of senders. `keys`: the names of the senders' keys. */
export const createSenderFormula = (keys: readonly string[]): Formula => ({
  any: keys.map((key): Formula => ({ is: { field: "sender", operator: "equals", value: key } })),
});

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Returns the condition that a field with several names in one text, such as `db, prod`, contains one of the `names`. */
export const containsListedName = (field: string, names: readonly string[]): Condition => ({
  field,
  operator: "matches_regex",
  value: `(?:^|, )(?:${names.map((name) => escapePattern(joinNames([name]) ?? "")).join("|")})(?:, |$)`,
});
