import type { TimedDeps } from "../../deps.ts";
import type { EventProbe } from "../../domain/event/probe.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import type { People } from "../../domain/people/people.ts";
import { planProbe } from "../../domain/planning/plan-probe.ts";
import type { PlannedDelivery } from "../../domain/planning/planned-delivery.ts";
import type { RuleSet } from "../../domain/rules/rule-set.ts";
import { putProbe } from "../../store/schedules/probes.ts";

/** Stores a probe's plan, which notifies nobody. The sweeper asks the rule's recipients to confirm the probe. */
export const matchProbe = async (
  deps: TimedDeps,
  rules: RuleSet,
  people: People,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "receivedAt" | "content"> & { probe: EventProbe },
  versions: { rulesVersion: number; peopleVersion: number },
): Promise<PlannedDelivery> => {
  const { workspaceId: ws, eventId, receivedAt, probe } = event;
  const at = deps.now();
  if ("ruleId" in probe) {
    const planned = planProbe(rules, people, { ...event, probe }, at);
    await putProbe(deps, ws, { ...probe, eventId, acceptedAt: receivedAt, matchedAt: at, ...planned });
  }
  return { plan: { at, ...versions, rules: [] }, called: 0, needsAck: false, overBudget: [], gates: [] };
};
