import type { GateOfRule, Hold, PlannedDelivery } from "./planned-delivery.ts";
import type { EventContent } from "../event/event.ts";
import { FLAPPING, type Flapping } from "../event/flapping.ts";
import { isDecidedByRules, type Notice } from "../event/notice.ts";
import type { People } from "../people/people.ts";
import type { Recipient } from "../people/recipient.ts";
import { toGroupOrThreshold } from "../rules/grouping.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import type { RuleSet } from "../rules/rule-set.ts";
import { compileSilence, type Silence } from "../rules/silence.ts";
import { countNotifications, type DeliveryPlan, type KeptStillBy } from "../delivery/delivery-plan.ts";
import { toHeldPlan, needsAcknowledgement, toSilencedPlan, toDeliveryPlan, toNoticePlan } from "./plan-delivery.ts";

/** The maximum number of an event's rules with groups or thresholds. The groups and thresholds of further rules are ignored. */
export const GATES_MAX = 20;

/** The event for which to plan notifications. `keptStill`: the silence that held the event and has ended. */
type EventToPlan = {
  content: EventContent;
  receivedAt: number;
  flapping?: Flapping | undefined;
  keptStill?: KeptStillBy | undefined;
};
type Versions = { rulesVersion: number; peopleVersion: number };
/** The plan before silences and flapping are applied. `coveredAt`: returns the silence that covers the event at a time (ms). */
type ByRules = Omit<PlannedDelivery, "hold"> & { urgent: boolean; coveredAt: (ms: number) => Silence | undefined };

const toSilencedDelivery = ({ plan, ...by }: ByRules, silence: KeptStillBy, hold?: Hold): PlannedDelivery => ({
  ...by,
  plan: toSilencedPlan(plan, silence),
  needsAck: false,
  hold,
  gates: [],
});

/** Applies the silence that covers the event. A silence that notifies at its end holds events that need an acknowledgement. */
const applySilences = (
  rules: RuleSet,
  { receivedAt, keptStill }: EventToPlan,
  delivery: ByRules,
  at: number,
): PlannedDelivery => {
  const first = keptStill ?? delivery.coveredAt(receivedAt);
  if (first === undefined) return delivery;
  const isAsked = keptStill !== undefined || delivery.needsAck;
  if (!isAsked || rules.drops(first.id)) return toSilencedDelivery(delivery, first);
  const still = delivery.coveredAt(at);
  if (still === undefined)
    return { ...delivery, plan: { ...delivery.plan, after: { id: first.id, name: first.name } } };
  const holds = still.afterwards === "tell";
  return toSilencedDelivery(
    delivery,
    still,
    holds ? { heldBy: still.id, until: compileSilence(still)(at).until } : undefined,
  );
};

/** Lists the recipients of all rules, each person once. */
export const listRecipients = ({ rules }: Pick<DeliveryPlan, "rules">): Recipient[] => [
  ...new Map(rules.flatMap(({ recipients }) => recipients.map((one) => [one.userId, one]))).values(),
];

/** Holds the event if its alert flaps, except an URGENT event. People get a silent notice of an alert's first held event. */
const holdIfFlapping = ({ flapping }: EventToPlan, delivery: ByRules, at: number): PlannedDelivery => {
  if (flapping === undefined || delivery.urgent || delivery.plan.rules.length === 0) return delivery;
  const { until, first } = flapping;
  if (at >= until) return { ...delivery, plan: { ...delivery.plan, flapping: { until } } };
  const hold = { heldBy: FLAPPING, until, ...(first ? { says: listRecipients(delivery.plan) } : {}) };
  return { ...delivery, plan: toHeldPlan(delivery.plan, until), needsAck: false, hold, gates: [] };
};

/** Returns the groups and thresholds that the matching rules have for this event. */
const listGroupings = (plan: DeliveryPlan, matching: readonly RoutingRule[], content: EventContent): GateOfRule[] => {
  const grouping = matching.filter(({ groupBy, atLeast }) => groupBy !== null || atLeast !== null);
  if (grouping.length === 0) return [];
  const byId = new Map(grouping.map((rule) => [rule.id, rule]));
  const gates = plan.rules.flatMap(({ rule: { id }, recipients, escalation }, rule) => {
    const grouped = recipients.length === 0 && escalation === undefined ? undefined : byId.get(id);
    const gate = grouped && toGroupOrThreshold(grouped, content);
    return gate === undefined ? [] : [{ rule, gate }];
  });
  return gates.slice(0, GATES_MAX);
};

/** Plans whom an event notifies. `at`: the time of the decision, in milliseconds. */
export const planEvent = (
  rules: RuleSet,
  people: People,
  event: EventToPlan,
  versions: Versions,
  at: number,
): PlannedDelivery => {
  const { content, receivedAt } = event;
  const { notice } = content;
  const planNoticeDelivery = (eventNotice: Notice): PlannedDelivery => {
    const plan = toNoticePlan(eventNotice, content, people, versions, at);
    return { plan, called: countNotifications(plan), needsAck: needsAcknowledgement(plan), overBudget: [], gates: [] };
  };
  if (notice !== undefined && !isDecidedByRules(content)) return planNoticeDelivery(notice);
  const { rules: matched, overBudget } = rules.match(content, receivedAt);
  if (notice !== undefined && matched.length === 0) return planNoticeDelivery(notice);
  const plan = toDeliveryPlan(matched, content, people, versions, at);
  const urgent = [content, ...plan.rules].some(({ priority }) => priority === "URGENT");
  const findSilenceAt = (ms: number) =>
    plan.rules.length === 0 ? undefined : rules.silenceOf({ ...content, at: ms, urgent });
  const gates = listGroupings(plan, matched, content);
  const rooms = rules.listChatConnectionIds(matched);
  const isFollowed = (rooms.length > 0 || rules.follows(content.eventKey)) && plan.rules.length > 0;
  const by = {
    plan: { ...plan, ...(isFollowed ? { followed: true as const } : {}), ...(rooms.length > 0 ? { rooms } : {}) },
    called: countNotifications(plan),
    needsAck: needsAcknowledgement(plan),
    overBudget,
    gates,
    urgent,
    coveredAt: findSilenceAt,
  };
  const silenced = applySilences(rules, event, by, at);
  if (silenced.plan.silence !== undefined) return silenced;
  return holdIfFlapping(event, { ...by, ...silenced }, at);
};
