import type { Addition } from "../delivery/added.ts";
import type { PlannedRule } from "../delivery/delivery-plan.ts";
import { noticeRule } from "./notice.ts";

/** A plan's entry for people who were added, in place of a rule. */
export const toAddedRule = ({ once: _once, priority, requiresAck, ...added }: Addition): PlannedRule => ({
  rule: noticeRule,
  requiresAck,
  priority,
  priorityFrom: "event",
  recipients: [],
  added,
});

/** The priority and acknowledgement of an event: of the first of its rules that wants an acknowledgement, or as it was sent. */
export const urgencyOf = (
  rules: readonly Pick<PlannedRule, "priority" | "requiresAck">[],
  content: { priority: PlannedRule["priority"] },
): Pick<Addition, "priority" | "requiresAck"> => {
  const asking = rules.find(({ requiresAck }) => requiresAck);
  return { priority: asking?.priority ?? content.priority, requiresAck: asking !== undefined };
};
