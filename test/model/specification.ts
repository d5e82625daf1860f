import type { Ws } from "./history.ts";

/*
 * What the interface promises, in memory and without a thought for how it is kept: who is told of an event by a
 * configuration, what a dedupeKey and an Idempotency-Key do, when steps fire.
 */

export type Rule = {
  id: string;
  name: string;
  version: number;
  pattern: string;
  groupIds: readonly string[];
  requiresAck: boolean;
  override: string | null;
  policyId: string | null;
  over: number | null;
  enabled: boolean;
};
export type Group = { id: string; memberIds: readonly string[] };
export type Target = { type: "group"; groupId: string } | { type: "user"; userId: string };
export type Step = { delayMinutes: number; targets: readonly Target[] };
export type Policy = { id: string; repeat: number; steps: readonly Step[] };
export type People = { members: readonly string[]; groups: readonly Group[]; policies: readonly Policy[] };
/** Tokens by user. */
export type Devices = Readonly<Record<string, readonly string[]>>;

/** A value with the time from which it may hold (its change was asked for) and from which it surely does (answered). */
export type Era<Value> = { value: Value; since: number; sure: number };

/** Every value that may have held at some moment of a time. */
export const heldWithin = <Value>(eras: readonly Era<Value>[], from: number, to: number): Value[] =>
  eras
    .filter(({ since }, index) => since <= to && (eras[index + 1]?.sure ?? Infinity) > from)
    .map(({ value }) => value);

export type Posted = {
  ws: Ws;
  id: string;
  title: string;
  event: string;
  amount: number;
  priority: string;
  requiresAck: boolean | null;
  /** When it was asked for and when it was answered. */
  from: number;
  to: number;
};

/** What one rule makes of an event. */
export type Order = {
  rule: Rule;
  recipients: readonly string[];
  requiresAck: boolean;
  priority: string;
  policy: Policy | undefined;
};

const canonical = (priority: string): string => (priority === "CRITICAL" ? "URGENT" : priority);

const matches = (rule: Rule, { event, amount }: Posted): boolean => {
  if (!rule.enabled || (rule.over !== null && amount <= rule.over)) return false;
  const [resource] = event.split(".");
  return rule.pattern === "*" || rule.pattern === event || rule.pattern === `${resource}.*`;
};

export const named = (targets: readonly Target[], people: People): string[] => {
  const all = targets.flatMap((target) =>
    target.type === "user" ? [target.userId] : (people.groups.find(({ id }) => id === target.groupId)?.memberIds ?? []),
  );
  return [...new Set(all)].filter((userId) => people.members.includes(userId));
};

/** Which notifications an event must lead to, its escalations aside. */
export const ordersOf = (posted: Posted, rules: readonly Rule[], people: People): Order[] =>
  rules
    .filter((rule) => matches(rule, posted))
    .map((rule) => {
      const requiresAck = posted.requiresAck ?? rule.requiresAck;
      const policy = people.policies.find(({ id }) => id === rule.policyId);
      return {
        rule,
        recipients: named(
          rule.groupIds.map((groupId) => ({ type: "group", groupId })),
          people,
        ),
        requiresAck,
        priority: canonical(rule.override ?? posted.priority),
        policy: requiresAck ? policy : undefined,
      };
    });

const MINUTE_MS = 60_000;
/** A step that fires this late at most leaves the times of the steps after it where they were. */
const LATE_MS = 30_000;

/** A step that was seen to fire: when, and for whom. */
export type Firing = { at: number; userIds: readonly string[] };

export type EscalationFacts = {
  order: Order;
  plannedAt: number;
  /** By the number of the step through all rounds, from 1. */
  firings: ReadonlyMap<number, Firing>;
  /** The first acknowledgement of the event under this rule. */
  acknowledged: { from: number; to: number } | undefined;
  /** Whom targets may name at some moment of a time. */
  mayName: (targets: readonly Target[], from: number, to: number) => readonly (readonly string[])[];
  /** The latest time at which something that was due at `due` may happen. */
  latest: (due: number) => number;
};

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((entry) => other.includes(entry));

/** What is wrong with the way in which an escalation went, or undefined. */
export const faultOfEscalation = (facts: EscalationFacts): string | undefined => {
  const { order, plannedAt, firings, acknowledged, mayName, latest } = facts;
  const { policy } = order;
  const places = policy === undefined ? 0 : policy.steps.length * (policy.repeat + 1);
  const stepAt = (number: number) => policy?.steps[(number - 1) % policy.steps.length];
  const roundOf = (number: number) => Math.floor((number - 1) / (policy?.steps.length ?? 1));
  const next = (after: number) => {
    for (let number = after + 1; number <= places; number += 1)
      if ((stepAt(number)?.targets.length ?? 0) > 0) return number;
    return undefined;
  };
  const delay = (number: number) => (stepAt(number)?.delayMinutes ?? 0) * MINUTE_MS;
  const expected = new Set<number>();

  let number = next(0);
  if (number !== undefined) {
    const due = order.recipients.length > 0 ? plannedAt + delay(number) : plannedAt;
    let [low, high] = [due, due];
    while (number !== undefined) {
      const place: number = number;
      const targets = stepAt(place)?.targets ?? [];
      const firing = firings.get(number);
      expected.add(number);
      let told = true;
      if (firing === undefined) {
        const possible = mayName(targets, low, latest(high));
        const goesOn = [...firings.keys()].some((later) => later > place);
        if (acknowledged !== undefined && acknowledged.from <= latest(high) && !goesOn) break;
        if (!possible.some((userIds) => userIds.length === 0)) return `step ${number} never came`;
        told = false;
        high = latest(high) - high > LATE_MS ? latest(high) : high;
      } else {
        const { at, userIds } = firing;
        if (at < low) return `step ${number} came ${low - at} ms before its time`;
        if (at > latest(high)) return `step ${number} came ${at - high} ms after its time`;
        if (acknowledged !== undefined && at > acknowledged.to)
          return `step ${number} came ${at - acknowledged.to} ms after an acknowledgement was answered`;
        if (!mayName(targets, at, at).some((wanted) => sameSet(wanted, userIds)))
          return `step ${number} told [${userIds.join(" ")}] instead of ${mayName(targets, at, at)
            .map((wanted) => `[${wanted.join(" ")}]`)
            .join(" or ")}`;
        const [early, late] = [at - low <= LATE_MS ? low : at, at - high <= LATE_MS ? high : at];
        [low, high] = [Math.min(early, late), Math.max(early, late)];
      }
      const following = next(number);
      if (following === undefined) break;
      const wait = told || roundOf(following) > roundOf(number) ? delay(following) : 0;
      [low, high] = [low + wait, high + wait];
      number = following;
    }
  }
  const [stray] = [...firings.keys()].filter((fired) => !expected.has(fired));
  return stray === undefined ? undefined : `step ${stray} came, which no policy orders`;
};
