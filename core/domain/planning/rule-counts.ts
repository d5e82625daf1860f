import * as v from "valibot";
import { Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";
import { HOUR_MS } from "../basics/units.ts";
import type { DeliveryPlan, GroupedRule } from "../delivery/delivery-plan.ts";
import type { Recipient } from "../people/recipient.ts";
import { DraftKind, type DraftedRules } from "./draft.ts";
import { shownId } from "../rules/routing-rule.ts";
import type { Reached } from "./storm.ts";

/* The effect of each draft on past events: which it matches, what it saves, and what it delays. */

/** Examples of each rule's matches, and examples of events with different recipients. */
const EXAMPLES_MAX = 10;
/** With more drafts than this, no examples of matches are shown: they would not fit into an answer. */
const EXAMPLE_RULES_MAX = 50;
/** The most hours with a match that are listed for a draft, the newest: four weeks have no more. */
const HOURS_MAX = 672;

export const EventRef = v.object({
  id: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  receivedAt: v.string(),
});

export const Person = v.object({ userId: v.string(), name: v.string(), email: v.string() });
/** How many people there are, and the first of them. */
export const Notified = v.object({ count: v.number(), people: v.array(Person) });

/**
 * How many notifications rules want, and how many of them they do not make: because another event of the group paged,
 * which reports within 30 seconds that there are more, because too few events came, or because the alert flapped and was
 * resolved by its sender before the hold ended. `tooMany`: how many are silent, because their people were paged too
 * often within ten minutes.
 */
const Saved = v.object({
  of: v.number(),
  grouped: v.number(),
  belowThreshold: v.number(),
  flapping: v.number(),
  tooMany: v.number(),
});

/**
 * The events that a threshold suppresses when they come. `told`: of how many of them people learn by a later event, with which
 * the threshold is reached; `longestSeconds`: the longest time until then, null without any. Nobody is notified of the others.
 * An event is counted by the call that reads it, and as reported by the call that reads the later one.
 */
const Delayed = v.object({ events: v.number(), told: v.number(), longestSeconds: v.nullable(v.number()) });

/**
 * The result of a draft over the events: how many it matches, how many the saved rule in its place matches, and the newest
 * events that the draft matches. With very many drafts the examples and hours are left out.
 */
export const RuleCounts = v.object({
  id: v.nullable(v.string()),
  name: v.string(),
  draft: DraftKind,
  matched: v.number(),
  matchedBefore: v.number(),
  /** The notifications that the draft's groups and threshold save. */
  saved: Saved,
  /** What the draft's threshold delays. */
  delayed: Delayed,
  /**
   * The hours in which events came that the draft matches, the newest 672 of them, the oldest first: how many, and how
   * many of them would have notified somebody.
   */
  hours: v.array(v.object({ from: v.string(), matched: v.number(), told: v.number() })),
  examples: v.array(
    v.object({
      event: EventRef,
      silenced: v.boolean(),
      grouped: v.boolean(),
      belowThreshold: v.boolean(),
      flapping: v.boolean(),
      told: Notified,
    }),
  ),
});
type RuleCounts = v.InferOutput<typeof RuleCounts>;

/** The result of one set of rules for an event: a plan, or one that holds it because its alert flaps, and the thresholds that it reaches. */
export type Planned = { plan: DeliveryPlan; isHeld: boolean; reached: readonly Reached[] };

/** The plan's result for one rule. */
type Recipients = {
  rule: { id: string };
  recipients: readonly Recipient[];
  group?: GroupedRule | undefined;
  /** How many are not notified because the alert flaps. */
  held: number;
  /** If the event reached the rule's threshold: how many earlier ones it reports, and how long ago the first of them came. */
  reached: { earlier: number; seconds: number } | undefined;
};

export const rulesOf = ({ plan: { at, rules, groups = [], flapping }, reached }: Planned): Recipients[] =>
  rules.map((planned, rule) => {
    const counted = reached.find((one) => one.rule === rule)?.counted;
    return {
      ...planned,
      group: groups.find((one) => one.rule === rule),
      held: flapping?.held?.[rule] ?? 0,
      reached: counted && { earlier: counted.length - 1, seconds: Math.round((at - Math.min(...counted)) / 1000) },
    };
  });

type Example = RuleCounts["examples"][number];
/** The fields of a rule in an example besides the event. */
type Stands = { userIds: readonly string[] } & Pick<Example, "grouped" | "belowThreshold">;

/** Puts an example first, after newer ones if it was held, and drops the last of too many. */
export const keepNewest = <One extends { event: { receivedAt: string } }>(examples: One[], one: One): void => {
  const newer = examples.findLastIndex(({ event }) => event.receivedAt > one.event.receivedAt);
  examples.splice(newer + 1, 0, one);
  examples.splice(EXAMPLES_MAX);
};

/** Counts, for each draft, the events that it matches and those that the saved rule in its place matches. */
export const createRuleCounts = ({ rules, drafts }: DraftedRules) => {
  type Count = Pick<RuleCounts, "matched" | "matchedBefore" | "saved" | "delayed" | "examples"> & {
    /** By the beginning of the hour, in milliseconds. */
    hours: Map<number, { matched: number; told: number }>;
  };
  const none = (): Count => ({
    matched: 0,
    matchedBefore: 0,
    saved: { of: 0, grouped: 0, belowThreshold: 0, flapping: 0, tooMany: 0 },
    delayed: { events: 0, told: 0, longestSeconds: null },
    hours: new Map(),
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
  const countAfter = (
    planned: readonly Recipients[],
    receivedAt: number,
    toExample: (stands: Stands) => Example,
  ): string[] =>
    planned.flatMap(({ rule, recipients, group, held, reached }) => {
      const count = counts.get(rule.id);
      if (count === undefined) return [];
      const userIds = recipients.map(({ userId }) => userId);
      const [grouped, belowThreshold] = [group?.into !== undefined, group?.below !== undefined];
      const quiet = group?.recipients ?? 0;
      count.matched += 1;
      const from = Math.floor(receivedAt / HOUR_MS) * HOUR_MS;
      const hour = count.hours.get(from) ?? { matched: 0, told: 0 };
      count.hours.set(from, { matched: hour.matched + 1, told: hour.told + (userIds.length > 0 ? 1 : 0) });
      count.saved.of += userIds.length + quiet + held;
      count.saved.flapping += held;
      count.saved.tooMany += recipients.filter((one) => one.quiet === "too_many").length;
      count.saved.grouped += grouped ? quiet : 0;
      count.saved.belowThreshold += belowThreshold ? quiet : 0;
      count.delayed.events += belowThreshold ? 1 : 0;
      if (reached !== undefined) {
        count.delayed.told += reached.earlier;
        count.delayed.longestSeconds = Math.max(count.delayed.longestSeconds ?? 0, reached.seconds);
      }
      keepNewest(count.examples, toExample({ userIds, grouped, belowThreshold }));
      return userIds;
    });
  const answer = (): RuleCounts[] =>
    rules
      .filter(({ id }) => drafts.has(id))
      .map(({ id, name }) => {
        const { examples, hours, ...count } = counts.get(id) ?? none();
        const isBrief = drafts.size > EXAMPLE_RULES_MAX;
        // An event that was held is counted after newer ones.
        const newest = [...hours].toSorted(([one], [other]) => one - other).slice(-HOURS_MAX);
        return {
          id: shownId(id),
          name,
          draft: drafts.get(id) ?? null,
          ...count,
          hours: isBrief ? [] : newest.map(([from, hour]) => ({ from: toIso(from), ...hour })),
          examples: isBrief ? [] : examples,
        };
      });
  return { countBefore, countAfter, answer };
};
