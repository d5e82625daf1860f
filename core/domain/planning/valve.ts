import { PRIORITIES, type Priority } from "../basics/priority.ts";
import type { PlannedRule } from "../delivery/delivery-plan.ts";
import { LOUD_SPAN_MS } from "../people/loud.ts";
import type { Quiet, Recipient } from "../people/recipient.ts";

/** That a person was rung for, by what (an event's number, a step's place), and when (milliseconds). */
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
      if (priority !== "LOW" && quiet === undefined && rank(priority) > rank(rings.get(userId) ?? "LOW"))
        rings.set(userId, priority);
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
