import type { Draft } from "../draft.ts";
import type { Ladder } from "../ladder.ts";
import { addRule, conditionsOf, resourceFor, type Drafted } from "../rules.ts";
import type { RoutingRule } from "./shape.ts";

const FIELDS: Readonly<Record<string, string>> = {
  message: "title",
  description: "body",
  priority: "priority",
  entity: "data.entity",
  source: "data.source",
};

const OPERATORS: Readonly<Record<string, readonly [plain: string, negated?: string]>> = {
  equals: ["equals", "not_equals"],
  contains: ["contains"],
  "starts-with": ["starts_with"],
  "ends-with": ["ends_with"],
  matches: ["matches_regex"],
  "is-empty": ["is_empty", "is_not_empty"],
  "greater-than": ["greater_than", "less_than_or_equal"],
  "less-than": ["less_than", "greater_than_or_equal"],
};

/** The mapping of `POST /v1/events/from/opsgenie`. */
const PRIORITIES: Readonly<Record<string, string>> = { P1: "URGENT", P2: "HIGH", P3: "NORMAL", P4: "LOW", P5: "LOW" };

type Condition = NonNullable<RoutingRule["criteria"]>["conditions"][number];

const draftOf = ({ field, key, not, operation, expectedValue }: Condition): Drafted | undefined => {
  const ours = field === "extra-properties" && typeof key === "string" ? `data.details.${key}` : FIELDS[field];
  const operator = OPERATORS[operation]?.[not ? 1 : 0];
  if (ours === undefined || operator === undefined) return undefined;
  if (operator === "is_empty" || operator === "is_not_empty") return { field: ours, operator };
  const value = expectedValue ?? "";
  return { field: ours, operator, value: ours === "priority" ? (PRIORITIES[value] ?? value) : value };
};

type Notify = NonNullable<RoutingRule["notify"]>;
type LadderOf = (notify: Notify) => Ladder | undefined;

/** Whom a rule tells; undefined if nobody. */
const notifyOf = ({ notify }: RoutingRule): Notify | undefined =>
  notify === null || notify?.type === "none" ? undefined : notify;

const addRoutingRule = (draft: Draft, team: string, eventKey: string, rule: RoutingRule, ladderOf: LadderOf): void => {
  const called = rule.isDefault ? "default" : (rule.name ?? "without a name");
  const what = `Routing rule ${team}: ${called}`;
  const notify = notifyOf(rule);
  if (notify === undefined) {
    draft.left(what, "It tells nobody.");
    return;
  }
  const ladder = ladderOf(notify);
  if (ladder === undefined) {
    draft.left(what, `The export has no ${notify.type} ${notify.name ?? notify.id ?? ""} that tells anybody.`);
    return;
  }
  const { criteria, timeRestriction } = rule;
  const drafts = criteria?.type === "match-all" ? [] : (criteria?.conditions ?? []).map(draftOf);
  const read = drafts.every((one) => one !== undefined) ? conditionsOf(drafts) : undefined;
  if (read === undefined || "fault" in read) {
    draft.left(what, `Its conditions cannot be written as ours. ${read?.fault ?? ""}`.trim());
    return;
  }
  const timed = timeRestriction !== null && timeRestriction !== undefined;
  const name = addRule(draft, `${team}: ${called}`, ladder, {
    eventKey,
    conditions: read.conditions,
    conditionMatch: criteria?.type === "match-any-condition" ? "any" : "all",
    enabled: !timed,
  });
  draft.taken(what, `rule ${name}`);
  if (timed) draft.different(what, "It is for some hours only, which no rule here has: it is disabled.");
};

/** Adds the routing rules of a team to the file. `ladderOf`: whom a rule's target tells. */
export const addRoutingRules = (
  draft: Draft,
  team: string,
  rules: readonly RoutingRule[],
  ladderOf: LadderOf,
): void => {
  const eventKey = `${resourceFor(team)}.*`;
  for (const rule of rules.toSorted((one, other) => one.order - other.order))
    addRoutingRule(draft, team, eventKey, rule, ladderOf);
  const told = rules.filter((rule) => notifyOf(rule) !== undefined);
  if (told.length === 0) return;
  draft.different(
    `Routing of team ${team}`,
    `The rules are for events with the key ${eventKey.replace("*", "<action>")}: let the team's senders use it, or write the condition by which its alerts are known.`,
  );
  if (told.length > 1)
    draft.different(
      `Routing of team ${team}`,
      "There the first rule that matches decides; here every rule that matches tells its people.",
    );
};
