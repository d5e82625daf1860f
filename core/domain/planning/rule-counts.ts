import * as v from "valibot";
import { Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";
import { HOUR_MS } from "../basics/units.ts";
import type { DeliveryPlan, GroupedRule } from "../delivery/delivery-plan.ts";
import type { Recipient } from "../people/recipient.ts";
import { DraftKind, type DraftedRules } from "./draft.ts";
import { toRuleIdOrNull } from "../rules/routing-rule.ts";
import type { Reached } from "./storm.ts";

/** The maximum number of example matches per rule, and of example events with different recipients. */
const EXAMPLES_MAX = 10;
/** The maximum number of drafts for which examples and hours are listed. */
const EXAMPLE_RULES_MAX = 50;
/** The maximum number of listed hours with a match, from the newest: the hours of four weeks. */
const HOURS_MAX = 672;

export const EventRef = v.object({
  id: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  receivedAt: v.string(),
});

export const Person = v.object({ userId: v.string(), name: v.string(), email: v.string() });
/** People who would be notified. `count`: the number of people. `people`: a list of only the first people. */
export const Notified = v.object({ count: v.number(), people: v.array(Person) });

/**
 * How many of all notifications for matching events (`of`) are suppressed or silent, by reason. `grouped`: another event of the
 * group notified people. `belowThreshold`: too few events arrived for the threshold. `flapping`: the event was resolved before
 * its hold ended. `tooMany`: notifications that are silent because of the page limit.
 */
const Saved = v.object({
  of: v.number(),
  grouped: v.number(),
  belowThreshold: v.number(),
  flapping: v.number(),
  tooMany: v.number(),
});

/**
 * Events below a threshold. `told`: how many events were followed by the event that reached the threshold. `longestSeconds`: the
 * longest time until the threshold was reached, or null. The preview does not compare events of different calls.
 */
const Delayed = v.object({ events: v.number(), told: v.number(), longestSeconds: v.nullable(v.number()) });

/** How many events a draft and the replaced rule (`matchedBefore`) match. Examples and hours are omitted for many drafts. */
export const RuleCounts = v.object({
  id: v.nullable(v.string()),
  name: v.string(),
  draft: DraftKind,
  matched: v.number(),
  matchedBefore: v.number(),
  saved: Saved,
  delayed: Delayed,
  /** The oldest hours, the oldest comes first. `told`: how many matches would have notified somebody. */
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

export type CountedPlan = { plan: DeliveryPlan; isHeld: boolean; reached: readonly Reached[] };

type Recipients = {
  rule: { id: string };
  recipients: readonly Recipient[];
  group?: GroupedRule | undefined;
  /** The number of people who are not notified because the alert flaps. */
  held: number;
  /** How many events the threshold had counted before this event, and how many seconds before it the first one arrived. */
  reached: { earlier: number; seconds: number } | undefined;
};

/** Returns each rule's recipients, and how many people were not notified because of a group, a threshold or flapping. */
export const toRuleRecipients = ({ plan: { at, rules, groups = [], flapping }, reached }: CountedPlan): Recipients[] =>
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
type RuleEffect = { userIds: readonly string[] } & Pick<Example, "grouped" | "belowThreshold">;

/** Adds an example to the list, which is sorted from newest to oldest, and drops the oldest examples beyond the limit. */
export const addExample = <Example extends { event: { receivedAt: string } }>(
  examples: Example[],
  example: Example,
): void => {
  const newer = examples.findLastIndex(({ event }) => event.receivedAt > example.event.receivedAt);
  examples.splice(newer + 1, 0, example);
  examples.splice(EXAMPLES_MAX);
};

/** Returns functions that count an event's matches by the saved rules and by drafts, and that list the counts. */
export const createRuleCounter = ({ rules, drafts }: DraftedRules) => {
  type Count = Pick<RuleCounts, "matched" | "matchedBefore" | "saved" | "delayed" | "examples"> & {
    /** The counts of each hour; the key is the hour's start in ms. */
    hours: Map<number, { matched: number; told: number }>;
  };
  const createEmptyCounts = (): Count => ({
    matched: 0,
    matchedBefore: 0,
    saved: { of: 0, grouped: 0, belowThreshold: 0, flapping: 0, tooMany: 0 },
    delayed: { events: 0, told: 0, longestSeconds: null },
    hours: new Map(),
    examples: [],
  });
  const counts = new Map<string, Count>([...drafts.keys()].map((id) => [id, createEmptyCounts()]));
  const countSavedMatches = (planned: readonly Pick<Recipients, "rule">[]): void => {
    for (const { rule } of planned) {
      const count = counts.get(rule.id);
      if (count !== undefined) count.matchedBefore += 1;
    }
  };
  /** Counts the matches of the draft rules. Returns the people whom drafts notify. */
  const countDraftMatches = (
    planned: readonly Recipients[],
    receivedAt: number,
    toExample: (effect: RuleEffect) => Example,
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
      addExample(count.examples, toExample({ userIds, grouped, belowThreshold }));
      return userIds;
    });
  const listRuleCounts = (): RuleCounts[] =>
    rules
      .filter(({ id }) => drafts.has(id))
      .map(({ id, name }) => {
        const { examples, hours, ...count } = counts.get(id) ?? createEmptyCounts();
        const isBrief = drafts.size > EXAMPLE_RULES_MAX;
        // The map's hours are not in order, because held events are counted after newer events.
        const newest = [...hours].toSorted(([one], [other]) => one - other).slice(-HOURS_MAX);
        return {
          id: toRuleIdOrNull(id),
          name,
          draft: drafts.get(id) ?? null,
          ...count,
          hours: isBrief ? [] : newest.map(([from, hour]) => ({ from: toIso(from), ...hour })),
          examples: isBrief ? [] : examples,
        };
      });
  return { countBefore: countSavedMatches, countAfter: countDraftMatches, answer: listRuleCounts };
};
