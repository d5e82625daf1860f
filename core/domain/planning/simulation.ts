import * as v from "valibot";
import { LISTS_MAX_BYTES, takeItemsThatFit } from "../basics/fitting.ts";
import { DRY_RUN_RULES_MAX } from "../basics/limits.ts";
import { toIso } from "../basics/time.ts";
import { Warning } from "../basics/warning.ts";
import { SilencedBy, type PlannedRule } from "../delivery/delivery-plan.ts";
import { planEvent } from "./plan-event.ts";
import { checkDevices } from "./reach.ts";
import { planRule } from "./plan-delivery.ts";
import { EscalationPosition, toEscalationPosition } from "./why.ts";
import { computeStepNumber, type FrozenPolicy } from "../escalation/escalation-policy.ts";
import {
  simulateEscalation,
  firingReasons,
  listPeopleToReach,
  SIMULATED_PEOPLE_MAX,
  type TimelineStep,
} from "./timeline.ts";
import { TriedEvent, SenderName, type EventContent } from "../event/event.ts";
import { explainNotice, NoticeView } from "../event/notice.ts";
import { FlappingView, Outcome, judgeOutcome, toFlappingView } from "../event/event-view.ts";
import type { Flapping } from "../event/flapping.ts";
import {
  DevicePlatform,
  listDeviceChannels,
  toChannel,
  judgeReachability,
  reachables,
  type Device,
} from "../device/device.ts";
import { pushChannels } from "../device/channel.ts";
import { timestampSchema } from "../basics/clock/timestamp.ts";
import { scheduleRecipientSteps, type People } from "../people/people.ts";
import { Quiet, UnreachedGroup, type Recipient } from "../people/recipient.ts";
import { DraftKind, DraftPolicies, DraftRules, type DraftedRules } from "./draft.ts";
import { takeRulesThatFit, toRecipientView, TriedRule } from "./dry-run.ts";
import { matchesEventKey } from "../rules/matching/index.ts";
import { findDeciders, type DecidingRules } from "../rules/chain.ts";
import { GroupOfRule, toGroupOfRule } from "../rules/grouping.ts";
import { toRuleIdOrNull, type RoutingRule } from "../rules/routing-rule.ts";
import { toRuleSet } from "../rules/rule-set.ts";
import { traceRule } from "../rules/trace.ts";
import type { Silence } from "../rules/silence.ts";

export const SimulationInput = v.pipe(
  v.strictObject({
    event: v.exactOptional(TriedEvent),
    eventId: v.exactOptional(v.string("eventId must be the id of an event of this workspace.")),
    /** The sender that the simulator assumes instead of the stored event's sender. */
    sender: v.exactOptional(SenderName),
    at: v.exactOptional(timestampSchema("at")),
    rules: v.optional(DraftRules, []),
    policies: v.optional(DraftPolicies, []),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const addFieldIssue = (key: "event" | "eventId", expected: string, message: string) =>
      addIssue({
        message,
        expected,
        path: [{ type: "object", origin: "value", input: value, key, value: value[key] }],
      });
    if (value.event === undefined && value.eventId === undefined)
      addFieldIssue("event", "required", 'Exactly one of "event" and "eventId" is required.');
    if (value.event !== undefined && value.eventId !== undefined)
      addFieldIssue("eventId", "nothing", '"eventId" must not be given together with "event".');
  }),
);
export type SimulationInput = v.InferOutput<typeof SimulationInput>;

const Person = TriedRule.entries.recipients.item;

/** `quiet`: why the push would be silent; null if the push would have a sound, or if the reason is unknown. */
const Notified = v.object({ ...Person.entries, quiet: v.nullable(Quiet) });

const { policy: _policy, ...position } = EscalationPosition.entries;

const Step = v.object({
  ...position,
  at: v.string(),
  because: v.picklist(firingReasons),
  recipients: v.array(Person),
  unreached: v.array(UnreachedGroup),
});

const Escalation = v.object({
  /** The rule that escalates; null for a new draft. */
  ruleId: v.nullable(v.string()),
  policy: EscalationPosition.entries.policy,
  /** How long an acknowledgement lasts; null if acknowledgements are permanent. */
  ackMinutes: v.nullable(v.number()),
  steps: v.array(Step),
  /** The steps that fire if no device confirms; null if the policy does not wait for confirmations. */
  stepsIfUnconfirmed: v.nullable(v.array(Step)),
});

const NotifiedPerson = v.object({
  userId: v.string(),
  name: v.string(),
  email: v.string(),
  /** The time of the first notification if nobody acknowledges. */
  firstToldAt: v.string(),
  reachable: v.picklist(reachables),
  devices: v.array(v.object({ id: v.string(), platform: DevicePlatform, by: v.picklist(pushChannels) })),
});

export const Simulation = v.object({
  at: v.string(),
  outcome: Outcome,
  matchedRules: v.number(),
  /** The number of people who would be notified. A person whom several rules notify counts once. */
  recipients: v.number(),
  /** Whether the recipients' field `quiet` is known; false if the simulated time is past. */
  ringsKnown: v.boolean(),
  /** The silence that would cover the event, and how many people would not be notified. */
  silence: v.nullable(SilencedBy),
  /** If the alert flaps: when the hold would end, and how many people would not be notified; otherwise null. */
  flapping: FlappingView,
  /** Why people would be notified without a rule; null if rules decide. */
  notice: v.nullable(NoticeView),
  rules: v.array(
    v.object({
      ...TriedRule.entries,
      recipients: v.array(Notified),
      draft: DraftKind,
      /** True if the rule applies only because its conditions are too expensive to decide. */
      undecided: v.boolean(),
      /** The rule's group of events that is open now; a draft rule has no open group. */
      group: GroupOfRule,
    }),
  ),
  omittedRules: v.number(),
  escalations: v.array(Escalation),
  escalationsNotListed: v.number(),
  /** The people, sorted by the time of their first notification. */
  people: v.array(NotifiedPerson),
  peopleNotListed: v.number(),
  warnings: v.array(Warning),
});
export type Simulation = v.InferOutput<typeof Simulation>;

/** The maximum number of recipients for which the simulator computes timelines of escalations. */
const TIMELINE_RECIPIENTS_MAX = 200_000;
const WARNINGS_MAX = 200;
const PEOPLE_BYTES = 1_000_000;
const ESCALATIONS_BYTES = 1_500_000;

/** The data that the simulator uses. `now`: the time of the request, in milliseconds. */
type SimulatorInput = { people: People; drafted: DraftedRules; silences: readonly Silence[]; now: number };

/** Plans the event at the time `at`. `flapping`: whether and how the event's alert flaps at that time. */
export const planSimulation = (
  { people, drafted, silences }: Omit<SimulatorInput, "now">,
  content: EventContent,
  at: number,
  flapping?: Flapping,
) => {
  const versions = { rulesVersion: 0, peopleVersion: 0 };
  const rules = toRuleSet(drafted.rules, silences);
  return { content, at, ...planEvent(rules, people, { content, receivedAt: at, flapping }, versions, at) };
};
type SimulatedEvent = ReturnType<typeof planSimulation>;
type PlannedWithQuiet = SimulatedEvent & { ringsKnown: boolean };

/** Shows a step of an escalation: its position in the policy, and when and by which channels recipients are notified. */
const toStepView = (
  planned: PlannedRule,
  policy: FrozenPolicy,
  people: People,
  { cursor, at, because, recipients, unreached }: TimelineStep,
) => {
  const number = computeStepNumber(policy, cursor);
  const found = toEscalationPosition(policy, number);
  if (found === null) throw new Error(`policy ${policy.id} has no step ${number}`);
  const { policy: _named, ...counted } = found;
  return {
    ...counted,
    at: toIso(at),
    because,
    recipients: recipients.map((recipient) => toRecipientView(recipient, people, { ...planned, at })),
    unreached,
  };
};

type Timelines = {
  planned: PlannedRule;
  policy: FrozenPolicy;
  steps: TimelineStep[];
  unconfirmed: TimelineStep[] | null;
};

/** Returns each rule's escalation steps. `unconfirmed`: the steps if no device confirms; null if the policy never waits. */
const simulateEscalations = (
  { plan, at }: SimulatedEvent,
  people: People,
  hasDevice: (userId: string) => boolean,
): Timelines[] => {
  const timelines: Timelines[] = [];
  let notified = 0;
  for (const planned of plan.rules) {
    const policy = planned.escalation;
    if (policy === undefined || notified > TIMELINE_RECIPIENTS_MAX) continue;
    const armed = { at, recipients: planned.recipients };
    const simulateSteps = (devicesConfirm: boolean) =>
      simulateEscalation(policy, people, armed, { hasDevice, confirm: devicesConfirm });
    const steps = simulateSteps(true);
    const asks = policy.confirmWithinSeconds !== undefined && policy.confirmWithinSeconds !== null;
    timelines.push({ planned, policy, steps, unconfirmed: asks ? simulateSteps(false) : null });
    notified += steps.reduce((sum, { recipients }) => sum + recipients.length, 0);
  }
  return timelines;
};

/** Returns when each person is first notified, in milliseconds. */
const findFirstNotifiedTimes = (
  { plan, at }: SimulatedEvent,
  timelines: readonly Timelines[],
  people: People,
): Map<string, number> => {
  const first = new Map<string, number>();
  const addRecipients = (planned: PlannedRule, recipients: readonly Recipient[], ms: number) => {
    const paging = { priority: planned.priority, requiresAck: planned.requiresAck, at: ms };
    for (const recipient of recipients) {
      const [ring] = scheduleRecipientSteps(people, recipient, paging) ?? [];
      first.set(recipient.userId, Math.min(ring?.at ?? ms, first.get(recipient.userId) ?? Infinity));
    }
  };
  for (const planned of plan.rules) addRecipients(planned, planned.recipients, at);
  for (const { planned, steps } of timelines)
    for (const step of steps) addRecipients(planned, step.recipients, step.at);
  return first;
};

/** Returns how the rule decides about the event. `planned`: undefined without a match. `deciders`: rules with precedence. */
const toRuleView = (
  rule: RoutingRule,
  planned: PlannedRule | undefined,
  { content, at, overBudget, plan }: SimulatedEvent,
  { people, drafted }: SimulatorInput,
  deciders: DecidingRules,
) => {
  const trace = traceRule(rule, content, at, deciders);
  // A rule that does not match shows only its priority, and whether it needs an acknowledgement.
  const {
    requiresAck,
    priority,
    recipients,
    unreached = [],
  } = planned ?? planRule({ ...rule, targets: [] }, content, people, at);
  return {
    id: toRuleIdOrNull(rule.id),
    name: rule.name,
    ...trace,
    matches: planned !== undefined,
    draft: drafted.drafts.get(rule.id) ?? null,
    undecided: overBudget.includes(rule.id),
    group: toGroupOfRule(
      plan.groups?.find((one) => plan.rules[one.rule]?.rule.id === rule.id),
      rule,
      content,
    ),
    requiresAck,
    priority,
    recipients: recipients.map((recipient) => ({
      ...toRecipientView(recipient, people, { requiresAck, priority, at }),
      quiet: recipient.quiet ?? null,
    })),
    unreached,
  };
};

const toEscalations = (timelines: readonly Timelines[], people: People): Simulation["escalations"] =>
  takeItemsThatFit(
    timelines.map(({ planned, policy, steps, unconfirmed }) => ({
      ruleId: toRuleIdOrNull(planned.rule.id),
      policy: { id: policy.id, name: policy.name },
      steps: steps.map((step) => toStepView(planned, policy, people, step)),
      ackMinutes: policy.ackMinutes ?? null,
      stepsIfUnconfirmed: unconfirmed?.map((step) => toStepView(planned, policy, people, step)) ?? null,
    })),
    ESCALATIONS_BYTES,
  ).taken;

/** Shows the person's devices and whether they are reachable. `ms`: the time of the first notification. `devices`: if known. */
const toNotifiedPerson = (
  userId: string,
  ms: number,
  devices: readonly Device[] | undefined,
  { people, now }: SimulatorInput,
): Simulation["people"][number] => {
  const { name = "", email = "" } = people.members.get(userId) ?? {};
  const channels = listDeviceChannels(devices ?? []).map(({ device, way }) => ({
    id: device.id,
    platform: device.platform,
    by: way ?? toChannel(device),
  }));
  const reachable = devices === undefined ? "unproven" : judgeReachability(devices, now);
  return { userId, name, email, firstToldAt: toIso(ms), reachable, devices: channels };
};

/** Shows how each rule decides about the event; with many rules, only rules for the event's key. */
const toRuleViews = (planned: SimulatedEvent, setting: SimulatorInput) => {
  const { rules } = setting.drafted;
  const byRule = new Map(planned.plan.rules.map((one) => [one.rule.id, one]));
  const near =
    rules.length <= DRY_RUN_RULES_MAX
      ? rules
      : rules.filter(({ eventKey }) => matchesEventKey(eventKey, planned.content.eventKey));
  const deciders = findDeciders(rules.filter(({ id }) => byRule.has(id)));
  return takeRulesThatFit(
    near.map((rule) => toRuleView(rule, byRule.get(rule.id), planned, setting, deciders)),
    LISTS_MAX_BYTES - PEOPLE_BYTES - ESCALATIONS_BYTES,
  );
};

/** Returns the simulator's answer. `devices`: the devices of the first `SIMULATED_PEOPLE_MAX` people, if they have any. */
export const toSimulation = (
  setting: SimulatorInput,
  planned: PlannedWithQuiet,
  devices: ReadonlyMap<string, readonly Device[]>,
): Simulation => {
  const { people, drafted, now } = setting;
  const { plan, at, ringsKnown } = planned;
  const checked = new Set(listPeopleToReach(planned, people).slice(0, SIMULATED_PEOPLE_MAX));
  const hasDevice = (userId: string) => devices.has(userId) || !checked.has(userId);
  const timelines = simulateEscalations(planned, people, hasDevice);
  const escalations = toEscalations(timelines, people);
  const notified = [...findFirstNotifiedTimes(planned, timelines, people)].toSorted(
    ([, one], [, other]) => one - other,
  );
  const findKnownDevices = (userId: string) => devices.get(userId) ?? (checked.has(userId) ? [] : undefined);
  const listed = takeItemsThatFit(
    notified.map(([userId, ms]) => toNotifiedPerson(userId, ms, findKnownDevices(userId), setting)),
    PEOPLE_BYTES,
  ).taken;
  const rules = toRuleViews(planned, setting);
  const notice = explainNotice(
    planned.content,
    plan.rules.map(({ rule }) => rule.id),
  );
  const userIds = plan.rules.flatMap(({ recipients }) => recipients.map(({ userId }) => userId));
  const atOnce = new Set(userIds);
  const statuses = userIds.map((userId) => ({
    status: hasDevice(userId) ? ("SENT" as const) : ("FAILED" as const),
    failedReason: null,
    added: null,
  }));
  return {
    at: toIso(at),
    outcome: judgeOutcome({ ...plan, matched: plan.rules.length }, statuses),
    matchedRules: notice === null ? plan.rules.length : 0,
    recipients: atOnce.size,
    ringsKnown,
    silence: plan.silence ?? null,
    flapping: toFlappingView(plan),
    notice,
    rules,
    omittedRules: drafted.rules.length - rules.length,
    escalations,
    escalationsNotListed: plan.rules.filter(({ escalation }) => escalation !== undefined).length - escalations.length,
    people: listed,
    peopleNotListed: notified.length - listed.length,
    warnings: notified
      .filter(([userId]) => atOnce.has(userId) && checked.has(userId))
      .flatMap(([userId]) => checkDevices(userId, devices.get(userId) ?? [], now) ?? [])
      .slice(0, WARNINGS_MAX),
  };
};
