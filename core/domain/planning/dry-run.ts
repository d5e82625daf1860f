import * as v from "valibot";
import { UnreachedGroup } from "../people/recipient.ts";
import type { EventWarning } from "../basics/refusal.ts";
import { TriedEvent, listEventWarnings, SenderName, addSender } from "../event/event.ts";
import { LISTS_MAX_BYTES, takeItemsThatFit } from "../basics/fitting.ts";
import { DRY_RUN_RULES_MAX } from "../basics/limits.ts";
import type { Recipient } from "../people/recipient.ts";
import { ScheduledStepsView, toScheduledStepsView } from "../people/notification-rules.ts";
import type { NotifiedEvent } from "../people/scheduled-steps.ts";
import { scheduleRecipientSteps, type People } from "../people/people.ts";
import { planRule } from "./plan-delivery.ts";
import { Priority } from "../basics/priority.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import { RuleInput } from "../rules/rule-input.ts";
import { Trace, traceRules } from "../rules/trace.ts";
import { Warning } from "../basics/warning.ts";

export const DryRunInput = v.object({
  event: TriedEvent,
  rule: v.exactOptional(v.strictObject({ ...RuleInput.entries, name: v.optional(RuleInput.entries.name, "Draft") })),
  sender: v.exactOptional(SenderName),
});
export type DryRunInput = v.InferOutput<typeof DryRunInput>;

const Person = v.object({
  userId: v.string(),
  name: v.string(),
  email: v.string(),
  /** The target group through which the person is notified; null if the rule names the person. */
  groupId: v.nullable(v.string()),
  onCallLayer: v.nullable(v.number()),
  overrideId: v.nullable(v.string()),
  /** When the person's own steps page; null if every device is notified at once. */
  rings: ScheduledStepsView,
});

export const TriedRule = v.object({
  /** The rule's id; null for a draft. */
  id: v.nullable(v.string()),
  name: v.string(),
  ...Trace.entries,
  requiresAck: v.boolean(),
  priority: Priority,
  recipients: v.array(Person),
  /** The number of recipients that did not fit into the answer. */
  recipientsNotListed: v.number(),
  /** Target groups in which nobody would be notified now, with reasons. */
  unreached: v.array(UnreachedGroup),
});

export const DryRun = v.object({
  matchedRules: v.number(),
  /** The number of recipients; a person whom several rules notify counts once. */
  recipients: v.number(),
  rules: v.array(TriedRule),
  /** The number of rules that did not fit into the answer. Rules for other event keys are left out first. */
  omittedRules: v.number(),
  /** Warnings about unreachable people, and about fields of the event that would not be stored. */
  warnings: v.array(Warning),
});
export type DryRun = v.InferOutput<typeof DryRun>;

const Sent = v.object({ event: v.looseObject({}) });

/** Returns the warnings that sending the `event` of a dry run would cause; none if the body has no object `event`. */
export const listSentFieldWarnings = (json: unknown): EventWarning[] =>
  v.is(Sent, json) ? listEventWarnings(json.event) : [];

/** Returns the recipient with name and steps. `notified`: the properties of the event on which the times of steps depend. */
export const toRecipientView = (recipient: Recipient, people: People, notified: Omit<NotifiedEvent, "isLoud">) => {
  const { userId, reason } = recipient;
  const member = people.members.get(userId);
  return {
    userId,
    name: member?.name ?? "",
    email: member?.email ?? "",
    groupId: reason.groupId ?? null,
    onCallLayer: reason.layer ?? null,
    overrideId: reason.overrideId ?? null,
    rings: toScheduledStepsView(scheduleRecipientSteps(people, recipient, notified)),
  };
};

const DRAFT = "rule_draft";

const toDraftRule = (input: NonNullable<DryRunInput["rule"]>): RoutingRule => ({
  id: DRAFT,
  workspaceId: "ws_",
  ...input,
  version: 0,
  createdAt: "",
  updatedAt: "",
});

/** The share of the answer's bytes that is reserved for people, because traces of many rules could use all bytes. */
const PEOPLE_PART = 0.3;

/** Returns the first rules that fit into `maxBytes`, each with the recipients that fit and the number of other recipients. */
export const takeRulesThatFit = <Rule extends { recipients: readonly object[] }>(
  rules: readonly Rule[],
  maxBytes: number,
) => {
  const forPeople = maxBytes * PEOPLE_PART;
  const bare = rules.map((rule) => ({ ...rule, recipients: [], recipientsNotListed: 0 }));
  const { taken, left: rest } = takeItemsThatFit(bare, maxBytes - forPeople);
  let left = rest + forPeople;
  return rules.slice(0, taken.length).map((rule) => {
    const { recipients } = rule;
    const listed = takeItemsThatFit(recipients, left);
    ({ left } = listed);
    return { ...rule, recipients: listed.taken, recipientsNotListed: recipients.length - listed.taken.length };
  });
};

/** Returns what the rules and the draft in `input` decide about an event at `now` (ms). Uses the code that plans real events. */
export const runDryRun = (
  input: DryRunInput,
  savedRules: readonly RoutingRule[],
  people: People,
  warnings: DryRun["warnings"],
  now: number,
): DryRun => {
  const rules = [...(input.rule === undefined ? [] : [toDraftRule(input.rule)]), ...savedRules];
  const event = addSender(input.event, input.sender);
  const tried = traceRules(rules, event, now).map(({ rule, trace }) => {
    const plan = planRule(rule, event, people, now);
    return {
      id: rule.id === DRAFT ? null : rule.id,
      name: rule.name,
      ...trace,
      requiresAck: plan.requiresAck,
      priority: plan.priority,
      unreached: plan.unreached ?? [],
      recipients: trace.matches
        ? plan.recipients.map((recipient) => toRecipientView(recipient, people, { ...plan, at: now }))
        : [],
    };
  });
  const near = tried.length <= DRY_RUN_RULES_MAX ? tried : tried.filter(({ eventKey }) => eventKey.verdict);
  const shown = takeRulesThatFit(near, LISTS_MAX_BYTES);
  const notified = new Set(tried.flatMap(({ recipients }) => recipients.map(({ userId }) => userId)));
  return {
    matchedRules: tried.filter(({ matches }) => matches).length,
    recipients: notified.size,
    rules: shown,
    omittedRules: tried.length - shown.length,
    warnings,
  };
};
