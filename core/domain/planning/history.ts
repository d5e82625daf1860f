import * as v from "valibot";
import { takeFitting } from "../basics/fitting.ts";
import { Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";
import { Warning } from "../basics/warning.ts";
import { isFlapping, isHeldDown, type DeliveryPlan, type GroupedRule } from "../delivery/delivery-plan.ts";
import { FLAPPING, type Flapping } from "../event/flapping.ts";
import { createFlapKeeper } from "./flaps.ts";
import { planEvent } from "./plan-event.ts";
import { createGateKeeper } from "./storm.ts";
import { createValveKeeper, ringsOf } from "./valve.ts";
import type { EventContent } from "../event/event.ts";
import { LOUD_SPAN_MS } from "../workspace/loud.ts";
import type { People } from "../people/people.ts";
import type { Recipient } from "../people/recipient.ts";
import { DraftKind, DraftRules, type DraftedRules } from "./draft.ts";
import { keyMatches } from "../rules/matching/index.ts";
import { shownId, type RoutingRule } from "../rules/routing-rule.ts";
import { toRuleSet, type RuleSet } from "../rules/rule-set.ts";
import type { Silence } from "../rules/silence.ts";
import { MINUTE_MS } from "../basics/units.ts";

export const HISTORY_DAYS_MAX = 90;
const HISTORY_DAYS_DEFAULT = 7;
/** The most stored events that drafts are run over, the newest first. */
export const HISTORY_EVENTS_MAX = 10_000;
/** A call stops after this many DynamoDB read units, and says where the next call continues. */
export const HISTORY_READ_UNITS_MAX = 2_000;
/** Examples of each rule's matches, and examples of events for which other people are told. */
const EXAMPLES_MAX = 10;
/** People that an example names. */
const EXAMPLE_PEOPLE_MAX = 20;
/** With more drafts than this, no examples of matches are shown: they would not fit into an answer. */
const EXAMPLE_RULES_MAX = 50;

const DAYS_MESSAGE = `days must be a whole number from 1 to ${HISTORY_DAYS_MAX}.`;

/** Rules to run over the events of the last days. `before`: the event at which the previous answer stopped. */
export const HistoryInput = v.strictObject({
  rules: v.pipe(DraftRules, v.minLength(1, "rules must have at least one draft.")),
  days: v.optional(
    v.pipe(
      v.number(DAYS_MESSAGE),
      v.integer(DAYS_MESSAGE),
      v.minValue(1, DAYS_MESSAGE),
      v.maxValue(HISTORY_DAYS_MAX, DAYS_MESSAGE),
    ),
    HISTORY_DAYS_DEFAULT,
  ),
  before: v.exactOptional(v.string("before must be the id of an event of this workspace.")),
});
export type HistoryInput = v.InferOutput<typeof HistoryInput>;

const EventRef = v.object({
  id: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  receivedAt: v.string(),
});

const Person = v.object({ userId: v.string(), name: v.string(), email: v.string() });
/** How many people there are, and the first of them. */
const Told = v.object({ count: v.number(), people: v.array(Person) });

/**
 * How many notifications rules call for, and how many of them they do not make: because another event of the group rang,
 * which says within 30 seconds that there are more, because too few events came, or because the alert flapped and was
 * resolved by its sender before the hold ended. `tooMany`: how many make no sound, because their people were rung for too
 * often within ten minutes.
 */
const Saved = v.object({
  of: v.number(),
  grouped: v.number(),
  belowThreshold: v.number(),
  flapping: v.number(),
  tooMany: v.number(),
});

/** What a call cannot know of the past. */
const unknowns = ["acknowledgements"] as const;

/** What drafts would have changed: saved rules compared with drafts, both with today's people and silences. */
export const History = v.object({
  /** The time back to which events were examined, and how many. */
  from: v.string(),
  events: v.number(),
  /**
   * Numbers of events: with people told in addition, with people no longer told, with somebody told instead of nobody,
   * and with nobody told instead of somebody.
   */
  moreTold: v.number(),
  lessTold: v.number(),
  newlyTold: v.number(),
  notToldAnyMore: v.number(),
  /** The people whose number of events differs, the greatest difference first. */
  people: v.array(v.object({ ...Person.entries, more: v.number(), less: v.number() })),
  peopleNotListed: v.number(),
  /**
   * How often people would have been rung for at once, by all rules together, a person once an event: with the saved rules, and
   * with the drafts. What makes no sound does not count.
   */
  rings: v.object({ before: v.number(), after: v.number() }),
  /**
   * What is not known and may lessen `rings`. `acknowledgements`: some groups that rang call for one, and whoever had given it at
   * night would not have been rung for by the next events of the group for half an hour.
   */
  notKnown: v.array(v.picklist(unknowns)),
  /**
   * For each draft: how many events it matches, how many the saved rule in its place matches, and the newest events
   * that the draft matches. With very many drafts the examples are left out.
   */
  rules: v.array(
    v.object({
      id: v.nullable(v.string()),
      name: v.string(),
      draft: DraftKind,
      matched: v.number(),
      matchedBefore: v.number(),
      /** What the draft's groups and threshold save of the notifications that it calls for. */
      saved: Saved,
      examples: v.array(
        v.object({
          event: EventRef,
          silenced: v.boolean(),
          grouped: v.boolean(),
          belowThreshold: v.boolean(),
          flapping: v.boolean(),
          told: Told,
        }),
      ),
    }),
  ),
  /** The newest events about which other people would have been told. */
  examples: v.array(v.object({ event: EventRef, more: Told, less: Told })),
  /** What reading the events cost, in DynamoDB's read units. */
  readUnits: v.number(),
  /** Where the call stopped early, the `before` of the next call; null where all events were examined. */
  next: v.nullable(v.string()),
  warnings: v.array(Warning),
});
export type History = v.InferOutput<typeof History>;

/** The part of a stored event that rules need. */
export type PastEvent = { eventId: string; seq: number; receivedAt: number; content: EventContent };

const PEOPLE_BYTES = 1_000_000;

const usersOf = (plan: { rules: readonly { recipients: readonly { userId: string }[] }[] }): Set<string> =>
  new Set(plan.rules.flatMap(({ recipients }) => recipients.map(({ userId }) => userId)));

const toRef = ({ eventId, receivedAt, content: { eventKey, title, priority } }: PastEvent) => ({
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

/** What a plan makes of one rule. */
type Recipients = {
  rule: { id: string };
  recipients: readonly Recipient[];
  group?: GroupedRule | undefined;
  /** How many are not told because the alert flaps. */
  held: number;
};

const rulesOf = ({ rules, groups = [], flapping }: DeliveryPlan): Recipients[] =>
  rules.map((planned, rule) => ({
    ...planned,
    group: groups.find((one) => one.rule === rule),
    held: flapping?.held?.[rule] ?? 0,
  }));

type Example = History["rules"][number]["examples"][number];
/** What an example says of a rule besides the event. */
type Stands = { userIds: readonly string[] } & Pick<Example, "grouped" | "belowThreshold">;

/** Puts an example first, behind newer ones if it was held, and drops the last of too many. */
const keepNewest = <One extends { event: { receivedAt: string } }>(examples: One[], one: One): void => {
  const newer = examples.findLastIndex(({ event }) => event.receivedAt > one.event.receivedAt);
  examples.splice(newer + 1, 0, one);
  examples.splice(EXAMPLES_MAX);
};

/** Counts, for each draft, the events that it matches and those that the saved rule in its place matches. */
const createRuleCounts = ({ rules, drafts }: DraftedRules) => {
  type Count = Pick<History["rules"][number], "matched" | "matchedBefore" | "saved" | "examples">;
  const none = (): Count => ({
    matched: 0,
    matchedBefore: 0,
    saved: { of: 0, grouped: 0, belowThreshold: 0, flapping: 0, tooMany: 0 },
    examples: [],
  });
  const counts = new Map<string, Count>([...drafts.keys()].map((id) => [id, none()]));
  const countBefore = (planned: readonly Pick<Recipients, "rule">[]): void => {
    for (const { rule } of planned) {
      const count = counts.get(rule.id);
      if (count !== undefined) count.matchedBefore += 1;
    }
  };
  /** Returns the people whom the drafts reach. */
  const countAfter = (planned: readonly Recipients[], toExample: (stands: Stands) => Example): string[] =>
    planned.flatMap(({ rule, recipients, group, held }) => {
      const count = counts.get(rule.id);
      if (count === undefined) return [];
      const userIds = recipients.map(({ userId }) => userId);
      const [grouped, belowThreshold] = [group?.into !== undefined, group?.below !== undefined];
      const quiet = group?.recipients ?? 0;
      count.matched += 1;
      count.saved.of += userIds.length + quiet + held;
      count.saved.flapping += held;
      count.saved.tooMany += recipients.filter((one) => one.quiet === "too_many").length;
      count.saved.grouped += grouped ? quiet : 0;
      count.saved.belowThreshold += belowThreshold ? quiet : 0;
      keepNewest(count.examples, toExample({ userIds, grouped, belowThreshold }));
      return userIds;
    });
  const answer = (): History["rules"] =>
    rules
      .filter(({ id }) => drafts.has(id))
      .map(({ id, name }) => {
        const { examples, ...count } = counts.get(id) ?? none();
        const shown = drafts.size > EXAMPLE_RULES_MAX ? [] : examples;
        return { id: shownId(id), name, draft: drafts.get(id) ?? null, ...count, examples: shown };
      });
  return { countBefore, countAfter, answer };
};

/** For each person, counts the events of which only the drafts, or only the saved rules, would have told them. */
const createPeopleCounts = (people: People) => {
  const differences = new Map<string, { more: number; less: number }>();
  const count = (userIds: readonly string[], key: "more" | "less"): void => {
    for (const userId of userIds) {
      const difference = differences.get(userId) ?? { more: 0, less: 0 };
      difference[key] += 1;
      differences.set(userId, difference);
    }
  };
  const answer = (): Pick<History, "people" | "peopleNotListed"> => {
    const all = [...differences]
      .map(([userId, difference]) => ({ ...toPerson(userId, people), ...difference }))
      .toSorted((one, other) => other.more + other.less - (one.more + one.less));
    const { taken } = takeFitting(all, PEOPLE_BYTES);
    return { people: taken, peopleNotListed: all.length - taken.length };
  };
  return { count, answer };
};

/** How long a group or a count of one of these rules lasts at most (milliseconds); 0 without any. */
const longestGate = (rules: readonly RoutingRule[]): number =>
  MINUTE_MS *
  Math.max(0, ...rules.flatMap(({ groupMinutes, atLeast }) => [groupMinutes ?? 0, atLeast?.withinMinutes ?? 0]));

/** What one set of rules makes of an event: a plan, or one that holds it because its alert flaps. */
type Planned = { plan: DeliveryPlan; isHeld: boolean };
/** An event that is held, by the saved rules or by those with drafts. */
type Waiting = { event: PastEvent; flapping: Flapping; was: Planned; is: Planned; isCounted: boolean };

/** An event may lie so far after the first ones by which the valve counts it. */
const VALVE_REACH_MS = 2 * LOUD_SPAN_MS;

/** Whether a group rings that calls for an acknowledgement. */
const asksGroup = ({ rules, groups = [] }: DeliveryPlan): boolean =>
  groups.some((group) => !isHeldDown(group) && rules[group.rule]?.requiresAck === true);

/**
 * Runs drafts over stored events, one by one, the oldest first. Each event is planned twice for the time at which it
 * came, with the saved rules and with the drafts, by the same function that plans deliveries. What flaps is planned again
 * when its hold ends, unless its sender has resolved it. Groups, counts, alerts and what rang begin with the first event. `loud`: how often a person is
 * rung for within ten minutes; null for no limit.
 */
export const createHistory = (
  { people, silences, loud }: { people: People; silences: readonly Silence[]; loud: number | null },
  saved: readonly RoutingRule[],
  draft: DraftedRules,
) => {
  const [before, after] = [toRuleSet(saved, silences), toRuleSet(draft.rules, silences)];
  const changed = [...saved, ...draft.rules].filter(({ id }) => draft.drafts.has(id));
  const patterns = [...new Set(changed.map(({ eventKey }) => eventKey))];
  const versions = { rulesVersion: 0, peopleVersion: 0 };
  const createPlans = (rules: RuleSet) => {
    const [throughGates, throughValve] = [createGateKeeper(), createValveKeeper(loud)];
    return (event: PastEvent, flapping: Flapping | undefined, at: number): Planned => {
      const made = planEvent(rules, people, { ...event, flapping }, versions, at);
      const isHeld = made.hold?.heldBy === FLAPPING;
      return { plan: throughValve(event, isHeld ? made : throughGates(made, event)).plan, isHeld };
    };
  };
  const [planBefore, planAfter] = [createPlans(before), createPlans(after)];
  const follow = createFlapKeeper();
  let waiting: Waiting[] = [];

  const toTold = (userIds: readonly string[]) => ({
    count: userIds.length,
    people: userIds.slice(0, EXAMPLE_PEOPLE_MAX).map((userId) => toPerson(userId, people)),
  });

  const reached = new Set<string>();
  const sums = { events: 0, moreTold: 0, lessTold: 0, newlyTold: 0, notToldAnyMore: 0 };
  const rings = { before: 0, after: 0 };
  let asksGroups = false;
  const examples: History["examples"] = [];
  const ruleCounts = createRuleCounts(draft);
  const peopleCounts = createPeopleCounts(people);

  // Rules for other event keys make no difference.
  const isConcerned = ({ content }: PastEvent) => patterns.some((pattern) => keyMatches(pattern, content.eventKey));

  const count = (event: PastEvent, was: DeliveryPlan, is: DeliveryPlan): void => {
    const silenced = is.silence !== undefined;
    ruleCounts.countBefore(was.rules);
    const userIds = ruleCounts.countAfter(rulesOf(is), ({ userIds: ids, ...stands }) => ({
      event: toRef(event),
      silenced,
      flapping: isFlapping(is),
      ...stands,
      told: toTold(ids),
    }));
    for (const userId of userIds) reached.add(userId);
    rings.before += ringsOf(was.rules).size;
    rings.after += ringsOf(is.rules).size;
    asksGroups ||= asksGroup(was) || asksGroup(is);
    const [then, now] = [usersOf(was), usersOf(is)];
    const more = [...now].filter((userId) => !then.has(userId));
    const less = [...then].filter((userId) => !now.has(userId));
    peopleCounts.count(more, "more");
    peopleCounts.count(less, "less");
    sums.moreTold += more.length > 0 ? 1 : 0;
    sums.lessTold += less.length > 0 ? 1 : 0;
    sums.newlyTold += then.size === 0 && now.size > 0 ? 1 : 0;
    sums.notToldAnyMore += then.size > 0 && now.size === 0 ? 1 : 0;
    if (more.length + less.length > 0)
      keepNewest(examples, { event: toRef(event), more: toTold(more), less: toTold(less) });
  };

  /** Tells of an event that was held, or leaves it untold if it was resolved meanwhile. */
  const settle = ({ event, flapping, was, is, isCounted }: Waiting, isOver: boolean): void => {
    const again = (planned: Planned, plan: typeof planBefore) =>
      planned.isHeld && !isOver ? plan(event, flapping, flapping.until).plan : planned.plan;
    const plans = [again(was, planBefore), again(is, planAfter)] as const;
    if (isCounted) count(event, ...plans);
  };
  const take = (isOf: (one: Waiting) => boolean): Waiting[] => {
    const taken = waiting.filter(isOf).toSorted((one, other) => one.flapping.until - other.flapping.until);
    if (taken.length > 0) waiting = waiting.filter((one) => !isOf(one));
    return taken;
  };
  const settleUpTo = (at: number): void => {
    for (const one of take(({ flapping }) => flapping.until <= at)) settle(one, false);
  };

  const pass = (event: PastEvent, isCounted: boolean): void => {
    settleUpTo(event.receivedAt);
    const { ends, flapping } = follow(event);
    for (const one of take(({ event: { eventId } }) => eventId === ends)) settle(one, true);
    // With a limit, whatever rings counts.
    if (loud === null && !isConcerned(event)) return;
    const was = planBefore(event, flapping, event.receivedAt);
    const is = planAfter(event, flapping, event.receivedAt);
    if (flapping !== undefined && (was.isHeld || is.isHeld)) waiting.push({ event, flapping, was, is, isCounted });
    else if (isCounted) count(event, was.plan, is.plan);
  };

  /** Takes an event into its groups that is not counted. */
  const lead = (event: PastEvent): void => {
    pass(event, false);
  };

  const look = (event: PastEvent): void => {
    sums.events += 1;
    pass(event, true);
  };

  const answer = (): Omit<History, "from" | "readUnits" | "next" | "warnings"> => {
    settleUpTo(Infinity);
    const notKnown = unknowns.filter(() => asksGroups);
    return { ...sums, ...peopleCounts.answer(), rings, notKnown, rules: ruleCounts.answer(), examples };
  };

  const longest = Math.max(longestGate(changed), loud === null ? 0 : VALVE_REACH_MS);
  /** `reached`: the people whom the drafts would have told. `longest`: how long a group, a count or a ring matters (milliseconds). */
  return { lead, look, answer, reached, longest };
};
