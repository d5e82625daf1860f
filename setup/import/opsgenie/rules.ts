import type { Draft } from "../draft.ts";
import { ALWAYS_HOLDS, negateFormula, type Condition, type Formula } from "../formula.ts";
import type { RuleRecipients } from "../escalation.ts";
import { addBranches, containsListedName, type Branch, type ReachingEvents } from "../rules.ts";
import { toFiringEventKey } from "../sources.ts";
import { toWeekSpans } from "./schedules.ts";
import type { RoutingRule } from "./shape.ts";

/** The fields in which `POST /v1/events/from/opsgenie` stores the fields of an alert. */
const FIELDS: Readonly<Record<string, string>> = {
  message: "title",
  alias: "data.alias",
  description: "data.description",
  entity: "data.entity",
  source: "data.source",
};

/** The fields of an alert that events of every tool have, and their names in events. */
const COMMON: Readonly<Record<string, string>> = { message: "title", description: "body" };

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

/** Opsgenie's priorities, the most urgent first. */
const PRIORITIES = ["P1", "P2", "P3", "P4", "P5"];
const OURS = ["URGENT", "HIGH", "NORMAL", "LOW", "LOW"];
const isOpsgenieKey = (eventKey: string): boolean => eventKey === toFiringEventKey("opsgenie");

type Criterion = NonNullable<RoutingRule["criteria"]>["conditions"][number];

/** Returns a formula on the event's priority; undefined for an unknown priority or operation. */
const toPriorityFormula = (operation: string, value: string, eventKey: string): Formula | undefined => {
  const index = PRIORITIES.indexOf(value);
  const [field, names] = isOpsgenieKey(eventKey) ? ["data.priority", PRIORITIES] : ["priority", OURS];
  const createPriorityFormula = (priorities: readonly string[]): Formula => ({
    any: [...new Set(priorities)].map((one): Formula => ({ is: { field, operator: "equals", value: one } })),
  });
  if (index < 0) return undefined;
  if (operation === "equals") return createPriorityFormula(names.slice(index, index + 1));
  if (operation === "greater-than") return createPriorityFormula(names.slice(0, index));
  return operation === "less-than" ? createPriorityFormula(names.slice(index + 1)) : undefined;
};

/** Returns a condition on the alert's tags; undefined if no condition can express the operation. */
const toTagsCondition = (operation: string, value: string): Condition | undefined => {
  const field = "data.tags";
  if (operation === "contains" || operation === "equals") return containsListedName(field, [value]);
  return operation === "is-empty" ? { field, operator: "is_empty" } : undefined;
};

/** Returns the condition; undefined if the event has no such field, or no condition can express the operation. */
const toFieldCondition = (field: string | undefined, operation: string, value: string): Condition | undefined => {
  const operator = OPERATORS[operation];
  if (field === undefined || operator === undefined) return undefined;
  return operator === "is_empty" ? { field, operator } : { field, operator, value };
};

/** Converts a condition for events with the key `eventKey`; undefined if no condition on the events' fields can express it. */
const toCondition = ({ field, key, operation, expectedValue }: Criterion, eventKey: string): Condition | undefined => {
  const value = expectedValue ?? "";
  if (!isOpsgenieKey(eventKey)) return toFieldCondition(COMMON[field], operation, value);
  if (field === "tags") return toTagsCondition(operation, value);
  const isDetail = field === "extra-properties" || field === "details";
  if (isDetail && operation === "contains-key") return { field: `data.details.${value}`, operator: "is_not_empty" };
  if (isDetail) return toFieldCondition(typeof key === "string" ? `data.details.${key}` : undefined, operation, value);
  return toFieldCondition(FIELDS[field], operation, value);
};

const describeCondition = ({ field, key, not, operation, expectedValue }: Criterion): string =>
  [field, key, not ? "not" : "", operation, expectedValue].filter((part) => (part ?? "") !== "").join(" ");

/** Converts a condition to a formula on events with a key; undefined if no formula on the events' fields can express it. */
const toConditionFormula = (condition: Criterion, eventKey: string): Formula | undefined => {
  const { field, operation, expectedValue, not } = condition;
  const is = field === "priority" ? undefined : toCondition(condition, eventKey);
  const formula = field === "priority" ? toPriorityFormula(operation, expectedValue ?? "", eventKey) : is && { is };
  return formula === undefined || !not ? formula : negateFormula(formula);
};

const listConditions = ({ criteria }: RoutingRule): readonly Criterion[] =>
  criteria?.type === "match-all" ? [] : (criteria?.conditions ?? []);

/** Converts an Opsgenie rule's conditions to a formula. Returns undefined if no rule for the event key can express them. */
const toRuleFormula = (rule: RoutingRule, eventKey: string): Formula | undefined => {
  const { criteria, timeRestriction, timezone } = rule;
  const formulas = listConditions(rule).map((condition) => toConditionFormula(condition, eventKey));
  if (!formulas.every((formula) => formula !== undefined)) return undefined;
  const matches: Formula =
    formulas.length > 0 && criteria?.type === "match-any-condition" ? { any: formulas } : { all: formulas };
  if (timeRestriction === null || timeRestriction === undefined) return matches;
  if (timezone === null || timezone === undefined) return undefined;
  return { all: [matches, { within: { spans: toWeekSpans(timeRestriction), timeZone: timezone } }] };
};

/** Returns why our rules cannot express an Opsgenie routing rule for alerts of Opsgenie clients; undefined if the rules can. */
const explainNotExpressible = (rule: RoutingRule): string | undefined => {
  if (toRuleFormula(rule, toFiringEventKey("opsgenie")) !== undefined) return undefined;
  const unsaid = listConditions(rule).filter(
    (condition) => toConditionFormula(condition, toFiringEventKey("opsgenie")) === undefined,
  );
  return unsaid.length === 0 ? "the hours of the rule have no time zone." : unsaid.map(describeCondition).join("; ");
};

type Notify = NonNullable<RoutingRule["notify"]>;
type FindRecipients = (notify: Notify) => RuleRecipients | undefined;

/** Returns the target that a rule notifies; undefined if the rule notifies nobody. */
const findNotifiedTarget = ({ notify }: RoutingRule): Notify | undefined =>
  notify === null || notify?.type === "none" ? undefined : notify;

const toBranch = (draft: Draft, team: string, rule: RoutingRule, findRecipients: FindRecipients): Branch => {
  const called = rule.isDefault ? "default" : (rule.name ?? "without a name");
  const what = draft.count("routing rules", `Routing rule ${team}: ${called}`);
  const notify = findNotifiedTarget(rule);
  const recipients = notify === undefined ? undefined : findRecipients(notify);
  if (notify !== undefined && recipients === undefined)
    draft.different(what, `The export has no ${notify.type} ${notify.name ?? notify.id ?? ""} that notifies anybody.`);
  return {
    what,
    name: `${team}: ${called}`,
    recipients,
    when: (eventKey) => toRuleFormula(rule, eventKey),
    why: explainNotExpressible(rule),
  };
};

/** Adds a team's rules. `events`: the conditions of alerts that reach the team; `findRecipients`: returns a rule's recipients. */
export const addRoutingRules = (
  draft: Draft,
  team: string,
  events: readonly ReachingEvents[],
  rules: readonly RoutingRule[],
  findRecipients: FindRecipients,
): void => {
  const inOrder = rules.toSorted(
    (one, other) => Number(one.isDefault) - Number(other.isDefault) || one.order - other.order,
  );
  const branches = inOrder.map((rule) => toBranch(draft, team, rule, findRecipients));
  addBranches(draft, team, events, branches);
};

/** Adds a rule by which the alerts in `events` notify `recipients` (undefined: nobody). `what`: the alerts' name in remarks. */
export const addDirectRules = (
  draft: Draft,
  what: string,
  name: string,
  events: readonly ReachingEvents[],
  recipients: RuleRecipients | undefined,
): void => {
  if (events.length > 0) addBranches(draft, name, events, [{ what, name, when: ALWAYS_HOLDS, recipients }]);
};
