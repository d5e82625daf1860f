import * as v from "valibot";
import { takeFitting } from "../basics/fitting.ts";
import { Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";
import { Warning } from "../basics/warning.ts";
import { planEvent } from "./plan-event.ts";
import type { EventContent } from "../event/event.ts";
import type { People } from "../people/people.ts";
import { DraftKind, DraftRules, shownId, type DraftedRules } from "../rules/draft.ts";
import { keyMatches } from "../rules/matching/index.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import { toRuleSet, type RuleSet } from "../rules/rule-set.ts";
import type { Silence } from "../rules/silence.ts";

export const HISTORY_DAYS_MAX = 90;
const HISTORY_DAYS_DEFAULT = 7;
/** Stored events that drafts are run over, the newest. */
export const HISTORY_EVENTS_MAX = 10_000;
/** After so many of DynamoDB's read units a call ends, and says where the next one goes on. */
export const HISTORY_READ_UNITS_MAX = 2_000;
/** Examples of a rule's matches, and of events whose people differ. */
const EXAMPLES_MAX = 10;
/** People that an example names. */
const EXAMPLE_PEOPLE_MAX = 20;
/** Of more drafts no examples are shown: they would not fit into an answer. */
const EXAMPLE_RULES_MAX = 50;

const DAYS_MESSAGE = `days must be a whole number from 1 to ${HISTORY_DAYS_MAX}.`;

/** Rules to run over the events of the last days. `before`: the event at which an answer ended, to go on with older ones. */
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
/** How many people, and the first of them. */
const Told = v.object({ count: v.number(), people: v.array(Person) });

/** What drafts would have changed: the saved rules against the drafts, both with the people and silences of today. */
export const History = v.object({
  /** How far back was looked, and at how many events. */
  from: v.string(),
  events: v.number(),
  /** Events of which somebody would have been told more, and less; of which somebody instead of nobody, and nobody any more. */
  moreTold: v.number(),
  lessTold: v.number(),
  newlyTold: v.number(),
  notToldAnyMore: v.number(),
  /** Whose number of events differs, the greatest difference in front. */
  people: v.array(v.object({ ...Person.entries, more: v.number(), less: v.number() })),
  peopleNotListed: v.number(),
  /**
   * Of each draft how many events it matches, how many the saved rule in its place does, and the newest of the former; of
   * very many drafts the examples are left out.
   */
  rules: v.array(
    v.object({
      id: v.nullable(v.string()),
      name: v.string(),
      draft: DraftKind,
      matched: v.number(),
      matchedBefore: v.number(),
      examples: v.array(v.object({ event: EventRef, silenced: v.boolean(), told: Told })),
    }),
  ),
  /** The newest events of which other people would have been told. */
  examples: v.array(v.object({ event: EventRef, more: Told, less: Told })),
  /** What reading the events cost, in DynamoDB's read units. */
  readUnits: v.number(),
  /** Where it stopped early: `before` of the call that goes on; null where all was looked at. */
  next: v.nullable(v.string()),
  warnings: v.array(Warning),
});
export type History = v.InferOutput<typeof History>;

/** A stored event as far as rules look at it. */
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

type Recipients = { rule: { id: string }; recipients: readonly { userId: string }[] };

/** Of each draft: the events that it matches, and that the saved rule in its place does. */
const createRuleCounts = ({ rules, drafts }: DraftedRules) => {
  type Count = Pick<History["rules"][number], "matched" | "matchedBefore" | "examples">;
  const counts = new Map<string, Count>(
    [...drafts.keys()].map((id) => [id, { matched: 0, matchedBefore: 0, examples: [] }]),
  );
  const countBefore = (planned: readonly Recipients[]): void => {
    for (const { rule } of planned) {
      const count = counts.get(rule.id);
      if (count !== undefined) count.matchedBefore += 1;
    }
  };
  /** Gives the people whom the drafts reach. */
  const countAfter = (
    planned: readonly Recipients[],
    toExample: (userIds: readonly string[]) => Count["examples"][number],
  ): string[] =>
    planned.flatMap(({ rule, recipients }) => {
      const count = counts.get(rule.id);
      if (count === undefined) return [];
      const userIds = recipients.map(({ userId }) => userId);
      count.matched += 1;
      if (count.examples.length < EXAMPLES_MAX) count.examples.push(toExample(userIds));
      return userIds;
    });
  const answer = (): History["rules"] =>
    rules
      .filter(({ id }) => drafts.has(id))
      .map(({ id, name }) => {
        const { matched = 0, matchedBefore = 0, examples = [] } = counts.get(id) ?? {};
        const shown = drafts.size > EXAMPLE_RULES_MAX ? [] : examples;
        return { id: shownId(id), name, draft: drafts.get(id) ?? null, matched, matchedBefore, examples: shown };
      });
  return { countBefore, countAfter, answer };
};

/** Of each person: the events of which the drafts would have told them and the saved rules did not, and the other way round. */
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

/**
 * Runs drafts over stored events, one after the other, the newest first. Each is planned twice, by what also plans deliveries: with the
 * saved rules and with the drafts, for the time at which it came.
 */
export const createHistory = (
  { people, silences }: { people: People; silences: readonly Silence[] },
  saved: readonly RoutingRule[],
  draft: DraftedRules,
) => {
  const [before, after] = [toRuleSet(saved, silences), toRuleSet(draft.rules, silences)];
  const changed = [...saved, ...draft.rules].filter(({ id }) => draft.drafts.has(id));
  const patterns = [...new Set(changed.map(({ eventKey }) => eventKey))];
  const versions = { rulesVersion: 0, peopleVersion: 0 };
  const plan = (rules: RuleSet, event: PastEvent) => planEvent(rules, people, event, versions, event.receivedAt).plan;

  const toTold = (userIds: readonly string[]) => ({
    count: userIds.length,
    people: userIds.slice(0, EXAMPLE_PEOPLE_MAX).map((userId) => toPerson(userId, people)),
  });

  const reached = new Set<string>();
  const sums = { events: 0, moreTold: 0, lessTold: 0, newlyTold: 0, notToldAnyMore: 0 };
  const examples: History["examples"] = [];
  const ruleCounts = createRuleCounts(draft);
  const peopleCounts = createPeopleCounts(people);

  const look = (event: PastEvent): void => {
    sums.events += 1;
    // Rules of other event keys cannot make a difference.
    if (!patterns.some((pattern) => keyMatches(pattern, event.content.eventKey))) return;
    const [was, is] = [plan(before, event), plan(after, event)];
    const silenced = is.silence !== undefined;
    ruleCounts.countBefore(was.rules);
    const userIds = ruleCounts.countAfter(is.rules, (ids) => ({ event: toRef(event), silenced, told: toTold(ids) }));
    for (const userId of userIds) reached.add(userId);
    const [then, now] = [usersOf(was), usersOf(is)];
    const more = [...now].filter((userId) => !then.has(userId));
    const less = [...then].filter((userId) => !now.has(userId));
    peopleCounts.count(more, "more");
    peopleCounts.count(less, "less");
    sums.moreTold += more.length > 0 ? 1 : 0;
    sums.lessTold += less.length > 0 ? 1 : 0;
    sums.newlyTold += then.size === 0 && now.size > 0 ? 1 : 0;
    sums.notToldAnyMore += then.size > 0 && now.size === 0 ? 1 : 0;
    if (more.length + less.length > 0 && examples.length < EXAMPLES_MAX)
      examples.push({ event: toRef(event), more: toTold(more), less: toTold(less) });
  };

  const answer = (): Omit<History, "from" | "readUnits" | "next" | "warnings"> => ({
    ...sums,
    ...peopleCounts.answer(),
    rules: ruleCounts.answer(),
    examples,
  });

  /** Whom the drafts would have told. */
  return { look, answer, reached };
};
