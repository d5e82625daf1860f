import type { Addition } from "../delivery/added.ts";
import type { PlannedRule } from "../delivery/delivery-plan.ts";
import { noticeRule } from "./notice.ts";

/** What stands in the place of a rule for people who were added. */
export const toAddedRule = ({ once: _once, priority, requiresAck, ...added }: Addition): PlannedRule => ({
  rule: noticeRule,
  requiresAck,
  priority,
  priorityFrom: "event",
  recipients: [],
  added,
});

/** How an event asks for attention: as the first of its rules that asks for an acknowledgement, or as it was sent. */
export const urgencyOf = (
  rules: readonly Pick<PlannedRule, "priority" | "requiresAck">[],
  content: { priority: PlannedRule["priority"] },
): Pick<Addition, "priority" | "requiresAck"> => {
  const asking = rules.find(({ requiresAck }) => requiresAck);
  return { priority: asking?.priority ?? content.priority, requiresAck: asking !== undefined };
};
