import { PRIORITIES, type Priority } from "../basics/priority.ts";
import { isNotifiedAfterwards, type PlannedRule } from "../delivery/delivery-plan.ts";
import {
  PAGE_LIMIT_SPAN_MS,
  rolled,
  uncountedBelow,
  pageLimitAt,
  pageLimitOfEvent,
  type PageLimitState,
} from "../workspace/page-limit.ts";
import type { Quiet, Recipient } from "../people/recipient.ts";
import type { PlannedDelivery } from "./planned-delivery.ts";

/** A page of a person: by what (an event's number, a step's position), and when (milliseconds). */
export type CountedPage = { by: string; at: number; priority: Priority };

const rank = (priority: Priority): number => PRIORITIES.indexOf(priority);

/** The decision about one more page of a person: `rings` if it has been counted before. */
export type Verdict = { kind: "rings" } | { kind: "counts"; rung: CountedPage[] } | { kind: "quiet" };

/**
 * Whether a person is paged, after counted and uncounted pages. Above the limit only a higher priority than all of
 * the last ten minutes pages. A counted page is allowed again whenever it is asked.
 */
export const pageOnce = (
  counted: readonly CountedPage[],
  uncounted: readonly Omit<CountedPage, "by">[],
  one: CountedPage,
  limit: number,
): Verdict => {
  const isRecent = ({ at }: { at: number }): boolean => at > one.at - PAGE_LIMIT_SPAN_MS;
  const recent = counted.filter(isRecent);
  if (recent.some(({ by }) => by === one.by)) return { kind: "rings" };
  const before = [...recent, ...uncounted.filter(isRecent)];
  const isHigher = before.every(({ priority }) => rank(priority) < rank(one.priority));
  return before.length < limit || isHigher ? { kind: "counts", rung: [...recent, one] } : { kind: "quiet" };
};

/** Whom rules page, each with the highest priority: several rules of an event page at one moment. LOW pages nobody. */
export const pagesOf = (
  rules: readonly { priority: Priority; recipients: readonly Recipient[] }[],
): Map<string, Priority> => {
  const pages = new Map<string, Priority>();
  for (const { priority, recipients } of rules)
    for (const { userId, quiet } of recipients)
      if (quiet === undefined && rank(priority) > rank(pages.get(userId) ?? "LOW")) pages.set(userId, priority);
  return pages;
};

/** Recipients of whom some are notified silently. */
export const quieted = (recipients: readonly Recipient[], users: ReadonlySet<string>, quiet: Quiet): Recipient[] =>
  recipients.map((recipient) =>
    users.has(recipient.userId) && recipient.quiet === undefined ? { ...recipient, quiet } : recipient,
  );

/** The same for all rules that would page. */
export const quietedRules = (rules: readonly PlannedRule[], users: ReadonlySet<string>, quiet: Quiet): PlannedRule[] =>
  rules.map((rule) =>
    rule.priority === "LOW" ? rule : { ...rule, recipients: quieted(rule.recipients, users, quiet) },
  );

/** An event that is numbered: when it came, in milliseconds. */
type Numbered = { seq: number; receivedAt: number };

/**
 * The page limit of each person in memory, for events in the order of their numbers: what delivery stores in the table, for a
 * `limit` of pages within ten minutes; null for none. Periods and pages begin with the first event. A number that no event
 * has pages everybody, as in delivery.
 */
export const createPageLimitKeeper = (limit: number | null) => {
  let state: PageLimitState = { limit, slot: -Infinity, began: 0, before: 0 };
  let newest = 0;
  /** The people paged by uncounted events, by event number. */
  const first = new Map<number, { at: number; users: ReadonlyMap<string, Priority> }>();
  const counted = new Map<string, readonly CountedPage[]>();
  const next = ({ seq, receivedAt }: Numbered): void => {
    state = rolled(state, seq - 1, receivedAt);
    newest = seq;
    for (const number of first.keys()) if (number <= state.before) first.delete(number);
  };
  /** A plan after the page limit. An event may come again, when it notifies after a hold. */
  return (event: Numbered, made: PlannedDelivery): PlannedDelivery => {
    const { seq, receivedAt } = event;
    const { plan } = made;
    const { at } = plan;
    if (seq > newest) next(event);
    const isAfterwards = isNotifiedAfterwards(plan);
    const pageLimit = isAfterwards ? pageLimitAt(state, newest, at) : pageLimitOfEvent(state, seq, receivedAt);
    const people = pagesOf(plan.rules);
    if (!first.has(seq)) first.set(seq, { at, users: pageLimit === undefined ? people : new Map() });
    if (pageLimit === undefined || people.size === 0) return made;
    const pages = uncountedBelow(pageLimit, isAfterwards ? newest + 1 : seq)
      .filter((number) => number !== seq)
      .map((number) => first.get(number));
    const tooMany = [...people].flatMap(([userId, priority]) => {
      const uncounted = pages.flatMap((one): Omit<CountedPage, "by">[] => {
        if (one === undefined) return [{ at, priority: "LOW" }];
        const loud = one.users.get(userId);
        return loud === undefined ? [] : [{ at: one.at, priority: loud }];
      });
      const before = counted.get(userId) ?? [];
      const verdict = pageOnce(before, uncounted, { by: String(seq), at, priority }, pageLimit.limit);
      if (verdict.kind === "counts") counted.set(userId, verdict.rung);
      return verdict.kind === "quiet" ? [userId] : [];
    });
    return { ...made, plan: { ...plan, rules: quietedRules(plan.rules, new Set(tooMany), "too_many") } };
  };
};
