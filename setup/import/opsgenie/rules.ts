import type { Draft } from "../draft.ts";
import { ALWAYS_HOLDS, type Drafted, type Formula } from "../formula.ts";
import type { Ladder } from "../ladder.ts";
import { addBranches, isListed, type Branch } from "../rules.ts";
import { spansOf } from "./schedules.ts";
import type { RoutingRule } from "./shape.ts";

/** The events that a created alert makes. */
const FIRING = "opsgenie.firing";

/** Where `POST /v1/events/from/opsgenie` keeps the fields of an alert. */
const FIELDS: Readonly<Record<string, string>> = {
  message: "title",
  alias: "data.alias",
  description: "data.description",
  entity: "data.entity",
  source: "data.source",
};

const OPERATORS: Readonly<Record<string, string>> = {
  equals: "equals",
  contains: "contains",
  "starts-with": "starts_with",
  "ends-with": "ends_with",
  matches: "matches_regex",
  "is-empty": "is_empty",
  "greater-than": "greater_than",
  "less-than": "less_than",
};

/** From the most urgent. */
const PRIORITIES = ["P1", "P2", "P3", "P4", "P5"];

type Condition = NonNullable<RoutingRule["criteria"]>["conditions"][number];

const ofPriority = (operation: string, value: string): Drafted | undefined => {
  const field = "data.priority";
  const index = PRIORITIES.indexOf(value);
  if (index < 0) return undefined;
  if (operation === "equals") return { field, operator: "equals", value };
  if (operation === "greater-than") return { field, operator: "one_of", value: PRIORITIES.slice(0, index) };
  return operation === "less-than" ? { field, operator: "one_of", value: PRIORITIES.slice(index + 1) } : undefined;
};

const ofTags = (operation: string, value: string): Drafted | undefined => {
  const field = "data.tags";
  if (operation === "contains" || operation === "equals") return isListed(field, [value]);
  return operation === "is-empty" ? { field, operator: "is_empty" } : undefined;
};

const ofField = (field: string | undefined, operation: string, value: string): Drafted | undefined => {
  const operator = OPERATORS[operation];
  if (field === undefined || operator === undefined) return undefined;
  return operator === "is_empty" ? { field, operator } : { field, operator, value };
};

const draftOf = ({ field, key, operation, expectedValue }: Condition): Drafted | undefined => {
  const value = expectedValue ?? "";
  if (field === "priority") return ofPriority(operation, value);
  if (field === "tags") return ofTags(operation, value);
  const isDetail = field === "extra-properties" || field === "details";
  if (isDetail && operation === "contains-key") return { field: `data.details.${value}`, operator: "is_not_empty" };
  if (isDetail) return ofField(typeof key === "string" ? `data.details.${key}` : undefined, operation, value);
  return ofField(FIELDS[field], operation, value);
};

const written = ({ field, key, not, operation, expectedValue }: Condition): string =>
  [field, key, not ? "not" : "", operation, expectedValue].filter((part) => (part ?? "") !== "").join(" ");

const formulaOf = (condition: Condition): Formula | undefined => {
  const draft = draftOf(condition);
  return draft === undefined ? undefined : { is: { ...draft, ...(condition.not ? { not: true } : {}) } };
};

/** When a rule applies, or the conditions that cannot be said here. */
const whenOf = ({ criteria, timeRestriction, timezone }: RoutingRule): { when: Formula } | { why: string } => {
  const conditions = criteria?.type === "match-all" ? [] : (criteria?.conditions ?? []);
  const formulas = conditions.map(formulaOf);
  const isRead = formulas.every((formula) => formula !== undefined);
  if (!isRead)
    return {
      why: conditions
        .filter((_, index) => formulas[index] === undefined)
        .map(written)
        .join("; "),
    };
  const matches: Formula =
    conditions.length > 0 && criteria?.type === "match-any-condition" ? { any: formulas } : { all: formulas };
  if (timeRestriction === null || timeRestriction === undefined) return { when: matches };
  if (timezone === null || timezone === undefined) return { why: "its hours have no time zone." };
  return { when: { all: [matches, { within: { spans: spansOf(timeRestriction), timeZone: timezone } }] } };
};

type Notify = NonNullable<RoutingRule["notify"]>;
type LadderOf = (notify: Notify) => Ladder | undefined;

/** Whom a rule tells; undefined if nobody. */
const notifyOf = ({ notify }: RoutingRule): Notify | undefined =>
  notify === null || notify?.type === "none" ? undefined : notify;

const branchOf = (draft: Draft, team: string, rule: RoutingRule, ladderOf: LadderOf): Branch => {
  const called = rule.isDefault ? "default" : (rule.name ?? "without a name");
  const what = `Routing rule ${team}: ${called}`;
  const notify = notifyOf(rule);
  const ladder = notify === undefined ? undefined : ladderOf(notify);
  if (notify === undefined) draft.taken(what, "no rule: it tells nobody");
  else if (ladder === undefined)
    draft.left(what, `The export has no ${notify.type} ${notify.name ?? notify.id ?? ""} that tells anybody.`);
  const read = whenOf(rule);
  const base = { what, name: `${team}: ${called}`, ladder };
  return "when" in read ? { ...base, when: read.when } : { ...base, when: undefined, why: read.why };
};

/** Adds rules for the alerts of a team. `reach`: how alerts get to it; `ladderOf`: whom a rule's target tells. */
export const addRoutingRules = (
  draft: Draft,
  team: string,
  reach: readonly Formula[],
  rules: readonly RoutingRule[],
  ladderOf: LadderOf,
): void => {
  const inOrder = rules.toSorted(
    (one, other) => Number(one.isDefault) - Number(other.isDefault) || one.order - other.order,
  );
  const branches = inOrder.map((rule) => branchOf(draft, team, rule, ladderOf));
  addBranches(draft, FIRING, reach, branches);
};

/** Adds rules for alerts that go to somebody without any routing. */
export const addDirect = (
  draft: Draft,
  what: string,
  name: string,
  reach: readonly Formula[],
  ladder: Ladder | undefined,
): void => {
  if (reach.length > 0) addBranches(draft, FIRING, reach, [{ what, name, when: ALWAYS_HOLDS, ladder }]);
};
