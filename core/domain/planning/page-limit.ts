import { PRIORITIES, type Priority } from "../basics/priority.ts";
import { isToldAfterwards, type PlannedRule } from "../delivery/delivery-plan.ts";
import {
  LOUD_SPAN_MS,
  rolled,
  uncountedBelow,
  valveAt,
  valveOfEvent,
  type LoudState,
} from "../workspace/page-limit.ts";
import type { Quiet, Recipient } from "../people/recipient.ts";
import type { PlannedDelivery } from "./plan-event.ts";

/** That a person was rung for, by what (an event's number, a step's position), and when (milliseconds). */
export type Rung = { by: string; at: number; priority: Priority };

const rank = (priority: Priority): number => PRIORITIES.indexOf(priority);

/** What is to become of one more ring of a person: `rings` if it has been counted before. */
export type Verdict = { kind: "rings" } | { kind: "counts"; rung: Rung[] } | { kind: "quiet" };

/**
 * Whether a person is rung for, after those that were counted and those that were not. Above the limit only what has a
 * higher priority than all of the last ten minutes rings. What was counted rings again whenever it is asked.
 */
export const ringOnce = (
  counted: readonly Rung[],
  uncounted: readonly Omit<Rung, "by">[],
  one: Rung,
  limit: number,
): Verdict => {
  const isRecent = ({ at }: { at: number }): boolean => at > one.at - LOUD_SPAN_MS;
  const recent = counted.filter(isRecent);
  if (recent.some(({ by }) => by === one.by)) return { kind: "rings" };
  const before = [...recent, ...uncounted.filter(isRecent)];
  const isHigher = before.every(({ priority }) => rank(priority) < rank(one.priority));
  return before.length < limit || isHigher ? { kind: "counts", rung: [...recent, one] } : { kind: "quiet" };
};

/** Whom rules ring for, each with the highest priority: several rules of an event ring at one moment. LOW rings nobody. */
export const ringsOf = (
  rules: readonly { priority: Priority; recipients: readonly Recipient[] }[],
): Map<string, Priority> => {
  const rings = new Map<string, Priority>();
  for (const { priority, recipients } of rules)
    for (const { userId, quiet } of recipients)
      if (quiet === undefined && rank(priority) > rank(rings.get(userId) ?? "LOW")) rings.set(userId, priority);
  return rings;
};

/** Recipients of whom some are told without a sound. */
export const quieted = (recipients: readonly Recipient[], users: ReadonlySet<string>, quiet: Quiet): Recipient[] =>
  recipients.map((recipient) =>
    users.has(recipient.userId) && recipient.quiet === undefined ? { ...recipient, quiet } : recipient,
  );

/** The same for all rules that would ring. */
export const quietedRules = (rules: readonly PlannedRule[], users: ReadonlySet<string>, quiet: Quiet): PlannedRule[] =>
  rules.map((rule) =>
    rule.priority === "LOW" ? rule : { ...rule, recipients: quieted(rule.recipients, users, quiet) },
  );

/** An event that is numbered: when it came, in milliseconds. */
type Numbered = { seq: number; receivedAt: number };

/**
 * The valve of each person in memory, for events in the order of their numbers: what delivery keeps in the table, for a
 * `limit` of rings within ten minutes; null for none. Spans, and what rang, begin with the first event. A number that no event
 * has rings for everybody, as in delivery.
 */
export const createValveKeeper = (limit: number | null) => {
  let state: LoudState = { limit, slot: -Infinity, began: 0, before: 0 };
  let newest = 0;
  /** Whom events ring for that are not counted, by their numbers. */
  const first = new Map<number, { at: number; users: ReadonlyMap<string, Priority> }>();
  const counted = new Map<string, readonly Rung[]>();
  const next = ({ seq, receivedAt }: Numbered): void => {
    state = rolled(state, seq - 1, receivedAt);
    newest = seq;
    for (const number of first.keys()) if (number <= state.before) first.delete(number);
  };
  /** A plan as it is after the valve. An event may come again, when it is told after it was held. */
  return (event: Numbered, made: PlannedDelivery): PlannedDelivery => {
    const { seq, receivedAt } = event;
    const { plan } = made;
    const { at } = plan;
    if (seq > newest) next(event);
    const isAfterwards = isToldAfterwards(plan);
    const valve = isAfterwards ? valveAt(state, newest, at) : valveOfEvent(state, seq, receivedAt);
    const people = ringsOf(plan.rules);
    if (!first.has(seq)) first.set(seq, { at, users: valve === undefined ? people : new Map() });
    if (valve === undefined || people.size === 0) return made;
    const rings = uncountedBelow(valve, isAfterwards ? newest + 1 : seq)
      .filter((number) => number !== seq)
      .map((number) => first.get(number));
    const tooMany = [...people].flatMap(([userId, priority]) => {
      const uncounted = rings.flatMap((one): Omit<Rung, "by">[] => {
        if (one === undefined) return [{ at, priority: "LOW" }];
        const loud = one.users.get(userId);
        return loud === undefined ? [] : [{ at: one.at, priority: loud }];
      });
      const before = counted.get(userId) ?? [];
      const verdict = ringOnce(before, uncounted, { by: String(seq), at, priority }, valve.limit);
      if (verdict.kind === "counts") counted.set(userId, verdict.rung);
      return verdict.kind === "quiet" ? [userId] : [];
    });
    return { ...made, plan: { ...plan, rules: quietedRules(plan.rules, new Set(tooMany), "too_many") } };
  };
};
