import type { NotificationStatus } from "../basics/notification-status.ts";
import { cursorOf, type EscalationPlan } from "./escalation-policy.ts";

/** Statuses by which a device has confirmed that the push arrived, or a person that it was read. */
const confirming: readonly NotificationStatus[] = ["DELIVERED", "OPENED", "ACKNOWLEDGED"];

/**
 * When a step may be looked at before its time, because nobody may have been reached: in milliseconds, or undefined where
 * the policy does not ask for it or the step is due by then. `sinceMs`: when those were told whom the step comes after.
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
 * Whether the next step fires before its time: every notification of the event and rule so far has failed, or no device
 * has confirmed any of them within the time that the policy gives. A new round waits for its time all the same:
 * otherwise a policy whose people cannot be reached were used up in an instant.
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
