import * as v from "valibot";
import { Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";
import { HOUR_MS } from "../basics/units.ts";
import type { DeliveryPlan, GroupedRule } from "../delivery/delivery-plan.ts";
import type { Recipient } from "../people/recipient.ts";
import { DraftKind, type DraftedRules } from "./draft.ts";
import { ruleIdOrNull } from "../rules/routing-rule.ts";
import type { Reached } from "./storm.ts";

/** The limit for each rule's matches, and for events with different recipients. */
const EXAMPLES_MAX = 10;
/** With more drafts, examples of matches would not fit into an answer. */
const EXAMPLE_RULES_MAX = 50;
/** Four weeks: only a draft's newest hours with a match are listed. */
const HOURS_MAX = 672;

export const EventRef = v.object({
  id: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  receivedAt: v.string(),
});

export const Person = v.object({ userId: v.string(), name: v.string(), email: v.string() });
/** `people` contains only the first of them. */
export const Notified = v.object({ count: v.number(), people: v.array(Person) });

/**
 * The notifications that a draft calls for (`of`), and those that it saves. `grouped`: another event of the group notified
 * people and reports the rest. `belowThreshold`: too few events arrived. `flapping`: the sender resolved the event before the
 * hold ended. `tooMany`: notifications that are silent, because the person was paged too often within ten minutes.
 */
const Saved = v.object({
  of: v.number(),
  grouped: v.number(),
  belowThreshold: v.number(),
  flapping: v.number(),
  tooMany: v.number(),
});

/**
 * The events that a threshold suppresses on arrival. `told`: how many of them a later event reports when the threshold is
 * reached. `longestSeconds`: the longest wait for a report, null without reports. If a run takes several requests, an event
 * and its report may be counted by different requests.
 */
const Delayed = v.object({ events: v.number(), told: v.number(), longestSeconds: v.nullable(v.number()) });

/**
 * How many events the draft matches, and how many the saved rule with its id matches. With very many drafts, examples and
 * hours are left out.
 */
export const RuleCounts = v.object({
  id: v.nullable(v.string()),
  name: v.string(),
  draft: DraftKind,
  matched: v.number(),
  matchedBefore: v.number(),
  saved: Saved,
  delayed: Delayed,
  /** The oldest hour comes first. `told`: how many of the matched events would have notified somebody. */
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

export type Planned = { plan: DeliveryPlan; isHeld: boolean; reached: readonly Reached[] };

type Recipients = {
  rule: { id: string };
  recipients: readonly Recipient[];
  group?: GroupedRule | undefined;
  /** How many people are not notified because the alert flaps. */
  held: number;
  /** How many earlier events are reported, and how long ago the first of them arrived. */
  reached: { earlier: number; seconds: number } | undefined;
};

export const toRecipients = ({ plan: { at, rules, groups = [], flapping }, reached }: Planned): Recipients[] =>
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
type Stands = { userIds: readonly string[] } & Pick<Example, "grouped" | "belowThreshold">;

/** Keeps the newest examples, sorted by arrival. */
export const addExample = <One extends { event: { receivedAt: string } }>(examples: One[], one: One): void => {
  const newer = examples.findLastIndex(({ event }) => event.receivedAt > one.event.receivedAt);
  examples.splice(newer + 1, 0, one);
  examples.splice(EXAMPLES_MAX);
};

export const createRuleCounter = ({ rules, drafts }: DraftedRules) => {
  type Count = Pick<RuleCounts, "matched" | "matchedBefore" | "saved" | "delayed" | "examples"> & {
    /** Counts by the beginning of the hour, in milliseconds. */
    hours: Map<number, { matched: number; told: number }>;
  };
  const emptyCounts = (): Count => ({
    matched: 0,
    matchedBefore: 0,
    saved: { of: 0, grouped: 0, belowThreshold: 0, flapping: 0, tooMany: 0 },
    delayed: { events: 0, told: 0, longestSeconds: null },
    hours: new Map(),
    examples: [],
  });
  const counts = new Map<string, Count>([...drafts.keys()].map((id) => [id, emptyCounts()]));
  const countCurrentMatches = (planned: readonly Pick<Recipients, "rule">[]): void => {
    for (const { rule } of planned) {
      const count = counts.get(rule.id);
      if (count !== undefined) count.matchedBefore += 1;
    }
  };
  /** Returns the people whom the matching drafts notify. */
  const countDraftMatches = (
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
      addExample(count.examples, toExample({ userIds, grouped, belowThreshold }));
      return userIds;
    });
  const listRuleCounts = (): RuleCounts[] =>
    rules
      .filter(({ id }) => drafts.has(id))
      .map(({ id, name }) => {
        const { examples, hours, ...count } = counts.get(id) ?? emptyCounts();
        const isBrief = drafts.size > EXAMPLE_RULES_MAX;
        // Held events are counted after newer ones, so the hours must be sorted.
        const newest = [...hours].toSorted(([one], [other]) => one - other).slice(-HOURS_MAX);
        return {
          id: ruleIdOrNull(id),
          name,
          draft: drafts.get(id) ?? null,
          ...count,
          hours: isBrief ? [] : newest.map(([from, hour]) => ({ from: toIso(from), ...hour })),
          examples: isBrief ? [] : examples,
        };
      });
  return { countBefore: countCurrentMatches, countAfter: countDraftMatches, answer: listRuleCounts };
};
