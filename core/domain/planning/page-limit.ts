import { PRIORITIES, type Priority } from "../basics/priority.ts";
import { isNotifiedAfterHold, type PlannedRule } from "../delivery/delivery-plan.ts";
import {
  PAGE_LIMIT_SPAN_MS,
  updatePageLimitState,
  listUncountedEventNumbers,
  computePageLimitAfterEvent,
  computePageLimitForEvent,
  type PageLimitState,
} from "../workspace/page-limit.ts";
import type { Quiet, Recipient } from "../people/recipient.ts";
import type { PlannedDelivery } from "./planned-delivery.ts";

/** A page that counts towards a person's limit. `by`: the event or the escalation step that paged. `at`: in milliseconds. */
export type CountedPage = { by: string; at: number; priority: Priority };

const rankPriority = (priority: Priority): number => PRIORITIES.indexOf(priority);

/** `rings`: a page that was counted before and has a sound. `counts`: a new page that has a sound. `quiet`: a silent page. */
export type Verdict = { kind: "rings" } | { kind: "counts"; rung: CountedPage[] } | { kind: "quiet" };

/**
 * Decides whether a page has a sound: if it was counted before, if fewer than `limit` pages preceded it in ten minutes, or if it
 * has a higher priority than those pages. `counted`, `uncounted`: the person's earlier pages, checked against the limit or not.
 */
export const decidePageSound = (
  counted: readonly CountedPage[],
  uncounted: readonly Omit<CountedPage, "by">[],
  page: CountedPage,
  limit: number,
): Verdict => {
  const isWithinLimitSpan = ({ at }: { at: number }): boolean => at > page.at - PAGE_LIMIT_SPAN_MS;
  const recent = counted.filter(isWithinLimitSpan);
  if (recent.some(({ by }) => by === page.by)) return { kind: "rings" };
  const before = [...recent, ...uncounted.filter(isWithinLimitSpan)];
  const isHigher = before.every(({ priority }) => rankPriority(priority) < rankPriority(page.priority));
  return before.length < limit || isHigher ? { kind: "counts", rung: [...recent, page] } : { kind: "quiet" };
};

/** Returns each paged person with the highest priority of the person's pages. Priority LOW does not page. */
export const listPagedUsers = (
  rules: readonly { priority: Priority; recipients: readonly Recipient[] }[],
): Map<string, Priority> => {
  const pages = new Map<string, Priority>();
  for (const { priority, recipients } of rules)
    for (const { userId, quiet } of recipients)
      if (quiet === undefined && rankPriority(priority) > rankPriority(pages.get(userId) ?? "LOW"))
        pages.set(userId, priority);
  return pages;
};

/** Makes the users' notifications silent, for the reason `quiet`, unless they are silent for another reason. */
export const makeRecipientsQuiet = (
  recipients: readonly Recipient[],
  userIds: ReadonlySet<string>,
  quiet: Quiet,
): Recipient[] =>
  recipients.map((recipient) =>
    userIds.has(recipient.userId) && recipient.quiet === undefined ? { ...recipient, quiet } : recipient,
  );

/** Makes the users' notifications silent, for the reason `quiet`. LOW rules stay unchanged, because they never page. */
export const makeRecipientsOfRulesQuiet = (
  rules: readonly PlannedRule[],
  userIds: ReadonlySet<string>,
  quiet: Quiet,
): PlannedRule[] =>
  rules.map((rule) =>
    rule.priority === "LOW" ? rule : { ...rule, recipients: makeRecipientsQuiet(rule.recipients, userIds, quiet) },
  );

/** An event with its sequence number. `receivedAt`: in milliseconds. */
type NumberedEvent = { seq: number; receivedAt: number };

/**
 * Returns a function that makes pages above the limit silent, for past events in the order of their numbers. `limit`: pages in
 * ten minutes; null for no limit. The number of a lost event counts as a page to everybody, as in delivery.
 */
export const createPageLimitSimulator = (limit: number | null) => {
  let state: PageLimitState = { limit, slot: -Infinity, began: 0, before: 0 };
  let newest = 0;
  /** The people whom each event paged without a check of the limit, by event number. */
  const first = new Map<number, { at: number; users: ReadonlyMap<string, Priority> }>();
  const counted = new Map<string, readonly CountedPage[]>();
  /** Updates the limit's state for a new event, and forgets the pages of events that no longer affect the limit. */
  const advanceToEvent = ({ seq, receivedAt }: NumberedEvent): void => {
    state = updatePageLimitState(state, seq - 1, receivedAt);
    newest = seq;
    for (const number of first.keys()) if (number <= state.before) first.delete(number);
  };
  /** Applies the limit to one event, and a second time if the event notifies people after a hold. */
  return (event: NumberedEvent, made: PlannedDelivery): PlannedDelivery => {
    const { seq, receivedAt } = event;
    const { plan } = made;
    const { at } = plan;
    if (seq > newest) advanceToEvent(event);
    const isAfterwards = isNotifiedAfterHold(plan);
    const pageLimit = isAfterwards
      ? computePageLimitAfterEvent(state, newest, at)
      : computePageLimitForEvent(state, seq, receivedAt);
    const people = listPagedUsers(plan.rules);
    if (!first.has(seq)) first.set(seq, { at, users: pageLimit === undefined ? people : new Map() });
    if (pageLimit === undefined || people.size === 0) return made;
    const pages = listUncountedEventNumbers(pageLimit, isAfterwards ? newest + 1 : seq)
      .filter((number) => number !== seq)
      .map((number) => first.get(number));
    const tooMany = [...people].flatMap(([userId, priority]) => {
      const uncounted = pages.flatMap((one): Omit<CountedPage, "by">[] => {
        if (one === undefined) return [{ at, priority: "LOW" }];
        const loud = one.users.get(userId);
        return loud === undefined ? [] : [{ at: one.at, priority: loud }];
      });
      const before = counted.get(userId) ?? [];
      const verdict = decidePageSound(before, uncounted, { by: String(seq), at, priority }, pageLimit.limit);
      if (verdict.kind === "counts") counted.set(userId, verdict.rung);
      return verdict.kind === "quiet" ? [userId] : [];
    });
    return { ...made, plan: { ...plan, rules: makeRecipientsOfRulesQuiet(plan.rules, new Set(tooMany), "too_many") } };
  };
};
