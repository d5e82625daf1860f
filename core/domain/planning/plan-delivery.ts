import { notificationCount, type DeliveryPlan, type PlannedRule } from "../delivery/delivery-plan.ts";
import type { EventContent } from "../event/event.ts";
import { resolveTargets, unreachedGroups, type People } from "../people/people.ts";
import { canonicalPriority } from "../basics/priority.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";

/** Whom one matching rule tells about an event. */
export const planRule = (rule: RoutingRule, content: EventContent, people: People, at: number): PlannedRule => {
  const requiresAck = content.requiresAck ?? rule.requiresAck;
  const policy = rule.escalationPolicyId === null ? undefined : people.policies.get(rule.escalationPolicyId);
  const override = rule.priorityOverride;
  const targets = rule.targets.map((target) => ({ ...target, onCallOnly: rule.onCallOnly }));
  const recipients = resolveTargets(people, targets, at);
  const unreached = unreachedGroups(people, targets, recipients, at);
  return {
    rule: { id: rule.id, version: rule.version, name: rule.name },
    requiresAck,
    priority: override === null ? content.priority : canonicalPriority(override),
    priorityFrom: override === null ? "event" : "rule",
    recipients,
    ...(unreached.length > 0 ? { unreached } : {}),
    ...(requiresAck && policy !== undefined ? { escalation: policy } : {}),
  };
};

/** Whether a plan asks somebody for an acknowledgement, at once or by an escalation step. */
export const needsAck = ({ rules }: Pick<DeliveryPlan, "rules">): boolean =>
  rules.some(
    ({ requiresAck, recipients, escalation }) => requiresAck && (recipients.length > 0 || escalation !== undefined),
  );

/** The plan of an event that a silence covers: the rules that matched, without anybody to tell. */
export const silencePlan = (plan: DeliveryPlan, silence: { id: string; name: string }): DeliveryPlan => ({
  ...plan,
  rules: plan.rules.map((planned) => ({ ...planned, recipients: [], escalation: undefined })),
  silence: { id: silence.id, name: silence.name, recipients: notificationCount(plan) },
});

/** The plan of an event, given the rules that matched it. They are put in the order of their ids. */
export const toDeliveryPlan = (
  matched: readonly RoutingRule[],
  content: EventContent,
  people: People,
  versions: { rulesVersion: number; peopleVersion: number },
  at: number,
): DeliveryPlan => ({
  at,
  ...versions,
  rules: matched
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((rule) => planRule(rule, content, people, at)),
});
