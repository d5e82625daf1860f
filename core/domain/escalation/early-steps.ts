import type { NotificationStatus } from "../basics/notification-status.ts";
import { cursorFromNumber, type EscalationPlan } from "./escalation-policy.ts";

/** These statuses prove that a device confirmed the push or a person saw it. */
const confirming: readonly NotificationStatus[] = ["DELIVERED", "OPENED", "ACKNOWLEDGED"];

/**
 * Returns milliseconds, or undefined if the policy requires no confirmation or the next step is due earlier. `sinceMs`: when
 * the people of the previous step were notified.
 */
export const confirmationCheckAt = (
  { confirmWithinSeconds }: EscalationPlan,
  sinceMs: number,
  dueMs: number,
): number | undefined => {
  if (confirmWithinSeconds === undefined || confirmWithinSeconds === null) return undefined;
  const at = sinceMs + confirmWithinSeconds * 1_000;
  return at < dueMs ? at : undefined;
};

/**
 * Returns true if every notification of the event and rule has failed, or no device has confirmed one within the policy's
 * time. The first step of a repeat never fires early: a policy with unreachable people would fire all its steps at once.
 */
export const mustFireEarly = (
  plan: EscalationPlan,
  { fired, next }: { fired: number; next: number },
  statuses: readonly NotificationStatus[],
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): boolean => {
  const repeatOfStep = (number: number) => (number === 0 ? 0 : cursorFromNumber(plan, number)?.round);
  if (repeatOfStep(fired) !== repeatOfStep(next)) return false;
  if (statuses.every((status) => status === "FAILED")) return true;
  const byMs = confirmationCheckAt(plan, sinceMs, Infinity);
  return byMs !== undefined && nowMs >= byMs && !statuses.some((status) => confirming.includes(status));
};
