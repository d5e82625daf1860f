import type { GateOfRule } from "./planned-delivery.ts";
import * as v from "valibot";
import { PRIORITIES, Priority } from "../basics/priority.ts";
import type { GroupedRule, PlannedRule } from "../delivery/delivery-plan.ts";
import type { AtLeast } from "../rules/grouping.ts";
import { needsAck } from "./plan-delivery.ts";
import type { PlannedDelivery } from "./planned-delivery.ts";
import { MINUTE_MS } from "../basics/units.ts";
import { quieted } from "./page-limit.ts";

/*
 * Which events of a storm page. The first event of a group opens it and pages; the next ones page nobody until the
 * group's time is over, except one of a higher priority. A threshold opens the group at the event that reaches it.
 */

/** An open group: the event that opened it, the last one that paged in it, the time (milliseconds), and that priority. */
export type Group = { first: string; top: string; at: number; until: number; priority: Priority };

/** For how long the events of a group are silent for a person who has acknowledged one of them. */
const CALM_MS = 30 * MINUTE_MS;

/** Who has acknowledged an event of a group, of which priority, and until when the next ones are silent (milliseconds). */
export const Calm = v.object({ userId: v.string(), until: v.number(), priority: Priority });
export type Calm = v.InferOutput<typeof Calm>;

/** The effect of an acknowledgement on its group. `ends`: when it ends, if it does; both in milliseconds. */
export const calmAfter = (
  userId: string,
  priority: Priority,
  { at, ends = Infinity }: { at: number; ends?: number | undefined },
): Calm => ({ userId, priority, until: Math.min(at + CALM_MS, ends) });

/** An event at the gate of a rule. `at`: when it is planned; `receivedAt`: when it came; both in milliseconds. */
export type AtGate = { eventId: string; seq: number; receivedAt: number; at: number; priority: Priority };

/** A group's decision about an event, and its new state if the event changes it. */
export type Move =
  | { kind: "rings" }
  | { kind: "joins"; into: string }
  | { kind: "opens"; group: Group }
  | { kind: "raises"; group: Group };

/** A gate's decision about an event. `calm`: the people whom it notifies silently. */
export type Placement =
  | { kind: "rings"; calm?: Calm | undefined }
  | { kind: "grouped"; into: string }
  | { kind: "below"; count: number; of: number };

const rank = (priority: Priority): number => PRIORITIES.indexOf(priority);

/** Whether an event paged in the group already: then it pages whenever its plan is made again. */
const hasStep = ({ first, top }: Group, { eventId }: AtGate): boolean => eventId === first || eventId === top;

/** Whether the group decides about an event, or its time is over. */
export const isOpenFor = (group: Group | undefined, event: AtGate): boolean =>
  group !== undefined && (event.at < group.until || hasStep(group, event));

export const openedBy = ({ eventId, at, priority }: AtGate, minutes: number): Group => ({
  first: eventId,
  top: eventId,
  at,
  until: at + minutes * MINUTE_MS,
  priority,
});

/** A group's decision about an event. */
export const moveIn = (group: Group | undefined, event: AtGate, minutes: number): Move => {
  if (group === undefined || !isOpenFor(group, event)) return { kind: "opens", group: openedBy(event, minutes) };
  if (hasStep(group, event)) return { kind: "rings" };
  if (rank(event.priority) > rank(group.priority))
    return { kind: "raises", group: { ...group, top: event.eventId, priority: event.priority } };
  return { kind: "joins", into: group.first };
};

/** The position of an event among those that are counted: when it came, and up to when events were counted for an earlier firing. */
type Counting = { receivedAt: number; since: number };

/** When the events came of which the most came within one period of a threshold around an event, as below. */
const fullestSpan = (
  times: readonly number[],
  { receivedAt, since }: Counting,
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

/**
 * The most events that came within one period of a threshold around an event, in any order. `times`: when each
 * came, the event's own included.
 */
export const mostWithin = (times: readonly number[], counting: Counting, atLeast: AtLeast): number =>
  fullestSpan(times, counting, atLeast).length;

/** A rule that silently notifies people who have acknowledged its group, unless something of a higher priority has come. */
const calmed = (planned: PlannedRule, calm: Calm | undefined, at: number): PlannedRule => {
  if (calm === undefined || at >= calm.until || rank(planned.priority) > rank(calm.priority)) return planned;
  return { ...planned, recipients: quieted(planned.recipients, new Set([calm.userId]), "acknowledged") };
};

/**
 * A plan with the decisions of its rules' gates about the event. `placed` is in the order of the gates, each with
 * the key under which its group is stored.
 */
export const throughGates = (
  made: PlannedDelivery,
  placed: readonly { rule: number; key: string; placement: Placement }[],
): PlannedDelivery => {
  if (placed.length === 0) return made;
  const groups = placed.map(({ rule, key, placement }): GroupedRule => {
    const recipients = made.plan.rules[rule]?.recipients.length ?? 0;
    if (placement.kind === "rings") return { rule, key };
    if (placement.kind === "grouped") return { rule, key, into: placement.into, recipients };
    return { rule, key, below: { count: placement.count, of: placement.of }, recipients };
  });
  const quiet = new Set(placed.filter(({ placement }) => placement.kind !== "rings").map(({ rule }) => rule));
  const rules = made.plan.rules.map((planned, rule) => {
    if (quiet.has(rule)) return { ...planned, recipients: [], escalation: undefined };
    const placement = placed.find((one) => one.rule === rule)?.placement;
    return placement?.kind === "rings" ? calmed(planned, placement.calm, made.plan.at) : planned;
  });
  const plan = { ...made.plan, rules, groups };
  return { ...made, plan, needsAck: needsAck({ rules: rules.filter((_, rule) => !quiet.has(rule)) }) };
};

/** A group, when the events came that were counted, and who has acknowledged one at night, by the name of the gate. */
export type Known = ReadonlyMap<
  string,
  { group: Group | undefined; times: readonly number[]; calm?: Calm | undefined }
>;

/** A threshold that an event reached. `counted`: when the events came that were counted, its own included (milliseconds). */
export type Reached = { rule: number; counted: readonly number[] };

/**
 * Groups and counts in memory, for events in the order in which they came: what delivery stores in the table.
 * `known`: what it has stored so far.
 */
export const createGateKeeper = (
  known: Known = new Map(),
  onReached: (reached: Reached) => unknown = () => undefined,
) => {
  const groups = new Map(
    [...known].flatMap(([name, { group }]) => (group === undefined ? [] : [[name, group] as const])),
  );
  const came = new Map([...known].map(([name, { times }]) => [name, [...times]] as const));
  const pass = ({ rule, gate: { name, minutes, atLeast } }: GateOfRule, event: AtGate): Placement => {
    const group = groups.get(name);
    if (atLeast !== null && !isOpenFor(group, event)) {
      const span = atLeast.withinMinutes * MINUTE_MS;
      const times = [...(came.get(name) ?? []).filter((time) => time > event.receivedAt - span), event.receivedAt];
      came.set(name, times);
      const counting = { receivedAt: event.receivedAt, since: group?.at ?? -Infinity };
      const counted = fullestSpan(times, counting, atLeast);
      if (counted.length < atLeast.count) return { kind: "below", count: counted.length, of: atLeast.count };
      onReached({ rule, counted });
    }
    const move = moveIn(group, event, minutes);
    if (move.kind === "joins") return { kind: "grouped", into: move.into };
    if (move.kind !== "rings") groups.set(name, move.group);
    return { kind: "rings", calm: known.get(name)?.calm };
  };
  /** A plan after the gates of its rules. */
  return (made: PlannedDelivery, event: Omit<AtGate, "at" | "priority">): PlannedDelivery => {
    const { gates, plan } = made;
    return throughGates(
      made,
      gates.map(({ rule, gate }) => {
        const priority = plan.rules[rule]?.priority ?? "LOW";
        return { rule, key: gate.name, placement: pass({ rule, gate }, { ...event, at: plan.at, priority }) };
      }),
    );
  };
};
