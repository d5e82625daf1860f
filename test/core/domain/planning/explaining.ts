import type { PlannedRule } from "../../../../core/domain/delivery/delivery-plan.ts";
import {
  explainMatchedRule,
  type EscalationState,
  type NotifiedBy,
} from "../../../../core/domain/planning/explanation.ts";
import { traceRule } from "../../../../core/domain/rules/trace.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import type { GroupOfRule } from "../../../../core/domain/rules/grouping.ts";
import { aRule, NOON, people } from "../support.ts";

export const event = { eventKey: "order.failed", title: "Order failed", body: "No stock", priority: "NORMAL" as const };

export const notification = (status: NotifiedBy["status"], failedReason: string | null = null): NotifiedBy => ({
  id: "ntf_1",
  status,
  failedReason,
  quiet: null,
  rings: null,
  escalation: null,
});

/** Explains the effect of a matching rule on Ann, who by default was not notified. */
export const explain = (
  fields: {
    userId?: string;
    at?: number;
    rule?: Partial<RoutingRule> | "gone";
    planned?: Partial<PlannedRule>;
    notifications?: NotifiedBy[];
    escalation?: EscalationState;
    asPlanned?: boolean;
    held?: "silenced" | "flapping";
    group?: GroupOfRule;
  } = {},
) => {
  const snapshot = fields.rule === "gone" ? undefined : aRule(fields.rule);
  return explainMatchedRule(
    {
      rule: { id: "rule_1", version: 3, name: "Orders" },
      requiresAck: false,
      priority: "NORMAL",
      priorityFrom: "event",
      recipients: [],
      ...fields.planned,
    },
    fields.userId ?? "usr_ann",
    fields.at ?? NOON,
    {
      snapshot,
      trace: snapshot && traceRule(snapshot, event, 0, undefined),
      notifications: fields.notifications ?? [],
      escalation: fields.escalation,
      people,
      asPlanned: fields.asPlanned ?? true,
      held: fields.held,
      group: fields.group ?? null,
    },
  );
};
