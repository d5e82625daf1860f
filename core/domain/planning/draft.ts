import * as v from "valibot";
import { isId } from "../basics/ids.ts";
import type { Fault } from "../basics/refusal.ts";
import { EscalationPolicyInput, type FrozenPolicy } from "../escalation/escalation-policy.ts";
import { DraftOverride, OnCallSchedule, OVERRIDES_MAX } from "../on-call/index.ts";
import { type People, replaceSchedules } from "../people/people.ts";
import { findRuleReferenceFaults, findStepReferenceFaults } from "./references.ts";
import { findCostlyPatterns, listPatterns } from "../rules/matching/index.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import { findRuleFaults, RuleInput } from "../rules/rule-input.ts";

/** Fields of a saved rule that are ignored in a draft, because a draft may be an edited copy of the rule. */
const shown = {
  workspaceId: v.exactOptional(v.unknown()),
  version: v.exactOptional(v.unknown()),
  createdAt: v.exactOptional(v.unknown()),
  updatedAt: v.exactOptional(v.unknown()),
  createdBy: v.exactOptional(v.unknown()),
  updatedBy: v.exactOptional(v.unknown()),
  warnings: v.exactOptional(v.unknown()),
};

const RULE_ID_MESSAGE = "id must be the id of the rule that the draft replaces; leave it out for a new rule.";
const POLICY_ID_MESSAGE =
  "id must be the id of the policy that the draft replaces, or a new id that rules can name, such as pol_draft.";

/** A draft with an id replaces the saved rule with the same id. A draft without an id is a new rule. */
const DraftRule = v.strictObject({
  id: v.exactOptional(
    v.pipe(
      v.string(RULE_ID_MESSAGE),
      v.check((id) => isId("rule", id), RULE_ID_MESSAGE),
    ),
  ),
  ...RuleInput.entries,
  name: v.optional(RuleInput.entries.name, "Draft"),
  ...shown,
});
type DraftRule = v.InferOutput<typeof DraftRule>;

const DraftPolicy = v.strictObject({
  id: v.pipe(
    v.string(POLICY_ID_MESSAGE),
    v.check((id) => isId("pol", id), POLICY_ID_MESSAGE),
  ),
  ...EscalationPolicyInput.entries,
  ...shown,
});
type DraftPolicy = v.InferOutput<typeof DraftPolicy>;

const draftListSchema = <Draft extends { id?: string }>(field: string, draft: v.GenericSchema<unknown, Draft>) =>
  v.pipe(
    v.array(draft, `${field} must be an array.`),
    v.checkItems(
      ({ id }, index, drafts) => id === undefined || drafts.findIndex((other) => other.id === id) === index,
      "Another draft has the same id.",
    ),
  );

export const DraftRules = draftListSchema("rules", DraftRule);
export const DraftPolicies = draftListSchema("policies", DraftPolicy);

/** Replaces a group's schedule, its overrides, or both. */
const DraftOnCall = v.strictObject({
  groupId: v.string("groupId must be the id of a group."),
  schedule: v.exactOptional(OnCallSchedule),
  overrides: v.exactOptional(
    v.pipe(
      v.array(DraftOverride, "overrides must be an array."),
      v.maxLength(OVERRIDES_MAX, `overrides must have at most ${OVERRIDES_MAX} entries.`),
    ),
  ),
});
export const DraftsOnCall = v.pipe(
  v.array(DraftOnCall, "onCall must be an array."),
  v.checkItems(
    ({ groupId }, index, drafts) => drafts.findIndex((other) => other.groupId === groupId) === index,
    "Another draft is for the same group.",
  ),
);
type DraftsOnCall = v.InferOutput<typeof DraftsOnCall>;

/** Returns the people with the drafted schedules and overrides instead of the groups' saved ones. */
export const applyOnCallDrafts = (people: People, drafts: DraftsOnCall): People =>
  drafts.length === 0
    ? people
    : replaceSchedules(
        people,
        drafts.map(({ groupId, schedule, overrides }) => ({
          groupId,
          schedule: schedule === undefined ? undefined : { ...schedule, groupId, updatedAt: "" },
          overrides: overrides?.map((override, index) => ({
            ...override,
            id: `ovr_draft${index}`,
            groupId,
            createdAt: "",
          })),
        })),
      );

export const findUnknownGroupFaults = (drafts: DraftsOnCall, { groups }: People): Fault[] =>
  drafts.flatMap(({ groupId }, index) =>
    groups.has(groupId)
      ? []
      : {
          field: `onCall[${index}].groupId`,
          code: "unknown_reference",
          message: "groupId must be the id of a group of this workspace.",
        },
  );

/** Whether a draft rule is new or replaces a saved rule; null for a saved rule. */
export const DraftKind = v.nullable(v.picklist(["added", "replaced"]));

/** `drafts`: whether each draft is new or replaces a saved rule, by id. */
export type DraftedRules = { rules: RoutingRule[]; drafts: ReadonlyMap<string, "added" | "replaced"> };

/** Converts a draft to a rule with the given id. `saved`: the rule that the draft replaces, if any. */
const toRule = ({ name, eventKey, targets, ...draft }: DraftRule, id: string, saved?: RoutingRule): RoutingRule => ({
  id,
  workspaceId: saved?.workspaceId ?? "ws_",
  name,
  eventKey,
  targets,
  conditions: draft.conditions,
  conditionMatch: draft.conditionMatch,
  requiresAck: draft.requiresAck,
  priorityOverride: draft.priorityOverride,
  onCallOnly: draft.onCallOnly,
  escalationPolicyId: draft.escalationPolicyId,
  enabled: draft.enabled,
  fallback: draft.fallback,
  activeHours: draft.activeHours,
  timeZone: draft.timeZone,
  groupBy: draft.groupBy,
  groupMinutes: draft.groupMinutes,
  atLeast: draft.atLeast,
  chain: draft.chain,
  position: draft.position,
  version: saved?.version ?? 0,
  createdAt: saved?.createdAt ?? "",
  updatedAt: saved?.updatedAt ?? "",
});

/** Returns all drafts, then the saved rules that no draft replaces. */
export const mergeDraftRules = (savedRules: readonly RoutingRule[], drafts: readonly DraftRule[]): DraftedRules => {
  const byId = new Map(savedRules.map((rule) => [rule.id, rule]));
  const drafted = drafts.map((draft, index) => {
    const id = draft.id ?? `draft ${index}`;
    return toRule(draft, id, byId.get(id));
  });
  const kinds = drafted.map(({ id }) => [id, byId.has(id) ? "replaced" : "added"] as const);
  const ids = new Set(drafted.map(({ id }) => id));
  return { rules: [...drafted, ...savedRules.filter(({ id }) => !ids.has(id))], drafts: new Map(kinds) };
};

/** Returns the people with the draft policies, which replace saved policies with the same ids. */
export const applyDraftPolicies = (people: People, drafts: readonly DraftPolicy[]): People => {
  const drafted = drafts.map(
    ({ id, name, repeat, confirmWithinSeconds, ackMinutes, steps }): [string, FrozenPolicy] => [
      id,
      { id, name, repeat, confirmWithinSeconds: confirmWithinSeconds ?? null, ackMinutes, steps },
    ],
  );
  return { ...people, policies: new Map([...people.policies, ...drafted]) };
};

const prefixFaults = (prefix: string, faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, field: `${prefix}.${fault.field}` }));

/** Returns faults for unknown ids and inconsistent fields in drafts. `people` includes draft policies, which rules may name. */
export const findDraftReferenceFaults = (
  rules: readonly DraftRule[],
  policies: readonly DraftPolicy[],
  people: People,
): Fault[] => [
  ...rules.flatMap((rule, index) =>
    prefixFaults(`rules[${index}]`, [...findRuleReferenceFaults(rule, people), ...findRuleFaults(rule)]),
  ),
  ...policies.flatMap(({ steps }, index) => prefixFaults(`policies[${index}]`, findStepReferenceFaults(steps, people))),
];

/** Returns faults for regular expressions of the drafts that cost too much together with those of all rules. */
export const findDraftPatternFaults = (
  drafts: readonly Pick<DraftRule, "conditions">[],
  { rules }: Pick<DraftedRules, "rules">,
): Fault[] =>
  findCostlyPatterns(
    drafts.map(({ conditions }, index) => ({ prefix: `rules[${index}].`, conditions })),
    listPatterns(rules.map(({ conditions }) => conditions)),
  );
