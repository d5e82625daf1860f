import * as v from "valibot";
import type { EventContent } from "./event.ts";
import { explainRule } from "./matching/index.ts";
import { DeviceOutcome } from "./notification.ts";
import { NotificationView } from "./notification-view.ts";
import type { People } from "./people.ts";
import type { RoutingRule } from "./routing-rule.ts";
import { Trace } from "./trace.ts";

/** A notification with the reasons for it. */
export const ExplainedNotification = v.object({
  ...NotificationView.entries,
  why: v.object({
    /** The rule's key and conditions at the version that matched; null when that version is not kept. */
    trace: v.nullable(Trace),
    groupId: v.nullable(v.string()),
    /** The on-call layer (from 0) or override by which the person was on call; both null where nobody asked. */
    onCallLayer: v.nullable(v.number()),
    overrideId: v.nullable(v.string()),
    priorityFrom: v.picklist(["event", "rule"]),
    /** How the push to each device stands; null until a sender has looked for devices. */
    devices: v.nullable(v.array(v.object({ deviceId: v.string(), outcome: DeviceOutcome, tries: v.number() }))),
  }),
});
export type ExplainedNotification = v.InferOutput<typeof ExplainedNotification>;

/** Why a rule did or did not tell somebody of an event. */
const reasons = {
  told: "The rule told this person.",
  rule_disabled: "The rule is disabled.",
  event_key_differs: "The rule is for other event keys.",
  conditions_differ: "The rule's conditions do not hold for this event.",
  not_matched_then: "The rule matches as it is now, but it was not there or was different when the event was matched.",
  not_in_target_groups: "The person is in none of the rule's groups.",
  not_on_call: "The rule tells only those on call, and the person was not on call.",
  not_told_then: "The rule would tell the person as things are now; it was different when the event was matched.",
} as const;

const reasonCodes = [
  "told",
  "rule_disabled",
  "event_key_differs",
  "conditions_differ",
  "not_matched_then",
  "not_in_target_groups",
  "not_on_call",
  "not_told_then",
] as const;
const ReasonCode = v.picklist(reasonCodes);
type ReasonCode = v.InferOutput<typeof ReasonCode>;

const ExplainedRule = v.object({
  id: v.string(),
  name: v.string(),
  /** The version that is explained: the one that matched, or else the latest. */
  version: v.number(),
  reason: ReasonCode,
  message: v.string(),
  trace: Trace,
});
export type ExplainedRule = v.InferOutput<typeof ExplainedRule>;

/** Why somebody was told of an event or was not, rule by rule. */
export const Explanation = v.object({
  eventId: v.string(),
  userId: v.string(),
  /** False: nobody has been told yet, because the rules have not been asked. */
  matched: v.boolean(),
  member: v.boolean(),
  told: v.boolean(),
  notifications: v.array(NotificationView),
  rules: v.array(ExplainedRule),
});
export type Explanation = v.InferOutput<typeof Explanation>;

type Then = { matched: boolean; told: boolean; at: number };

const reasonOf = (
  rule: RoutingRule,
  trace: ReturnType<typeof explainRule>,
  then: Then,
  people: People,
  userId: string,
): ReasonCode => {
  if (then.told) return "told";
  if (!then.matched) {
    if (!trace.enabled) return "rule_disabled";
    if (!trace.eventKey.verdict) return "event_key_differs";
    return trace.matches ? "not_matched_then" : "conditions_differ";
  }
  const groups = rule.targets.filter(({ groupId }) => people.groups.get(groupId)?.memberIds.includes(userId));
  if (groups.length === 0) return "not_in_target_groups";
  if (rule.onCallOnly && !groups.some(({ groupId }) => people.onCall(groupId, then.at).has(userId)))
    return "not_on_call";
  return "not_told_then";
};

/** Explains one rule to one person. `then`: what was decided when the event was matched, and when that was. */
export const explainRuleFor = (
  rule: RoutingRule,
  content: EventContent,
  then: Then,
  people: People,
  userId: string,
): ExplainedRule => {
  const trace = explainRule(rule, content);
  const reason = reasonOf(rule, trace, then, people, userId);
  return { id: rule.id, name: rule.name, version: rule.version, reason, message: reasons[reason], trace };
};
