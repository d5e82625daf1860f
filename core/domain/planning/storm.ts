import type { GateOfRule } from "./planned-delivery.ts";
import * as v from "valibot";
import { PRIORITIES, Priority } from "../basics/priority.ts";
import type { GroupedRule, PlannedRule } from "../delivery/delivery-plan.ts";
import type { AtLeast } from "../rules/grouping.ts";
import { needsAcknowledgement } from "./plan-delivery.ts";
import type { PlannedDelivery } from "./planned-delivery.ts";
import { MINUTE_MS } from "../basics/units.ts";
import { makeRecipientsQuiet } from "./page-limit.ts";

/* An event pages if it opens a group or reaches a threshold. Later events of a group page only at a higher priority. */

/** An open group of events. `first`: the event that opened the group. `top`: the last event of the group that paged people. */
export type EventGroup = { first: string; top: string; at: number; until: number; priority: Priority };

/** How long a group's events are silent for a person who acknowledged an event of the group at night. */
const CALM_MS = 30 * MINUTE_MS;

/** The person gets the group's events up to `priority` silently until the time `until`, in milliseconds. */
export const QuietPeriod = v.object({ userId: v.string(), until: v.number(), priority: Priority });
export type QuietPeriod = v.InferOutput<typeof QuietPeriod>;

/** Returns the quiet period after an acknowledgement. `ackEnd`: when a temporary acknowledgement ends (ms). */
export const createQuietPeriod = (
  userId: string,
  priority: Priority,
  { at, ackEnd = Infinity }: { at: number; ackEnd?: number | undefined },
): QuietPeriod => ({ userId, priority, until: Math.min(at + CALM_MS, ackEnd) });

/** An event whose rule has a group or threshold. `at`: when the event is planned. All times are in milliseconds. */
export type GroupEvent = { eventId: string; seq: number; receivedAt: number; at: number; priority: Priority };

/** The effect of an event on a group, with the group's new state if the event changes the group. */
export type GroupEffect =
  | { kind: "rings" }
  | { kind: "joins"; into: string }
  | { kind: "opens"; group: EventGroup }
  | { kind: "raises"; group: EventGroup };

/** What a group or threshold decides about an event. `calm`: the time in which notifications to the acknowledger are silent. */
export type GroupDecision =
  | { kind: "rings"; calm?: QuietPeriod | undefined }
  | { kind: "grouped"; into: string }
  | { kind: "below"; count: number; of: number };

const rankPriority = (priority: Priority): number => PRIORITIES.indexOf(priority);

/** Returns whether the event opened the group or was its last to page: such an event pages again if it is planned again. */
const hasPagedInGroup = ({ first, top }: EventGroup, { eventId }: GroupEvent): boolean =>
  eventId === first || eventId === top;

/** Returns whether the event belongs to the open group instead of opening a new group. */
export const isGroupOpenFor = (group: EventGroup | undefined, event: GroupEvent): boolean =>
  group !== undefined && (event.at < group.until || hasPagedInGroup(group, event));

export const openGroup = ({ eventId, at, priority }: GroupEvent, minutes: number): EventGroup => ({
  first: eventId,
  top: eventId,
  at,
  until: at + minutes * MINUTE_MS,
  priority,
});

/** Decides whether the event pages for the group again, joins it silently, opens a new group, or raises the group's priority. */
export const decideGroup = (group: EventGroup | undefined, event: GroupEvent, minutes: number): GroupEffect => {
  if (group === undefined || !isGroupOpenFor(group, event)) return { kind: "opens", group: openGroup(event, minutes) };
  if (hasPagedInGroup(group, event)) return { kind: "rings" };
  if (rankPriority(event.priority) > rankPriority(group.priority))
    return { kind: "raises", group: { ...group, top: event.eventId, priority: event.priority } };
  return { kind: "joins", into: group.first };
};

/** `since`: events up to the time `since` were counted when the threshold was last reached. */
type ThresholdCount = { receivedAt: number; since: number };

/** Returns the arrival times, in order, in the busiest period of `withinMinutes` that includes the event. */
const findBusiestSpan = (
  times: readonly number[],
  { receivedAt, since }: ThresholdCount,
  { withinMinutes }: AtLeast,
): readonly number[] => {
  const span = withinMinutes * MINUTE_MS;
  const near = times
    .filter((time) => time > since && time > receivedAt - span && time < receivedAt + span)
    .toSorted((one, other) => one - other);
  let from = 0;
  let [first, end] = [0, 0];
  for (const [index, time] of near.entries()) {
    while (time - (near[from] ?? time) >= span) from += 1;
    if ((near[from] ?? time) <= receivedAt && index + 1 - from > end - first) [first, end] = [from, index + 1];
  }
  return near.slice(first, end);
};

/** Counts the events in the busiest period of `withinMinutes` that includes the event. `times`: arrivals, unordered. */
export const countMaxEventsWithin = (times: readonly number[], counting: ThresholdCount, atLeast: AtLeast): number =>
  findBusiestSpan(times, counting, atLeast).length;

/** Makes notifications to the acknowledger silent until `calm.until`, except with a higher priority than `calm.priority`. */
const makeAcknowledgerQuiet = (planned: PlannedRule, calm: QuietPeriod | undefined, ms: number): PlannedRule => {
  if (calm === undefined || ms >= calm.until || rankPriority(planned.priority) > rankPriority(calm.priority))
    return planned;
  return { ...planned, recipients: makeRecipientsQuiet(planned.recipients, new Set([calm.userId]), "acknowledged") };
};

/** Applies the decisions of groups and thresholds to the plan. `decisions` has the order of `delivery.gates`. */
export const applyGroupDecisions = (
  delivery: PlannedDelivery,
  decisions: readonly { rule: number; key: string; placement: GroupDecision }[],
): PlannedDelivery => {
  if (decisions.length === 0) return delivery;
  const groups = decisions.map(({ rule, key, placement }): GroupedRule => {
    const recipients = delivery.plan.rules[rule]?.recipients.length ?? 0;
    if (placement.kind === "rings") return { rule, key };
    if (placement.kind === "grouped") return { rule, key, into: placement.into, recipients };
    return { rule, key, below: { count: placement.count, of: placement.of }, recipients };
  });
  const quiet = new Set(decisions.filter(({ placement }) => placement.kind !== "rings").map(({ rule }) => rule));
  const rules = delivery.plan.rules.map((planned, rule) => {
    if (quiet.has(rule)) return { ...planned, recipients: [], escalation: undefined };
    const placement = decisions.find((one) => one.rule === rule)?.placement;
    return placement?.kind === "rings" ? makeAcknowledgerQuiet(planned, placement.calm, delivery.plan.at) : planned;
  });
  const plan = { ...delivery.plan, rules, groups };
  return { ...delivery, plan, needsAck: needsAcknowledgement({ rules: rules.filter((_, rule) => !quiet.has(rule)) }) };
};

/** The stored state of each group, by group name: the open group, the arrival times of counted events, and the quiet period. */
export type StoredGroups = ReadonlyMap<
  string,
  { group: EventGroup | undefined; times: readonly number[]; calm?: QuietPeriod | undefined }
>;

/** A rule whose threshold was reached. `counted`: the arrival times (milliseconds) of the counted events. */
export type Reached = { rule: number; counted: readonly number[] };

/** Returns a function that applies groups and thresholds to simulated events. `onReached`: called when a threshold is reached. */
export const createGroupingSimulator = (
  stored: StoredGroups = new Map(),
  onReached: (reached: Reached) => unknown = () => undefined,
) => {
  const groups = new Map(
    [...stored].flatMap(([name, { group }]) => (group === undefined ? [] : [[name, group] as const])),
  );
  const came = new Map([...stored].map(([name, { times }]) => [name, [...times]] as const));
  const decideInGroup = ({ rule, gate: { name, minutes, atLeast } }: GateOfRule, event: GroupEvent): GroupDecision => {
    const group = groups.get(name);
    if (atLeast !== null && !isGroupOpenFor(group, event)) {
      const span = atLeast.withinMinutes * MINUTE_MS;
      const times = [...(came.get(name) ?? []).filter((time) => time > event.receivedAt - span), event.receivedAt];
      came.set(name, times);
      const counting = { receivedAt: event.receivedAt, since: group?.at ?? -Infinity };
      const counted = findBusiestSpan(times, counting, atLeast);
      if (counted.length < atLeast.count) return { kind: "below", count: counted.length, of: atLeast.count };
      onReached({ rule, counted });
    }
    const move = decideGroup(group, event, minutes);
    if (move.kind === "joins") return { kind: "grouped", into: move.into };
    if (move.kind !== "rings") groups.set(name, move.group);
    return { kind: "rings", calm: stored.get(name)?.calm };
  };
  return (delivery: PlannedDelivery, event: Omit<GroupEvent, "at" | "priority">): PlannedDelivery => {
    const { gates, plan } = delivery;
    return applyGroupDecisions(
      delivery,
      gates.map(({ rule, gate }) => {
        const priority = plan.rules[rule]?.priority ?? "LOW";
        return {
          rule,
          key: gate.name,
          placement: decideInGroup({ rule, gate }, { ...event, at: plan.at, priority }),
        };
      }),
    );
  };
};
