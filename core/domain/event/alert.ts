import type { Repeats } from "./repeats.ts";
import { parseSeq } from "../basics/ids.ts";
import { HELD_HOURS } from "../basics/limits.ts";
import { PRIORITIES, type Priority } from "../basics/priority.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../basics/units.ts";
import type { PlannedRule } from "../delivery/delivery-plan.ts";
import { identifySender } from "./event.ts";
import { isEventOver } from "./lifecycle.ts";
import type { StoredEvent } from "./stored-event.ts";

/* An alert of a tool is a single open event, which counts the alert's repeats. A repeat may raise the event's priority. */

/** How long after an event was matched only repeats with a higher priority are matched again. */
const ASK_PAUSE_MS = 10 * MINUTE_MS;

/** The time between two notifications of the acknowledger while an acknowledged alert repeats. */
export const STILL_FAILING_MS = DAY_MS;

export const isHigherPriority = (priority: Priority, other: Priority): boolean =>
  PRIORITIES.indexOf(priority) > PRIORITIES.indexOf(other);

/** Returns the event as if its sender had given another priority. */
export const replacePriority = <Event extends { content: { priority: Priority } }>(
  event: Event,
  priority: Priority,
): Event => ({ ...event, content: { ...event.content, priority } });

type PrioritizedEvent = { content: { priority: Priority }; repeats?: Repeats | undefined };

/** Returns the priority as sent, or as raised by a repeat. */
export const getCurrentPriority = ({ content, repeats }: PrioritizedEvent): Priority =>
  repeats?.raised.at(-1)?.priority ?? content.priority;

/** Raises the rule's priority to the event's current priority. A rule that sets a priority itself stays unchanged. */
export const raiseRulePriority = <Rule extends Pick<PlannedRule, "priority" | "priorityFrom">>(
  rule: Rule,
  event: Parameters<typeof getCurrentPriority>[0],
): Rule => {
  const priority = getCurrentPriority(event);
  return rule.priorityFrom === "event" && isHigherPriority(priority, rule.priority) ? { ...rule, priority } : rule;
};

/**
 * Returns whether a repeat belongs to the event. Until `windowEnd`, every repeat belongs to the event; later, only a repeat of an
 * alert that is not matched yet, needs an acknowledgement or is held. A repeat after a shadow is a new event.
 */
export const acceptsRepeats = (
  { content, plan, life, receivedAt, shadow }: Pick<StoredEvent, "content" | "plan" | "life" | "receivedAt" | "shadow">,
  windowEnd: number,
  nowMs: number,
  isInShadow = false,
): boolean => {
  if (isEventOver(life) || (shadow === true && !isInShadow)) return false;
  if (nowMs < windowEnd) return true;
  if (content.alert !== true) return false;
  const isHeld = life.heldBy !== undefined && nowMs - receivedAt < HELD_HOURS * HOUR_MS;
  return plan === undefined || life.needsAck || isHeld || plan.shadow?.asks === true;
};

/** Adds a repeat to the event's repeats (`next`). `isWorse`: the priority rises. `isDue`: the event must be matched again. */
export const addRepeat = (
  event: Pick<StoredEvent, "content" | "receivedAt" | "repeats">,
  { priority, at, by }: { priority: Priority; at: number; by: string },
): { next: Repeats; isWorse: boolean; isDue: boolean } => {
  const { repeats, receivedAt } = event;
  const isWorse = isHigherPriority(priority, getCurrentPriority(event));
  const isDue = isWorse || at - (repeats?.asked ?? receivedAt) >= ASK_PAUSE_MS;
  const next = {
    ...repeats,
    count: (repeats?.count ?? 0) + 1,
    at,
    by,
    asked: isDue ? at : (repeats?.asked ?? receivedAt),
    raised: [...(repeats?.raised ?? []), ...(isWorse ? [{ priority, at }] : [])],
  };
  return { next, isWorse, isDue };
};

/** Returns whether the alert ended after the event, by their sent times, or by their numbers if the claim names differ. */
export const endsEvent = (
  end: { at: number; id: string; by?: string | undefined },
  { eventId, content: { changedAt, sender } }: Pick<StoredEvent, "eventId" | "content">,
  hasSameClaimName: boolean,
): boolean => {
  const owner = identifySender(sender);
  if ((end.by ?? owner) !== owner) return false;
  return hasSameClaimName && changedAt !== undefined ? end.at > changedAt : parseSeq(end.id) > parseSeq(eventId);
};
