import type { Addition } from "../delivery/added.ts";
import type { PlannedRule } from "../delivery/delivery-plan.ts";
import { noticeRule } from "./notice.ts";

/** Returns the plan entry that represents added people instead of a rule. */
export const toAddedRule = ({ once: _once, priority, requiresAck, ...added }: Addition): PlannedRule => ({
  rule: noticeRule,
  requiresAck,
  priority,
  priorityFrom: "event",
  recipients: [],
  added,
});

/** Returns whether any rule requires an acknowledgement, and the priority of the first such rule, or else as sent. */
export const highestUrgency = (
  rules: readonly Pick<PlannedRule, "priority" | "requiresAck">[],
  content: { priority: PlannedRule["priority"] },
): Pick<Addition, "priority" | "requiresAck"> => {
  const asking = rules.find(({ requiresAck }) => requiresAck);
  return { priority: asking?.priority ?? content.priority, requiresAck: asking !== undefined };
};
