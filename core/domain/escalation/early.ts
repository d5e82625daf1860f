import type { NotificationStatus } from "../basics/notification-status.ts";
import { cursorOf, type EscalationPlan } from "./escalation-policy.ts";

/** Statuses that mean that a device has confirmed the push, or that a person has seen it. */
const confirming: readonly NotificationStatus[] = ["DELIVERED", "OPENED", "ACKNOWLEDGED"];

/**
 * When to check, before a step is due, whether anybody has been reached: in milliseconds, or undefined if the policy
 * does not want that or the step is due by then. `sinceMs` is when the people before the step were notified.
 */
export const confirmBy = (
  { confirmWithinSeconds }: EscalationPlan,
  sinceMs: number,
  dueMs: number,
): number | undefined => {
  if (confirmWithinSeconds === undefined || confirmWithinSeconds === null) return undefined;
  const at = sinceMs + confirmWithinSeconds * 1_000;
  return at < dueMs ? at : undefined;
};

/**
 * Whether the next step fires before it is due: every notification of the event and rule so far has failed, or no
 * device has confirmed any of them within the time that the policy gives. A repeat always waits until it is due;
 * otherwise a policy whose people are unreachable would be exhausted in an instant.
 */
export const firesEarly = (
  plan: EscalationPlan,
  { fired, next }: { fired: number; next: number },
  statuses: readonly NotificationStatus[],
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): boolean => {
  const roundOf = (number: number) => (number === 0 ? 0 : cursorOf(plan, number)?.round);
  if (roundOf(fired) !== roundOf(next)) return false;
  if (statuses.every((status) => status === "FAILED")) return true;
  const byMs = confirmBy(plan, sinceMs, Infinity);
  return byMs !== undefined && nowMs >= byMs && !statuses.some((status) => confirming.includes(status));
};
