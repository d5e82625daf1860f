import type { NotificationStatus } from "../basics/notification-status.ts";
import { findCursorOfNumber, type EscalationPlan } from "./escalation-policy.ts";

/** The statuses that prove that a device or a person confirmed the push. */
const confirming: readonly NotificationStatus[] = ["DELIVERED", "OPENED", "ACKNOWLEDGED"];

/** Returns when to check for confirmations (ms); undefined if the next step is due first. `sinceMs`: when the last step fired. */
export const computeConfirmationCheckTime = (
  { confirmWithinSeconds }: EscalationPlan,
  sinceMs: number,
  dueMs: number,
): number | undefined => {
  if (confirmWithinSeconds === undefined || confirmWithinSeconds === null) return undefined;
  const at = sinceMs + confirmWithinSeconds * 1_000;
  return at < dueMs ? at : undefined;
};

/**
 * Returns whether the next step fires early: all notifications of the event and rule failed, or no device confirmed a push in
 * time. The first step of a repeat never fires early, because a policy with unreachable people would fire all steps at once.
 */
export const mustFireEarly = (
  plan: EscalationPlan,
  { fired, next }: { fired: number; next: number },
  statuses: readonly NotificationStatus[],
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): boolean => {
  const findRepeatOfStep = (step: number) => (step === 0 ? 0 : findCursorOfNumber(plan, step)?.round);
  if (findRepeatOfStep(fired) !== findRepeatOfStep(next)) return false;
  if (statuses.every((status) => status === "FAILED")) return true;
  const byMs = computeConfirmationCheckTime(plan, sinceMs, Infinity);
  return byMs !== undefined && nowMs >= byMs && !statuses.some((status) => confirming.includes(status));
};
