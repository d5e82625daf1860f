import type { OnCallSchedule, OverridePeriod } from "../../core/domain/on-call/index.ts";
import { computeOnCall, walkTime } from "../core/domain/on-call/slow.ts";
import { isWithinHours, createWallClock, type Hours } from "../support/wall-clock.ts";
import type { GroupingDraft, Ws } from "./history.ts";

/* An independent implementation of the API's promises, in memory. */

export type Rule = {
  id: string;
  name: string;
  version: number;
  pattern: string;
  groupIds: readonly string[];
  requiresAck: boolean;
  override: string | null;
  onCallOnly: boolean;
  policyId: string | null;
  above: number | null;
  not: boolean;
  enabled: boolean;
  fallback: boolean;
  /** The rule's position in the only chain; null for a rule without a chain. */
  position: number | null;
  active: (Hours & { timeZone: string }) | null;
  storm: GroupingDraft | null;
};
/** Times in milliseconds; `endsAt`: null for a silence without an end. */
export type Silence = {
  id: string;
  pattern: string;
  above: number | null;
  startsAt: number;
  endsAt: number | null;
  weekly: (Hours & { timeZone: string }) | null;
  includeUrgent: boolean;
};
export type Group = {
  id: string;
  memberIds: readonly string[];
  schedule?: OnCallSchedule;
  overrides?: readonly OverridePeriod[];
};
export type Target = { type: "group"; groupId: string; onCallOnly?: boolean } | { type: "user"; userId: string };
export type Step = { delayMinutes: number; targets: readonly Target[] };
export type Policy = { id: string; repeat: number; ackMinutes: number | null; steps: readonly Step[] };
export type People = {
  members: readonly string[];
  groups: readonly Group[];
  policies: readonly Policy[];
  /** The people who have a device; undefined while everybody has one. */
  reached?: readonly string[];
};
export type Devices = Readonly<Record<string, readonly string[]>>;

/**
 * A value and when it applies. `since`: the time of the request, from which the value may be in force. `sure`: the time of the
 * answer, from which the value certainly is in force.
 */
export type Era<Value> = { value: Value; since: number; sure: number };

/** Lists every value that may have been in force at some time of the period. */
export const listValuesWithin = <Value>(eras: readonly Era<Value>[], from: number, to: number): Value[] =>
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
  dedupeKey: string | null;
  resolves: string | null;
  sender: string;
  /** Whether the sender may also resolve events of other senders. */
  resolvesAny: boolean;
  /** The times at which the post was requested and answered. */
  from: number;
  to: number;
};

export type Order = {
  rule: Rule;
  recipients: readonly string[];
  requiresAck: boolean;
  priority: string;
  policy: Policy | undefined;
};

const toKnownPriority = (priority: string): string => (priority === "CRITICAL" ? "URGENT" : priority);

type Pattern = { pattern: string; above: number | null; not?: boolean };

const matchesPattern = ({ pattern, above, not = false }: Pattern, { event, amount }: Posted): boolean => {
  const [resource] = event.split(".");
  return (
    (above === null || amount > above !== not) && (pattern === "*" || pattern === event || pattern === `${resource}.*`)
  );
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const clocks = new Map<string, ReturnType<typeof createWallClock>>();
/** Returns a time zone's wall clock, for a period in which the longest history fits. */
const clockOf = (timeZone: string): ReturnType<typeof createWallClock> => {
  const clock = clocks.get(timeZone) ?? createWallClock(timeZone, Date.UTC(2026, 10, 1), Date.UTC(2027, 3, 1));
  clocks.set(timeZone, clock);
  return clock;
};

export const isInForce = ({ startsAt, endsAt, weekly }: Silence, at: number): boolean =>
  startsAt <= at &&
  (endsAt === null || at < endsAt) &&
  (weekly === null || isWithinHours(clockOf(weekly.timeZone), weekly, at));

/**
 * Returns who is on call, including people who are not members. Only the overrides of members with a device count; everybody
 * has a device at the beginning.
 */
export const onCallAt = (
  { schedule = { timeZone: "UTC", layers: [] }, overrides = [], memberIds }: Group,
  at: number,
  reached?: readonly string[],
) => {
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const counting = overrides.filter(({ userId }) => memberIds.includes(userId) && (reached?.includes(userId) ?? true));
  return computeOnCall(schedule, counting, walkTime(schedule.timeZone, minute - 2 * HOUR_MS, minute), minute);
};

export const listPeopleNamed = (targets: readonly Target[], people: People, at: number): string[] => {
  const all = targets.flatMap((target) => {
    if (target.type === "user") return [target.userId];
    const group = people.groups.find(({ id }) => id === target.groupId);
    if (group === undefined) return [];
    const onCall = target.onCallOnly === true ? onCallAt(group, at, people.reached) : undefined;
    return group.memberIds.filter((userId) => onCall?.includes(userId) ?? true);
  });
  return [...new Set(all)].filter((userId) => people.members.includes(userId));
};

export type Config = { rules: readonly Rule[]; people: People; silences: readonly Silence[] };

/**
 * What an event leads to, apart from escalations: whom it notifies, or how many people it does not notify because of a silence
 * or flapping.
 */
export type Prediction = {
  orders: readonly Order[];
  /** Whether somebody has to acknowledge the event, even if nobody could be notified. */
  needsAck: boolean;
  silence: { id: string; recipients: number } | null;
  flapping: number;
  /** Whether a silence or flapping holds the event back, so that people must be notified when that ends. */
  holds: boolean;
};

/** Returns whether a rule comes later: by position, then by name, then by id. */
const isLater = (one: Rule, other: Rule): boolean =>
  one.position !== null &&
  other.position !== null &&
  (one.position > other.position ||
    (one.position === other.position && (one.name > other.name || (one.name === other.name && one.id > other.id))));

/** Lists the rules that apply to an event received in their active hours. A fallback rule applies only if no other rule does. */
const listApplyingRules = (rules: readonly Rule[], posted: Posted, receivedAt: number): readonly Rule[] => {
  const matched = rules.filter(
    (rule) =>
      rule.enabled &&
      matchesPattern(rule, posted) &&
      (rule.active === null || isWithinHours(clockOf(rule.active.timeZone), rule.active, receivedAt)),
  );
  const others = matched.filter(({ fallback }) => !fallback);
  const needed = others.length > 0 ? others : matched;
  return needed.filter((rule) => !needed.some((other) => isLater(rule, other)));
};

/**
 * What the prediction needs to know of an event's receipt. `isHeld`: a silence has held the event back so far. `heldUntil`: the
 * time until which a flapping alert holds the event back.
 */
type Received = { receivedAt: number; isHeld: boolean; heldUntil: number };

/**
 * Predicts what an event leads to, by the configuration at the time of the plan. A silence counts at the time of receipt, or at
 * the time of the plan for an event that a silence holds back.
 */
export const predict = (
  posted: Posted,
  { rules, people, silences }: Config,
  at: number,
  { receivedAt, isHeld, heldUntil }: Received,
): Prediction => {
  const orders = listApplyingRules(rules, posted, receivedAt).map((rule): Order => {
    const requiresAck = posted.requiresAck ?? rule.requiresAck;
    const policy = people.policies.find(({ id }) => id === rule.policyId);
    const targets = rule.groupIds.map((groupId): Target => ({ type: "group", groupId, onCallOnly: rule.onCallOnly }));
    return {
      rule,
      recipients: listPeopleNamed(targets, people, at),
      requiresAck,
      priority: toKnownPriority(rule.override ?? posted.priority),
      policy: requiresAck ? policy : undefined,
    };
  });
  const needsAck = orders.some(({ requiresAck }) => requiresAck);
  const isUrgent = [toKnownPriority(posted.priority), ...orders.map(({ priority }) => priority)].includes("URGENT");
  const findSilenceAt = (ms: number) =>
    silences.find(
      (silence) =>
        orders.length > 0 &&
        matchesPattern(silence, posted) &&
        (silence.includeUrgent || !isUrgent) &&
        isInForce(silence, ms),
    );
  const recipients = orders.reduce((sum, order) => sum + order.recipients.length, 0);
  const unnotified = orders.map((order) => ({ ...order, recipients: [], policy: undefined }));
  const predictSilenced = (id: string, holds: boolean): Prediction => ({
    orders: unnotified,
    needsAck: false,
    silence: { id, recipients },
    flapping: 0,
    holds,
  });
  const flaps = at < heldUntil && !isUrgent && orders.length > 0;
  const notified: Prediction = flaps
    ? { orders: unnotified, needsAck: false, silence: null, flapping: recipients, holds: true }
    : { orders, needsAck, silence: null, flapping: 0, holds: false };
  const first = isHeld ? undefined : findSilenceAt(receivedAt);
  if (!isHeld && first === undefined) return notified;
  if (first !== undefined && !needsAck) return predictSilenced(first.id, false);
  const still = findSilenceAt(at);
  return still === undefined ? notified : predictSilenced(still.id, true);
};

/** A step that is late by at most this time does not delay the steps after it. */
const LATE_MS = 30_000;

export type Firing = { at: number; userIds: readonly string[] };

export type EscalationFacts = {
  order: Order;
  plannedAt: number;
  /** The steps that ran, by their number through all repeats, from 1. */
  firings: ReadonlyMap<number, Firing>;
  /** The earliest and latest time of the event's first acknowledgement under this rule, or of its end. */
  acknowledged: { from: number; to: number } | undefined;
  /** When all notifications by the rule and its steps before `step` had failed: between `low` and `high`. */
  unreachedBefore: (step: number) => { low: number; high: number } | undefined;
  /** The people whom targets may name at some moment of a period. */
  mayName: (targets: readonly Target[], from: number, to: number) => readonly (readonly string[])[];
  /** Returns the latest time at which a step that is due at `due` may run. */
  latest: (due: number) => number;
};

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((entry) => other.includes(entry));

/** Returns the fault of an escalation, or undefined if it is correct. */
export const findEscalationFault = (facts: EscalationFacts): string | undefined => {
  const { order, plannedAt, firings, acknowledged, unreachedBefore, mayName, latest } = facts;
  const { policy } = order;
  const steps = policy === undefined ? 0 : policy.steps.length * (policy.repeat + 1);
  const findStep = (number: number) => policy?.steps[(number - 1) % policy.steps.length];
  const roundOf = (number: number) => Math.floor((number - 1) / (policy?.steps.length ?? 1));
  const findNextStep = (after: number) => {
    for (let number = after + 1; number <= steps; number += 1)
      if ((findStep(number)?.targets.length ?? 0) > 0) return number;
    return undefined;
  };
  const delayOf = (number: number) => (findStep(number)?.delayMinutes ?? 0) * MINUTE_MS;
  const expected = new Set<number>();

  let number = findNextStep(0);
  if (number !== undefined) {
    const due = order.recipients.length > 0 ? plannedAt + delayOf(number) : plannedAt;
    let [low, high] = [due, due];
    let round = 0;
    while (number !== undefined) {
      const step: number = number;
      // If this repeat of the policy has reached nobody, its next step does not wait.
      const unreached = roundOf(step) === round ? unreachedBefore(step) : undefined;
      if (unreached !== undefined) [low, high] = [Math.min(low, unreached.low), Math.min(high, unreached.high)];
      round = roundOf(step);
      const targets = findStep(step)?.targets ?? [];
      const firing = firings.get(number);
      expected.add(number);
      let notified = true;
      if (firing === undefined) {
        const possible = mayName(targets, low, latest(high));
        const goesOn = [...firings.keys()].some((later) => later > step);
        if (acknowledged !== undefined && acknowledged.from <= latest(high) && !goesOn) break;
        if (!possible.some((userIds) => userIds.length === 0)) return `step ${number} never came`;
        notified = false;
        high = latest(high) - high > LATE_MS ? latest(high) : high;
      } else {
        const { at, userIds } = firing;
        if (at < low) return `step ${number} came ${low - at} ms before its time`;
        if (at > latest(high)) return `step ${number} came ${at - high} ms after its time`;
        if (acknowledged !== undefined && at > acknowledged.to)
          return `step ${number} came ${at - acknowledged.to} ms after an acknowledgement or a resolve was answered`;
        if (!mayName(targets, at, at).some((wanted) => isSameSet(wanted, userIds)))
          return `step ${number} told [${userIds.join(" ")}] instead of ${mayName(targets, at, at)
            .map((wanted) => `[${wanted.join(" ")}]`)
            .join(" or ")}`;
        const [early, late] = [at - low <= LATE_MS ? low : at, at - high <= LATE_MS ? high : at];
        [low, high] = [Math.min(early, late), Math.max(early, late)];
      }
      const following = findNextStep(number);
      if (following === undefined) break;
      const wait = notified || roundOf(following) > roundOf(number) ? delayOf(following) : 0;
      [low, high] = [low + wait, high + wait];
      number = following;
    }
  }
  const [stray] = [...firings.keys()].filter((fired) => !expected.has(fired));
  return stray === undefined ? undefined : `step ${stray} came, which no policy orders`;
};
