import * as v from "valibot";
import { wholeNumberSchema } from "../basics/number.ts";
import { takeItemsThatFit } from "../basics/fitting.ts";
import { toIso } from "../basics/time.ts";
import { Warning } from "../basics/warning.ts";
import { isFlapping, isHeldByGroup, type DeliveryPlan } from "../delivery/delivery-plan.ts";
import { FLAPPING, type Flapping } from "../event/flapping.ts";
import { createFlappingTracker } from "./flaps.ts";
import { planEvent } from "./plan-event.ts";
import { createGroupingSimulator, type Reached } from "./storm.ts";
import {
  createRuleCounter,
  EventRef,
  addExample,
  Person,
  RuleCounts,
  toRuleRecipients,
  Notified,
  type CountedPlan,
} from "./rule-counts.ts";
import { createPageLimitSimulator, listPagedUsers } from "./page-limit.ts";
import type { EventContent } from "../event/event.ts";
import { PAGE_LIMIT_SPAN_MS } from "../workspace/page-limit.ts";
import type { People } from "../people/people.ts";
import { DraftRules, DraftsOnCall, type DraftedRules } from "./draft.ts";
import { matchesEventKey } from "../rules/matching/index.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import { toRuleSet, type RuleSet } from "../rules/rule-set.ts";
import type { Silence } from "../rules/silence.ts";
import { MINUTE_MS } from "../basics/units.ts";

export const HISTORY_DAYS_MAX = 90;
const HISTORY_DAYS_DEFAULT = 7;
/** The maximum number of events that a history examines, from the newest. */
export const HISTORY_EVENTS_MAX = 10_000;
/** The DynamoDB read units after which a call stops and returns where the next call continues. */
export const HISTORY_READ_UNITS_MAX = 2_000;
const EXAMPLE_PEOPLE_MAX = 20;

/** `before`: the event at which the previous call stopped. */
const HistoryFields = v.strictObject({
  rules: v.optional(DraftRules, []),
  onCall: v.optional(DraftsOnCall, []),
  days: v.optional(wholeNumberSchema("days", 1, HISTORY_DAYS_MAX), HISTORY_DAYS_DEFAULT),
  before: v.exactOptional(v.string("before must be the id of an event of this workspace.")),
});
export const HistoryInput = v.pipe(
  HistoryFields,
  v.forward(
    v.partialCheck(
      [["rules"], ["onCall"]],
      ({ rules, onCall }) => rules.length + onCall.length > 0,
      "rules or onCall must have at least one draft.",
    ),
    ["rules"],
  ),
);
export type HistoryInput = v.InferOutput<typeof HistoryInput>;

/** The facts about the past that are not known. */
const unknowns = ["acknowledgements"] as const;

/** Saved rules and drafts are both applied with the current members and silences. */
export const History = v.object({
  /** The time of arrival of the oldest examined event. */
  from: v.string(),
  events: v.number(),
  /** How many events would have notified more people, fewer, somebody instead of nobody, or nobody instead of somebody. */
  moreTold: v.number(),
  lessTold: v.number(),
  newlyTold: v.number(),
  notToldAnyMore: v.number(),
  /** The people with the largest difference come first. */
  people: v.array(v.object({ ...Person.entries, more: v.number(), less: v.number() })),
  peopleNotListed: v.number(),
  /** Immediate pages by the saved rules and by the drafts: one per person and event. Silent notifications do not count. */
  rings: v.object({ before: v.number(), after: v.number() }),
  /** Unknown facts that might reduce `rings`, such as acknowledgements, which suppress pages at night for half an hour. */
  notKnown: v.array(v.picklist(unknowns)),
  rules: v.array(RuleCounts),
  examples: v.array(v.object({ event: EventRef, more: Notified, less: Notified })),
  readUnits: v.number(),
  /** The `before` of the next call; null if all events are examined. */
  next: v.nullable(v.string()),
  warnings: v.array(Warning),
});
export type History = v.InferOutput<typeof History>;

export type PastEvent = { eventId: string; seq: number; receivedAt: number; content: EventContent };

const PEOPLE_BYTES = 1_000_000;

const toEventReference = ({ eventId, receivedAt, content: { eventKey, title, priority } }: PastEvent) => ({
  id: eventId,
  eventKey,
  title,
  priority,
  receivedAt: toIso(receivedAt),
});

const toPerson = (userId: string, { members }: People): v.InferOutput<typeof Person> => {
  const { name = "", email = "" } = members.get(userId) ?? {};
  return { userId, name, email };
};

const listNotifiedUsers = (plan: { rules: readonly { recipients: readonly { userId: string }[] }[] }): Set<string> =>
  new Set(plan.rules.flatMap(({ recipients }) => recipients.map(({ userId }) => userId)));

/** Returns functions that count events per person (`count`), and that list the people with their counts (`answer`). */
const createPeopleCounts = (people: People) => {
  const differences = new Map<string, { more: number; less: number }>();
  /** Counts an event for people whom the drafts notify of it in addition (`more`) or no longer (`less`). */
  const countEvent = (userIds: readonly string[], key: "more" | "less"): void => {
    for (const userId of userIds) {
      const difference = differences.get(userId) ?? { more: 0, less: 0 };
      difference[key] += 1;
      differences.set(userId, difference);
    }
  };
  const listCountedPeople = (): Pick<History, "people" | "peopleNotListed"> => {
    const all = [...differences]
      .map(([userId, difference]) => ({ ...toPerson(userId, people), ...difference }))
      .toSorted((one, other) => other.more + other.less - (one.more + one.less));
    const { taken } = takeItemsThatFit(all, PEOPLE_BYTES);
    return { people: taken, peopleNotListed: all.length - taken.length };
  };
  return { count: countEvent, answer: listCountedPeople };
};

/** Returns how long (ms) an event can affect later events at most, by the rules' grouping times and threshold times. */
const computeLongestGroupingMs = (rules: readonly RoutingRule[]): number =>
  MINUTE_MS *
  Math.max(0, ...rules.flatMap(({ groupMinutes, atLeast }) => [groupMinutes ?? 0, atLeast?.withinMinutes ?? 0]));

type HeldEvent = { event: PastEvent; flapping: Flapping; was: CountedPlan; is: CountedPlan; isCounted: boolean };

/** For how long an event can count towards the page limit of later events. */
const PAGE_LIMIT_REACH_MS = 2 * PAGE_LIMIT_SPAN_MS;

/** Returns whether a rule with a group of events or a threshold notified people and requires an acknowledgement. */
const hasGroupThatNeedsAck = ({ rules, groups = [] }: DeliveryPlan): boolean =>
  groups.some((group) => !isHeldByGroup(group) && rules[group.rule]?.requiresAck === true);

/**
 * Returns functions that replay stored events, oldest first, and then return how drafts change whom the events notify. Plans each
 * event with the saved rules and with the drafts, as if it were new. Plans a held event of a flapping alert again at the end
 * of the hold, unless the event was resolved. The replay starts without groups, counts, alerts and pages.
 * `loud`: the page limit per person in ten minutes; null for no limit.
 */
export const createReplay = (
  {
    people,
    drafted = people,
    silences,
    loud,
  }: { people: People; drafted?: People; silences: readonly Silence[]; loud: number | null },
  saved: readonly RoutingRule[],
  draft: DraftedRules,
) => {
  const [before, after] = [toRuleSet(saved, silences), toRuleSet(draft.rules, silences)];
  const changed = [...saved, ...draft.rules].filter(({ id }) => draft.drafts.has(id));
  const patterns = [...new Set(changed.map(({ eventKey }) => eventKey))];
  const versions = { rulesVersion: 0, peopleVersion: 0 };
  /** Returns a function that plans an event at the time `at`. Earlier events count for groups, thresholds and page limits. */
  const createPlanner = (rules: RuleSet, planPeople: People) => {
    let reached: Reached[] = [];
    const throughGates = createGroupingSimulator(new Map(), (one) => reached.push(one));
    const throughPageLimit = createPageLimitSimulator(loud);
    return (event: PastEvent, flapping: Flapping | undefined, at: number): CountedPlan => {
      reached = [];
      const made = planEvent(rules, planPeople, { ...event, flapping }, versions, at);
      const isHeld = made.hold?.heldBy === FLAPPING;
      return { plan: throughPageLimit(event, isHeld ? made : throughGates(made, event)).plan, isHeld, reached };
    };
  };
  const [planBefore, planAfter] = [createPlanner(before, people), createPlanner(after, drafted)];
  const follow = createFlappingTracker();
  let waiting: HeldEvent[] = [];

  const toNotified = (userIds: readonly string[]): v.InferOutput<typeof Notified> => ({
    count: userIds.length,
    people: userIds.slice(0, EXAMPLE_PEOPLE_MAX).map((userId) => toPerson(userId, people)),
  });

  const reached = new Set<string>();
  const sums = { events: 0, moreTold: 0, lessTold: 0, newlyTold: 0, notToldAnyMore: 0 };
  const rings = { before: 0, after: 0 };
  let asksGroups = false;
  const examples: History["examples"] = [];
  const ruleCounts = createRuleCounter(draft);
  const peopleCounts = createPeopleCounts(people);

  const isAffectedByDraft = ({ content }: PastEvent) =>
    drafted !== people || patterns.some((pattern) => matchesEventKey(pattern, content.eventKey));

  /** Adds to all counts what the event led to by the saved rules (first plan) and by the drafts (second plan). */
  const countEvent = (event: PastEvent, { plan: was }: CountedPlan, planned: CountedPlan): void => {
    const { plan: is } = planned;
    const silenced = is.silence !== undefined;
    ruleCounts.countBefore(was.rules);
    const userIds = ruleCounts.countAfter(toRuleRecipients(planned), event.receivedAt, ({ userIds: ids, ...rest }) => ({
      event: toEventReference(event),
      silenced,
      flapping: isFlapping(is),
      ...rest,
      told: toNotified(ids),
    }));
    for (const userId of userIds) reached.add(userId);
    rings.before += listPagedUsers(was.rules).size;
    rings.after += listPagedUsers(is.rules).size;
    asksGroups ||= hasGroupThatNeedsAck(was) || hasGroupThatNeedsAck(is);
    const [then, now] = [listNotifiedUsers(was), listNotifiedUsers(is)];
    const more = [...now].filter((userId) => !then.has(userId));
    const less = [...then].filter((userId) => !now.has(userId));
    peopleCounts.count(more, "more");
    peopleCounts.count(less, "less");
    sums.moreTold += more.length > 0 ? 1 : 0;
    sums.lessTold += less.length > 0 ? 1 : 0;
    sums.newlyTold += then.size === 0 && now.size > 0 ? 1 : 0;
    sums.notToldAnyMore += then.size > 0 && now.size === 0 ? 1 : 0;
    if (more.length + less.length > 0)
      addExample(examples, { event: toEventReference(event), more: toNotified(more), less: toNotified(less) });
  };

  /** Counts a held event at the end of its hold. Plans the event again unless it was resolved in the meantime (`isOver`). */
  const settleHeldEvent = ({ event, flapping, was, is, isCounted }: HeldEvent, isOver: boolean): void => {
    const replanEvent = (planned: CountedPlan, plan: typeof planBefore) =>
      planned.isHeld && !isOver ? plan(event, flapping, flapping.until) : planned;
    const plans = [replanEvent(was, planBefore), replanEvent(is, planAfter)] as const;
    if (isCounted) countEvent(event, ...plans);
  };
  /** Removes the held events that meet the condition, and returns them in the order of the ends of their holds. */
  const takeHeldEvents = (isTaken: (one: HeldEvent) => boolean): HeldEvent[] => {
    const taken = waiting.filter(isTaken).toSorted((one, other) => one.flapping.until - other.flapping.until);
    if (taken.length > 0) waiting = waiting.filter((one) => !isTaken(one));
    return taken;
  };
  const settleHeldEventsUpTo = (ms: number): void => {
    for (const one of takeHeldEvents(({ flapping }) => flapping.until <= ms)) settleHeldEvent(one, false);
  };

  /** Plans the event by the saved rules and by the drafts. `isCounted`: whether to count it, now or at the end of its hold. */
  const planPastEvent = (event: PastEvent, isCounted: boolean): void => {
    settleHeldEventsUpTo(event.receivedAt);
    const { ends, flapping } = follow(event);
    for (const one of takeHeldEvents(({ event: { eventId } }) => eventId === ends)) settleHeldEvent(one, true);
    // If there is a page limit, pages for all event keys count.
    if (loud === null && !isAffectedByDraft(event)) return;
    const was = planBefore(event, flapping, event.receivedAt);
    const is = planAfter(event, flapping, event.receivedAt);
    if (flapping !== undefined && (was.isHeld || is.isHeld)) waiting.push({ event, flapping, was, is, isCounted });
    else if (isCounted) countEvent(event, was, is);
  };

  const replayUncountedEvent = (event: PastEvent): void => {
    planPastEvent(event, false);
  };

  const replayCountedEvent = (event: PastEvent): void => {
    sums.events += 1;
    planPastEvent(event, true);
  };

  const settleAndSummarize = (): Omit<History, "from" | "readUnits" | "next" | "warnings"> => {
    settleHeldEventsUpTo(Infinity);
    const notKnown = unknowns.filter(() => asksGroups);
    return { ...sums, ...peopleCounts.answer(), rings, notKnown, rules: ruleCounts.answer(), examples };
  };

  const longest = Math.max(computeLongestGroupingMs(changed), loud === null ? 0 : PAGE_LIMIT_REACH_MS);
  /** `longest`: for how long an event can affect later events (ms). `reached`: the people whom the drafts notify. */
  return { lead: replayUncountedEvent, look: replayCountedEvent, answer: settleAndSummarize, reached, longest };
};
