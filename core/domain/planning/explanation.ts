import * as v from "valibot";
import { KeptStillBy, RuleRef, SilencedBy, type PlannedRule } from "../delivery/delivery-plan.ts";
import { ScheduledStepsView } from "../people/notification-rules.ts";
import { Quiet, unreachedReasons } from "../people/recipient.ts";
import type { EventContent } from "../event/event.ts";
import { HeartbeatMiss } from "../event/event.ts";
import { FlappingView } from "../event/event-view.ts";
import { isNoticeRule, NoticeView, describeNotice } from "../event/notice.ts";
import { NotificationStatus } from "../basics/notification-status.ts";
import { wasNotNeeded, NO_DEVICES } from "../delivery/notification.ts";
import { EscalationPosition, describeAddition } from "./why.ts";
import { createNameFinder, isOnCall, type People } from "../people/people.ts";
import { GroupOfRule } from "../rules/grouping.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import { Trace } from "../rules/trace.ts";
import { reasonTexts } from "./reason-texts.ts";
import { unmatchedReasons } from "./unmatched.ts";

export const reasonMessages = {
  ...reasonTexts,
  push_failed: `${reasonTexts.push_failed} The notification's failedReason says why.`,
  conditions_differ: `${reasonTexts.conditions_differ} The trace shows which.`,
};
/** The most informative reason comes first. */
const reasons = [
  "told",
  "queued",
  "not_needed",
  "push_failed",
  "no_device",
  "not_yet",
  "acknowledged_before",
  "silenced",
  "flapping",
  "grouped",
  "shadow",
  "below_threshold",
  "not_on_call",
  "changed",
  "not_for_you",
  "not_in_target_groups",
  "no_group",
  ...unmatchedReasons,
] as const satisfies (keyof typeof reasonMessages)[];
type Reason = (typeof reasons)[number];

/** Why a target group did not notify the person, by the plan or by today's groups. `in_reach`: the group notifies the person. */
const targetGroupReasons = [...unreachedReasons, "not_in_group", "not_on_call", "in_reach"] as const;
type TargetGroupReason = (typeof targetGroupReasons)[number];

/** What an explanation uses: only the stored plan and rule versions (`record`), or today's groups and schedules too (`today`). */
const Basis = v.picklist(["record", "today"]);

const NotifiedBy = v.object({
  id: v.string(),
  status: NotificationStatus,
  failedReason: v.nullable(v.string()),
  /** Why the push is silent; null if it has a sound. */
  quiet: v.nullable(Quiet),
  /** When the person's own steps page; null if every device is notified at once. */
  rings: ScheduledStepsView,
  /** The step that notified the person; null for the rule itself. */
  escalation: v.nullable(EscalationPosition),
});
export type NotifiedBy = v.InferOutput<typeof NotifiedBy>;

const EscalationState = v.object({
  acknowledged: v.boolean(),
  /** When the acknowledgement ends; null without an acknowledgement or if it is permanent. */
  until: v.nullable(v.string()),
  /** The step that fires next; null if none is left. Names are current, and null for deleted groups and former members. */
  next: v.nullable(
    v.object({
      ...EscalationPosition.entries,
      at: v.string(),
      targets: v.array(v.object({ type: v.picklist(["group", "user"]), id: v.string(), name: v.nullable(v.string()) })),
    }),
  ),
});
export type EscalationState = v.InferOutput<typeof EscalationState>;

const RuleExplanation = v.object({
  /** The version of the rule that matched, or that was current when the event was matched. */
  ...RuleRef.entries,
  reason: v.picklist(reasons),
  message: v.string(),
  basis: Basis,
  trace: v.nullable(Trace),
  /** The target groups; empty if the rule did not match. Names are current; null for deleted groups. */
  groups: v.array(
    v.object({ groupId: v.string(), groupName: v.nullable(v.string()), standing: v.picklist(targetGroupReasons) }),
  ),
  /** The notifications, also those by escalation steps. */
  notifications: v.array(NotifiedBy),
  /** The rule's escalation; null if the rule has no escalation. */
  escalation: v.nullable(EscalationState),
  group: GroupOfRule,
});
export type RuleExplanation = v.InferOutput<typeof RuleExplanation>;

export const EventExplanation = v.object({
  event: v.object({ id: v.string(), eventKey: v.string(), title: v.string(), receivedAt: v.string() }),
  /** Name and email are current; null for former members. */
  user: v.object({ id: v.string(), name: v.nullable(v.string()), email: v.nullable(v.string()) }),
  told: v.boolean(),
  summary: v.string(),
  /** The silence that covered the event; null if none did. */
  silence: v.nullable(SilencedBy),
  /** The silence that held the event, if people were notified at its end; otherwise null. */
  afterSilence: v.nullable(KeptStillBy),
  /** How long the event was held because its alert flapped; null if it was not held. */
  flapping: FlappingView,
  /** Why people were notified without a rule; null if rules decided. */
  notice: v.nullable(NoticeView),
  /** The missed or resumed call of a heartbeat; null for other events. */
  heartbeat: v.nullable(v.object({ ...HeartbeatMiss.entries, message: v.string() })),
  decidedAt: v.nullable(v.string()),
  rules: v.array(RuleExplanation),
  /** Rules that notified the person come first and are always listed. */
  rulesNotListed: v.number(),
  /** Says which parts of the answer use more than stored records. */
  notes: v.array(v.string()),
});
export type EventExplanation = v.InferOutput<typeof EventExplanation>;

/** Returns why the target group did not notify the user at the time `ms`; `in_reach` if nothing prevented it. */
const findReasonOfTargetGroup = (
  groupId: string,
  userId: string,
  planned: Pick<PlannedRule, "unreached">,
  onCallOnly: boolean,
  people: People,
  ms: number,
): TargetGroupReason => {
  const kept = planned.unreached?.find((group) => group.groupId === groupId)?.because;
  const member = people.groups.get(groupId)?.memberIds.includes(userId) ?? false;
  // A person outside the group gets `not_in_group`, even if nobody was on call.
  if (kept !== undefined && (kept !== "nobody_on_call" || member)) return kept;
  if (!member) return "not_in_group";
  return onCallOnly && !isOnCall(people, { groupId, userId }, ms) ? "not_on_call" : "in_reach";
};

/** Returns why a rule did not notify a person. `groupReasons`: the reason of each target group of the rule. */
const combineReasonsOfTargetGroups = (groupReasons: readonly TargetGroupReason[]): Reason => {
  if (groupReasons.some((one) => one === "not_on_call" || one === "nobody_on_call")) return "not_on_call";
  if (groupReasons.includes("in_reach")) return "changed";
  return groupReasons.includes("not_in_group") || groupReasons.length === 0 ? "not_in_target_groups" : "no_group";
};

/** Returns a reason if the user is a target of an escalation step that has not fired; otherwise undefined. */
const findEscalationReason = (
  { escalation: policy }: PlannedRule,
  userId: string,
  state: EscalationState | undefined,
  people: People,
): Reason | undefined => {
  const named = policy?.steps.some(({ targets }) =>
    targets.some((target) =>
      target.type === "user"
        ? target.userId === userId
        : (people.groups.get(target.groupId)?.memberIds.includes(userId) ?? false),
    ),
  );
  if (named !== true || state === undefined) return undefined;
  if (state.acknowledged) return "acknowledged_before";
  return state.next === null ? undefined : "not_yet";
};

const toNotificationReason = ({ status, failedReason }: NotifiedBy): Reason => {
  if (status === "QUEUED") return "queued";
  if (status === "SHADOW") return "shadow";
  if (status !== "FAILED") return "told";
  if (wasNotNeeded(failedReason)) return "not_needed";
  return failedReason === NO_DEVICES ? "no_device" : "push_failed";
};

const rankReason = (reason: Reason): number => reasons.indexOf(reason);
const findMostInformativeReason = (candidates: readonly Reason[]): Reason | undefined =>
  candidates.toSorted((a, b) => rankReason(a) - rankReason(b))[0];

/** Returns a reason if the rule's group of events or threshold suppressed the event; otherwise undefined. */
const findGroupingReason = (group: GroupOfRule): Reason | undefined => {
  if (group === null) return undefined;
  if (group.into !== null) return "grouped";
  return group.below === null ? undefined : "below_threshold";
};

/** Returns sentences, each after a space, about how the group or threshold suppressed the event; empty if neither did. */
const describeGroupingReason = (group: GroupOfRule): string => {
  if (group === null || findGroupingReason(group) === undefined) return "";
  const values = group.values.map(({ field, value }) => `${field} = ${value ?? "nothing"}`).join(", ");
  const which = values === "" ? "All events of the rule form one group." : `The group: ${values}.`;
  if (group.into !== null) return ` ${which} The event ${group.into} notified people.`;
  return ` ${which} This event was number ${group.below?.count ?? 0} of the ${group.below?.of ?? 0} required.`;
};

/** Returns a sentence about each override by which somebody was on call in the groups, each after a space. */
const describeOverrides = (groupIds: readonly string[], people: People, ms: number): string => {
  const nameOf = createNameFinder(people);
  return groupIds
    .flatMap((groupId) =>
      people
        .duty(groupId)
        .at(ms)
        .people.map(({ userId, source }) => {
          const id = source.kind === "override" ? source.overrideId : undefined;
          const made = people.overrides.get(groupId)?.find((one) => one.id === id);
          if (made === undefined) return "";
          const by = typeof made.createdBy === "string" ? ` that ${nameOf(made.createdBy)} created` : "";
          const group = people.groups.get(groupId)?.group.name ?? groupId;
          return ` ${nameOf(userId)} was on call in ${group} because of the override ${made.id}${by} at ${made.createdAt}.`;
        }),
    )
    .join("");
};

/** Explains why a matching rule did or did not notify the user. `at`: time of the plan. `snapshot`: the version that matched. */
export const explainMatchedRule = (
  planned: PlannedRule,
  userId: string,
  at: number,
  known: {
    snapshot: RoutingRule | undefined;
    trace: Trace | undefined;
    notifications: NotifiedBy[];
    escalation: EscalationState | undefined;
    /** `asPlanned`: true if groups and schedules have not changed since the plan. */
    people: People;
    asPlanned: boolean;
    /** What kept the rules from notifying anybody: a silence or flapping. */
    held: "silenced" | "flapping" | undefined;
    group: GroupOfRule;
  },
): RuleExplanation => {
  const { snapshot, trace, notifications, escalation, people, asPlanned, group } = known;
  // People who were added to the event are notified although the event is held.
  const held = planned.added === undefined ? known.held : undefined;
  const named = planned.recipients.find((recipient) => recipient.userId === userId)?.reason.groupId;
  const groupIds = new Set(snapshot?.targets.map(({ groupId }) => groupId));
  const groups = [...groupIds].map((groupId) => ({
    groupId,
    groupName: people.groups.get(groupId)?.group.name ?? null,
    standing:
      groupId === named
        ? ("in_reach" as const)
        : findReasonOfTargetGroup(groupId, userId, planned, snapshot?.onCallOnly === true, people, at),
  }));
  const reason =
    held ??
    findGroupingReason(group) ??
    findMostInformativeReason(notifications.map(toNotificationReason)) ??
    findEscalationReason(planned, userId, escalation, people) ??
    (isNoticeRule(planned.rule) ? ("not_for_you" as const) : undefined) ??
    combineReasonsOfTargetGroups(groups.map((group) => group.standing));
  // The recipients of a later step are not decided yet, so only today's groups are known.
  const ofSteps = reason === "not_yet" || reason === "acknowledged_before";
  const recorded =
    notifications.length > 0 ||
    held !== undefined ||
    findGroupingReason(group) !== undefined ||
    isNoticeRule(planned.rule) ||
    reason === "no_group" ||
    (asPlanned && !ofSteps);
  return {
    ...planned.rule,
    reason,
    message:
      (planned.added === undefined ? "" : `Notified because ${describeAddition(planned.added)}. `) +
      reasonMessages[reason] +
      describeGroupingReason(group) +
      (snapshot?.onCallOnly === true ? describeOverrides([...groupIds], people, at) : ""),
    basis: recorded ? "record" : "today",
    trace: trace ?? null,
    groups,
    notifications,
    escalation: escalation ?? null,
    group,
  };
};

const doConditionsHold = ({ conditions, conditionMatch }: Trace): boolean => {
  const verdicts = conditions.map(({ verdict }) => verdict);
  return verdicts.length === 0 || (conditionMatch === "all" ? !verdicts.includes(false) : verdicts.includes(true));
};

/** Returns why the rule did not match; `changed` if the rule matches according to the trace. */
const toTraceReason = (trace: Trace): Reason => {
  if (trace.matches) return "changed";
  if (!trace.enabled) return "rule_disabled";
  if (!trace.eventKey.verdict) return "event_key_differs";
  if (!doConditionsHold(trace)) return "conditions_differ";
  if (trace.activeHours?.verdict === false) return "outside_active_hours";
  return trace.fallback?.verdict === false ? "fallback_not_needed" : "earlier_in_chain";
};

/** Returns a sentence about the rule that took precedence; undefined if none did. */
const describeDecider = (reason: Reason, { fallback, chain }: Trace): string | undefined => {
  if (reason === "fallback_not_needed")
    return `This is a fallback rule, and the rule "${fallback?.matched?.name ?? ""}" matched.`;
  if (reason !== "earlier_in_chain") return undefined;
  return `An earlier rule of the chain "${chain?.name ?? ""}" matched: "${chain?.matched?.name ?? ""}".`;
};

/** Explains why a rule did not match. `trace`: compares the event with the rule's version at the time of the matching. */
export const explainUnmatchedRule = (
  { id, name, version }: Pick<RoutingRule, "id" | "name" | "version">,
  trace: Trace,
): RuleExplanation => {
  // If the rule changed while the event was queued, an earlier version may have been matched.
  const reason = toTraceReason(trace);
  const changed = reason === "changed";
  return {
    id,
    name,
    version,
    reason,
    message: describeDecider(reason, trace) ?? reasonMessages[reason],
    basis: changed ? "today" : "record",
    trace,
    groups: [],
    notifications: [],
    escalation: null,
    group: null,
  };
};

/** Explains an event about a heartbeat's missed or resumed call (`miss`); returns null for other events. */
export const explainHeartbeat = (miss: EventContent["heartbeat"]): EventExplanation["heartbeat"] => {
  if (miss === undefined) return null;
  const { name, missedAt, calledAt } = miss;
  const message =
    calledAt === null
      ? `No call of the heartbeat "${name}" arrived by ${missedAt}.`
      : `The heartbeat "${name}" was called again at ${calledAt}. Calls had been missing since ${missedAt}.`;
  return { ...miss, message };
};

type HoldAndNotice = {
  silence?: SilencedBy | undefined;
  after?: KeptStillBy | undefined;
  flapping?: FlappingView;
  notice?: NoticeView | null;
};

/** Returns sentences, each after a space, about the ended silence and the hold for flapping; empty without either. */
const describeHold = (silence: KeptStillBy | undefined, flapping: FlappingView): string =>
  (silence === undefined ? "" : ` People were notified when the silence "${silence.name}" ended.`) +
  (flapping === null ? "" : ` The event was held until ${flapping.until}, because its alert was flapping.`);

/** Returns whether the user was notified, a summary of all rules, and the rules' explanations, the most informative first. */
export const summarizeExplanation = (
  isMatched: boolean,
  rules: readonly RuleExplanation[],
  { silence, after, flapping = null, notice = null }: HoldAndNotice = {},
): { told: boolean; summary: string; rules: RuleExplanation[] } => {
  const sorted = rules.toSorted((a, b) => rankReason(a.reason) - rankReason(b.reason) || (a.id < b.id ? -1 : 1));
  const [first] = sorted;
  const told = first?.reason === "told";
  if (!isMatched) return { told, summary: "The rules have not been matched yet.", rules: sorted };
  if (silence !== undefined)
    return { told, summary: `Silence "${silence.name}" covered this event, so nobody was notified.`, rules: sorted };
  if (sorted.some(({ reason }) => reason === "flapping"))
    return {
      told,
      summary: `The alert was flapping, so this event was held until ${flapping?.until ?? ""}. People are notified if the event is still open then.`,
      rules: sorted,
    };
  const last = describeHold(after, flapping);
  if (notice !== null)
    return { told, summary: `${describeNotice(notice)} ${first?.message ?? ""}`.trim() + last, rules: sorted };
  const unmatched = first === undefined || rankReason(first.reason) >= rankReason("conditions_differ");
  const named = first !== undefined && isNoticeRule(first) ? first.message : `Rule "${first?.name}": ${first?.message}`;
  const summary = unmatched ? "No rule matched this event." : named;
  return { told, summary: summary + last, rules: sorted };
};
