import type { Addition } from "../delivery/added.ts";
import type { PlannedRule } from "../delivery/delivery-plan.ts";
import { getCurrentPriority, raiseRulePriority } from "./alert.ts";
import { noticeRule } from "./notice.ts";

/** Returns the addition as a rule of a plan, still without recipients. */
export const toAddedRule = ({ once: _once, priority, requiresAck, ...added }: Addition): PlannedRule => ({
  rule: noticeRule,
  requiresAck,
  priority,
  priorityFrom: "event",
  recipients: [],
  added,
});

/** Returns the current priority of the event's first rule that requires an acknowledgement, or else of the event. */
export const chooseUrgencyOfAddition = (
  rules: readonly Pick<PlannedRule, "priority" | "priorityFrom" | "requiresAck">[],
  event: Parameters<typeof getCurrentPriority>[0],
): Pick<Addition, "priority" | "requiresAck"> => {
  const asking = rules.find(({ requiresAck }) => requiresAck);
  if (asking === undefined) return { priority: getCurrentPriority(event), requiresAck: false };
  return { priority: raiseRulePriority(asking, event).priority, requiresAck: true };
};
