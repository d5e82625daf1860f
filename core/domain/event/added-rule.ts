import type { Addition } from "../delivery/added.ts";
import type { PlannedRule } from "../delivery/delivery-plan.ts";
import { noticeRule } from "./notice.ts";

export const toAddedRule = ({ once: _once, priority, requiresAck, ...added }: Addition): PlannedRule => ({
  rule: noticeRule,
  requiresAck,
  priority,
  priorityFrom: "event",
  recipients: [],
  added,
});

/** Returns the urgency of the event's first rule that requires an acknowledgement, or else of the event. */
export const chooseUrgencyOfAddition = (
  rules: readonly Pick<PlannedRule, "priority" | "requiresAck">[],
  content: { priority: PlannedRule["priority"] },
): Pick<Addition, "priority" | "requiresAck"> => {
  const asking = rules.find(({ requiresAck }) => requiresAck);
  return { priority: asking?.priority ?? content.priority, requiresAck: asking !== undefined };
};
