import type { People } from "../people/people.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";

type NotifyingRule = Pick<RoutingRule, "enabled" | "eventKey" | "targets">;

/** Counts the members of the rule's groups, each once, whether or not they are on call. Returns 0 for a disabled rule. */
export const countMaxNotifiedByRule = (
  { enabled, targets }: Pick<NotifyingRule, "enabled" | "targets">,
  people: People,
): number =>
  enabled ? new Set(targets.flatMap(({ groupId }) => people.groups.get(groupId)?.memberIds ?? [])).size : 0;

export type MostNotified = { eventKey: string; notifications: number };

/** Returns the event key whose events notify most people if all its rules match, and their number. Ignores escalation steps. */
export const findMostNotifyingEventKey = (rules: readonly NotifyingRule[], people: People): MostNotified => {
  const notified = new Map<string, number>();
  const sizes = new Map<string, number>();
  for (const rule of rules) {
    const groups = `${rule.enabled} ${rule.targets.map(({ groupId }) => groupId).join(" ")}`;
    const size = sizes.get(groups) ?? countMaxNotifiedByRule(rule, people);
    sizes.set(groups, size);
    notified.set(rule.eventKey, (notified.get(rule.eventKey) ?? 0) + size);
  }
  const countMaxNotifiedByPattern = (pattern: string): number => notified.get(pattern) ?? 0;
  let most: MostNotified = { eventKey: "*", notifications: countMaxNotifiedByPattern("*") };
  for (const eventKey of notified.keys()) {
    if (eventKey === "*") continue;
    const prefix = eventKey.replace(/\.[^.]*$/, ".*");
    const notifications =
      countMaxNotifiedByPattern("*") +
      countMaxNotifiedByPattern(prefix) +
      (eventKey === prefix ? 0 : countMaxNotifiedByPattern(eventKey));
    if (notifications > most.notifications) most = { eventKey, notifications };
  }
  return most;
};
