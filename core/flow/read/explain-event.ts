import type { TableDeps, TimedDeps } from "../../deps.ts";
import { isSpread, type WorkspaceId } from "../../domain/basics/ids.ts";
import {
  isFlapping,
  findNotificationId,
  listFirstPackIdsOfPart,
  type FrozenPlan,
  type PlannedRule,
} from "../../domain/delivery/delivery-plan.ts";
import {
  summarizeExplanation,
  explainHeartbeat,
  explainMatchedRule,
  explainUnmatchedRule,
  type EscalationState,
  type EventExplanation,
  type RuleExplanation,
  type NotifiedBy,
} from "../../domain/planning/explanation.ts";
import { toAddedRule } from "../../domain/event/added-rule.ts";
import { toFlappingView } from "../../domain/event/event-view.ts";
import { isDecidedByRules, explainNotice } from "../../domain/event/notice.ts";
import { parseNotificationId } from "../../domain/basics/ids.ts";
import { EXPLAINED_MATCHES_MAX, EXPLAINED_RULES_MAX } from "../../domain/basics/limits.ts";
import { findDeciders, type DecidingRules, type PlacedRule } from "../../domain/rules/chain.ts";
import { toGroupOfRule } from "../../domain/rules/grouping.ts";
import { traceRule } from "../../domain/rules/trace.ts";
import { toNotificationView } from "../../domain/delivery/notification-view.ts";
import { toEscalationPosition } from "../../domain/planning/why.ts";
import type { People } from "../../domain/people/people.ts";
import type { RoutingRule } from "../../domain/rules/routing-rule.ts";
import { LISTS_MAX_BYTES, takeItemsThatFit } from "../../domain/basics/fitting.ts";
import { toIso } from "../../domain/basics/time.ts";
import { addReachability } from "./reach-of-people.ts";
import { loadPeople } from "../../store/people/people.ts";
import { listRules } from "../../store/rules/rules.ts";
import { readControl } from "../../store/events/control.ts";
import { readEscalation } from "../../store/events/escalations.ts";
import { type Escalation } from "../../domain/escalation/escalation.ts";
import type { PlannedEvent, StoredEvent } from "../../domain/event/stored-event.ts";
import { readPacks } from "../../store/delivery/packs.ts";
import { readPlanParts } from "../../store/events/plans.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { readFiredSteps } from "./read-event.ts";
import { readRuleAsOf, readRuleVersion } from "../../store/rules/rules.ts";
import { readShownEvent } from "./shown-event.ts";

/** `told`: the user's notifications by the rule, with the numbers of their escalation steps. */
type NotifiedRule = { rule: number; planned: PlannedRule; told: { id: string; cursor: number }[] };

/** Returns the rules of an event's plan, followed by the additions of people that notified the user. */
const readNotifiedRules = async (deps: TableDeps, event: PlannedEvent, userId: string): Promise<NotifiedRule[]> => {
  const { at } = event.plan;
  const { seq } = event;
  const spread = isSpread(event.eventId);
  const rules: NotifiedRule[] = [];
  for await (const part of readPlanParts(deps, event))
    for (const [planned, first] of listFirstPackIdsOfPart(part, { at, seq, spread })) {
      const id = findNotificationId(planned.recipients, userId, first);
      const told = id === undefined ? [] : [{ id, cursor: 0 }];
      // A rule may be in several parts of the plan; only the rule's first part is kept, or the part that contains the user.
      if (first.pack === 0 || id !== undefined) rules[first.rule] = { rule: first.rule, planned, told };
    }
  const added: NotifiedRule[] = [];
  for (const { rule, cursor, at: firedAt, recipients, addition } of await readFiredSteps(deps, event)) {
    const id = findNotificationId(recipients, userId, { at: firedAt, seq, spread, rule, cursor, pack: 0 });
    if (id === undefined) continue;
    if (addition === undefined) rules[rule]?.told.push({ id, cursor });
    else added.push({ rule, planned: toAddedRule(addition), told: [{ id, cursor }] });
  }
  return [...rules, ...added];
};

/** Reads the user's notifications that a rule caused, by their ids. Shows a pack that is not written yet as queued. */
const readNotificationsOfRule = async (
  deps: TableDeps,
  event: PlannedEvent,
  planned: PlannedRule,
  ids: readonly { id: string; cursor: number }[],
): Promise<NotifiedBy[]> => {
  const packIds = ids.flatMap(({ id }) => parseNotificationId(id)?.packId ?? []);
  const packs = new Map((await readPacks(deps, event.workspaceId, packIds)).map((pack) => [pack.packId, pack]));
  return ids.map(({ id, cursor }): NotifiedBy => {
    const parsed = parseNotificationId(id);
    const pack = packs.get(parsed?.packId ?? "");
    const recipient = pack?.recipients[parsed?.position ?? 0];
    const view = pack === undefined || recipient === undefined ? undefined : toNotificationView(pack, recipient);
    return {
      id,
      status: view?.status ?? "QUEUED",
      failedReason: view?.failedReason ?? null,
      quiet: view?.quiet ?? null,
      rings: view?.rings ?? null,
      escalation: toEscalationPosition(planned.escalation, cursor),
    };
  });
};

type Step = NonNullable<EscalationState["next"]>;

/** Lists the groups and users of an escalation step, with their current names. `step`: counted from 1. */
const listStepTargets = ({ escalation }: PlannedRule, step: number, people: People): Step["targets"] =>
  (escalation?.steps[step - 1]?.targets ?? []).map((target) =>
    target.type === "group"
      ? { type: "group", id: target.groupId, name: people.groups.get(target.groupId)?.group.name ?? null }
      : { type: "user", id: target.userId, name: people.members.get(target.userId)?.name ?? null },
  );

/** Returns the escalation's next step with its time and targets; null if no further step will fire. */
export const findNextStep = (planned: PlannedRule, { acknowledged, next }: Escalation, people: People): Step | null => {
  if (acknowledged || next === undefined) return null;
  const position = toEscalationPosition(planned.escalation, next.cursor);
  return position === null
    ? null
    : { ...position, at: toIso(next.due), targets: listStepTargets(planned, position.step, people) };
};

const toEscalationState = (
  planned: PlannedRule,
  escalation: Escalation | undefined,
  people: People,
): EscalationState | undefined => {
  if (escalation === undefined) return undefined;
  const { acknowledged, until } = escalation;
  return {
    acknowledged,
    until: acknowledged && until !== undefined ? toIso(until) : null,
    next: findNextStep(planned, escalation, people),
  };
};

const READ_AT_ONCE = 25;

/** Returns whether a silence or flapping keeps the plan from notifying people; undefined if neither does. */
const findHoldReason = (plan: FrozenPlan): "silenced" | "flapping" | undefined => {
  if (plan.silence !== undefined) return "silenced";
  return isFlapping(plan) ? "flapping" : undefined;
};

/** Explains how a rule, or an addition of people, notified the user. `asPlanned`: whether people are unchanged since planning. */
const explainPlanned = async (
  deps: TableDeps,
  event: PlannedEvent,
  { rule, planned, told }: NotifiedRule,
  userId: string,
  people: People,
  asPlanned: boolean,
): Promise<RuleExplanation> => {
  const { workspaceId: ws, seq } = event;
  const [snapshot, escalation] = await Promise.all([
    readRuleVersion(deps, ws, planned.rule.id, planned.rule.version),
    planned.escalation === undefined ? undefined : readEscalation(deps, { ws, seq, rule }),
  ]);
  return explainMatchedRule(planned, userId, event.plan.at, {
    snapshot,
    trace: snapshot === undefined ? undefined : traceRule(snapshot, event.content, event.receivedAt),
    notifications: await readNotificationsOfRule(deps, event, planned, told),
    escalation: toEscalationState(planned, escalation, people),
    people,
    asPlanned,
    held: findHoldReason(event.plan),
    group: toGroupOfRule(
      event.plan.groups?.find((one) => one.rule === rule),
      snapshot,
      event.content,
    ),
  });
};

/** Puts the rules first whose target groups include the user today. */
const sortLikelyFirst = (rules: readonly RoutingRule[], userId: string, people: People): RoutingRule[] => {
  const targetsUser = ({ targets }: RoutingRule) =>
    targets.some(({ groupId }) => people.groups.get(groupId)?.memberIds.includes(userId) ?? false);
  const { likely = [], other = [] } = Object.groupBy(rules, (rule) => (targetsUser(rule) ? "likely" : "other"));
  return [...likely, ...other];
};

/** Explains the rules in the versions that applied when the event was planned. */
const explainUnmatchedRules = async (
  deps: TableDeps,
  event: PlannedEvent,
  rules: readonly RoutingRule[],
  deciders: DecidingRules,
): Promise<RuleExplanation[]> => {
  const at = toIso(event.plan.at);
  const then = await Promise.all(rules.map((rule) => readRuleAsOf(deps, event.workspaceId, rule, at)));
  return then.flatMap((rule) =>
    rule === undefined ? [] : [explainUnmatchedRule(rule, traceRule(rule, event.content, event.receivedAt, deciders))],
  );
};

/** Returns the rule with its position in its chain; an empty list for people who were added without a rule. */
const toPlacedRules = ({ id, name, trace }: RuleExplanation): PlacedRule[] =>
  trace === null
    ? []
    : [
        {
          id,
          name,
          fallback: trace.fallback !== null,
          chain: trace.chain?.name ?? null,
          position: trace.chain?.position ?? null,
        },
      ];

const listExplanationNotes = (isAsPlanned: { rules: boolean; people: boolean }): string[] => [
  ...(isAsPlanned.people
    ? []
    : ['Members, groups or schedules have changed since. Parts with the basis "today" use their current state.']),
  ...(isAsPlanned.rules
    ? []
    : [
        "Rules have changed since the event. Each rule is shown in its old version; deleted rules are listed only if they matched.",
      ]),
];

const buildExplanationHead = ({ eventId, content, receivedAt }: StoredEvent, userId: string, people: People) => {
  const { name = null, email = null } = people.members.get(userId) ?? {};
  return {
    event: { id: eventId, eventKey: content.eventKey, title: content.title, receivedAt: toIso(receivedAt) },
    user: { id: userId, name, email },
    heartbeat: explainHeartbeat(content.heartbeat),
  };
};

/** Explains for each rule why it did or did not notify the user. `asPlanned`: whether the people are unchanged since the plan. */
const explainRules = async (
  deps: TableDeps,
  event: PlannedEvent,
  userId: string,
  rules: readonly RoutingRule[],
  people: People,
  asPlanned: boolean,
) => {
  const { plan } = event;
  const all = await readNotifiedRules(deps, event, userId);
  const matched = new Set(all.map(({ planned: { rule } }) => rule.id));
  const notice = explainNotice(event.content, [...matched]);
  // Rules that notified the user come first, because the answer may not have room for all rules.
  const shown = [...all.filter(({ told }) => told.length > 0), ...all.filter(({ told }) => told.length === 0)];
  const since = toIso(plan.at);
  const others = sortLikelyFirst(
    isDecidedByRules(event.content) ? rules.filter(({ id, createdAt }) => !matched.has(id) && createdAt <= since) : [],
    userId,
    people,
  );
  const told = await mapLimit(shown.slice(0, EXPLAINED_MATCHES_MAX), READ_AT_ONCE, (rule) =>
    explainPlanned(deps, event, rule, userId, people, asPlanned),
  );
  const unnotified = await explainUnmatchedRules(
    deps,
    event,
    others.slice(0, EXPLAINED_RULES_MAX),
    findDeciders(told.flatMap(toPlacedRules)),
  );
  const explained = summarizeExplanation(true, [...told, ...unnotified], {
    silence: plan.silence,
    after: plan.after,
    flapping: toFlappingView(plan),
    notice,
  });
  const { taken } = takeItemsThatFit(explained.rules, LISTS_MAX_BYTES);
  const rulesNotListed =
    Math.max(0, others.length - EXPLAINED_RULES_MAX) +
    Math.max(0, shown.length - EXPLAINED_MATCHES_MAX) +
    (explained.rules.length - taken.length);
  return { ...explained, notice, rules: taken, rulesNotListed };
};

/** Explains why a user was or was not notified. Returns undefined if the event does not exist. */
export const explainEvent = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  eventId: string,
  userId: string,
): Promise<EventExplanation | undefined> => {
  const event = await readShownEvent(deps, ws, eventId);
  if (event === undefined) return undefined;
  const { plan } = event;
  const [control, people, rules] = await Promise.all([
    readControl(deps, ws),
    loadPeople(deps, ws),
    plan === undefined ? [] : listRules(deps, ws),
  ]);
  const head = buildExplanationHead(event, userId, people);
  if (plan === undefined)
    return {
      ...head,
      ...summarizeExplanation(false, []),
      notice: null,
      silence: null,
      afterSilence: null,
      flapping: null,
      decidedAt: null,
      rulesNotListed: 0,
      notes: [],
    };

  const asPlanned = {
    rules: control?.rulesVersion === plan.rulesVersion,
    people: control?.peopleVersion === plan.peopleVersion,
  };
  const { rulesNotListed, ...explained } = await explainRules(
    deps,
    { ...event, plan },
    userId,
    rules,
    await addReachability(deps, ws, people, { from: plan.at }),
    asPlanned.people,
  );
  return {
    ...head,
    ...explained,
    silence: plan.silence ?? null,
    afterSilence: plan.after ?? null,
    flapping: toFlappingView(plan),
    decidedAt: toIso(plan.at),
    rulesNotListed,
    notes: listExplanationNotes(asPlanned),
  };
};
