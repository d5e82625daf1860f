import type { People } from "../people/people.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";

type TellingRule = Pick<RoutingRule, "enabled" | "eventKey" | "targets">;

/** How many people a rule tells at most: everybody in its groups, on call or not. */
export const mostToldBy = ({ enabled, targets }: Pick<TellingRule, "enabled" | "targets">, people: People): number =>
  enabled ? new Set(targets.flatMap(({ groupId }) => people.groups.get(groupId)?.memberIds ?? [])).size : 0;

/** The most notifications that one event can lead to, and an event key of such an event. */
export type MostTold = { eventKey: string; notifications: number };

/**
 * The most that one event can lead to, without escalation steps: it meets every condition of all rules for its key. No
 * event exceeds this bound, whatever its content.
 */
export const mostToldByAnEvent = (rules: readonly TellingRule[], people: People): MostTold => {
  const told = new Map<string, number>();
  const sizes = new Map<string, number>();
  for (const rule of rules) {
    const groups = `${rule.enabled} ${rule.targets.map(({ groupId }) => groupId).join(" ")}`;
    const size = sizes.get(groups) ?? mostToldBy(rule, people);
    sizes.set(groups, size);
    told.set(rule.eventKey, (told.get(rule.eventKey) ?? 0) + size);
  }
  const of = (pattern: string): number => told.get(pattern) ?? 0;
  let most: MostTold = { eventKey: "*", notifications: of("*") };
  for (const eventKey of told.keys()) {
    if (eventKey === "*") continue;
    const prefix = eventKey.replace(/\.[^.]*$/, ".*");
    const notifications = of("*") + of(prefix) + (eventKey === prefix ? 0 : of(eventKey));
    if (notifications > most.notifications) most = { eventKey, notifications };
  }
  return most;
};
