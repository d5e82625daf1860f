import { countNotifications, type DeliveryPlan, type PlannedRule } from "../delivery/delivery-plan.ts";
import type { EventContent } from "../event/event.ts";
import { noticeRule, type Notice } from "../event/notice.ts";
import { listOwnerIds, listRecipientsOfTargets, findUnreachedGroups, type People } from "../people/people.ts";
import { canonicalizePriority } from "../basics/priority.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";

/** Plans whom the rule notifies of an event that it matches, with the people on call at the time `ms`. */
export const planRule = (rule: RoutingRule, content: EventContent, people: People, ms: number): PlannedRule => {
  const requiresAck = content.requiresAck ?? rule.requiresAck;
  const policy = rule.escalationPolicyId === null ? undefined : people.policies.get(rule.escalationPolicyId);
  const override = rule.priorityOverride;
  const targets = rule.targets.map((target) => ({ ...target, onCallOnly: rule.onCallOnly }));
  const recipients = listRecipientsOfTargets(people, targets, ms);
  const unreached = findUnreachedGroups(people, targets, recipients, ms);
  return {
    rule: { id: rule.id, version: rule.version, name: rule.name },
    requiresAck,
    priority: override === null ? content.priority : canonicalizePriority(override),
    priorityFrom: override === null ? "event" : "rule",
    recipients,
    ...(unreached.length > 0 ? { unreached } : {}),
    ...(requiresAck && policy !== undefined ? { escalation: policy } : {}),
  };
};

/** Plans whom a notice notifies, in the form of a matching rule. */
const planNotice = ({ to }: Notice, content: EventContent, people: People, ms: number): PlannedRule => ({
  rule: noticeRule,
  requiresAck: content.requiresAck ?? false,
  priority: content.priority,
  priorityFrom: "event",
  recipients: listRecipientsOfTargets(
    people,
    (to ?? listOwnerIds(people)).map((userId) => ({ type: "user", userId })),
    ms,
  ),
});

/** Returns the plan of an event whose recipients a notice decides, not rules. `at`: in milliseconds. */
export const toNoticePlan = (
  notice: Notice,
  content: EventContent,
  people: People,
  versions: { rulesVersion: number; peopleVersion: number },
  at: number,
): DeliveryPlan => ({ at, ...versions, rules: [planNotice(notice, content, people, at)] });

/** Returns whether a rule of the plan requires an acknowledgement, even if it has no recipients. */
export const needsAcknowledgement = ({ rules }: Pick<DeliveryPlan, "rules">): boolean =>
  rules.some(({ requiresAck }) => requiresAck);

const toRulesWithoutRecipients = ({ rules }: DeliveryPlan): PlannedRule[] =>
  rules.map((planned) => ({ ...planned, recipients: [], escalation: undefined }));

export const toSilencedPlan = (plan: DeliveryPlan, silence: { id: string; name: string }): DeliveryPlan => ({
  ...plan,
  rules: toRulesWithoutRecipients(plan),
  silence: { id: silence.id, name: silence.name, recipients: countNotifications(plan) },
});

/** Returns the plan of an event that is held until `until` (ms): without recipients, but with their number per rule. */
export const toHeldPlan = (plan: DeliveryPlan, until: number): DeliveryPlan => ({
  ...plan,
  rules: toRulesWithoutRecipients(plan),
  flapping: { until, held: plan.rules.map(({ recipients }) => recipients.length) },
});

/** Plans whom the matching rules notify. Sorts the rules by id. */
export const toDeliveryPlan = (
  matchingRules: readonly RoutingRule[],
  content: EventContent,
  people: People,
  versions: { rulesVersion: number; peopleVersion: number },
  at: number,
): DeliveryPlan => ({
  at,
  ...versions,
  rules: matchingRules
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((rule) => planRule(rule, content, people, at)),
});
