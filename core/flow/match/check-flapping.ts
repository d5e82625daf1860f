import type { Deps, TimedDeps } from "../../deps.ts";
import { getCurrentPriority, replacePriority } from "../../domain/event/alert.ts";
import { isAcknowledgedOrFinal } from "../../domain/event/lifecycle.ts";
import type { Marker } from "../../domain/event/marker.ts";
import type { PlannedEvent } from "../../domain/event/stored-event.ts";
import { FLAPPING } from "../../domain/event/flapping.ts";
import { planEvent } from "../../domain/planning/plan-event.ts";
import type { Hold, PlannedDelivery } from "../../domain/planning/planned-delivery.ts";
import { removeHeldEvent, unlistHeldEvent } from "../../store/events/held-events.ts";
import { addPeople } from "../respond/add-people.ts";
import type { ConfigCache } from "../config-cache.ts";
import { scheduleHoldCheck, storeAnyPlan } from "./freeze-plan.ts";
import { addReachability } from "../read/reach-of-people.ts";

/** Notifies people once, silently, that an event is held because its alert is flapping. */
const notifyOfHold = async (deps: TimedDeps, event: PlannedEvent, { says = [], until }: Hold): Promise<Marker[]> => {
  const addition = { because: "flapping", once: FLAPPING, until, priority: "LOW", requiresAck: false } as const;
  return says.length === 0 ? [] : [await addPeople(deps, event, says, addition)];
};

export type ReplannedEvent = { event: PlannedEvent; steps: readonly Marker[] };

/**
 * Plans a held event again with the current rules, people and priority. The new plan may notify people, hold or drop the event.
 * Idempotent: only one new plan replaces the held plan. Returns "not begun" if too little time is left. Also called right after
 * an event is held, because the flapping may have ended before the event was listed as held.
 */
export const replanHeldEvent = async (
  deps: Pick<Deps, "table" | "now" | "log">,
  config: ConfigCache,
  event: PlannedEvent,
  hasTime: () => boolean,
  /** Applies the groups and thresholds of the event's rules to the new plan. */
  limitPlan: (event: PlannedEvent, delivery: PlannedDelivery) => Promise<PlannedDelivery>,
): Promise<ReplannedEvent | "not begun"> => {
  const { workspaceId: ws, life, plan } = event;
  const { heldBy } = life;
  if (heldBy === undefined) return { event, steps: [] };
  if (isAcknowledgedOrFinal(life)) {
    await removeHeldEvent(deps, event, heldBy);
    return { event, steps: [] };
  }
  const [rules, people] = await Promise.all([config.rulesNow(ws), config.peopleNow(ws)]);
  if (!hasTime()) return "not begun";
  const versions = { rulesVersion: rules.version, peopleVersion: people.version };
  const notified = await addReachability(deps, ws, people.value);
  const planAgain = (version: PlannedEvent) =>
    planEvent(rules.value, notified, { ...version, keptStill: plan.silence }, versions, deps.now());
  const priority = getCurrentPriority(event);
  const raised = replacePriority(event, priority);
  const atRaised = planAgain(raised);
  // If rules match only the original priority, the plan uses the original priority: a raised priority loses no notifications.
  const isLost = atRaised.plan.rules.length === 0 && priority !== event.content.priority;
  const [asked, delivery] = isLost ? [event, planAgain(event)] : [raised, atRaised];
  const { hold } = delivery;
  if (hold?.heldBy === heldBy) {
    await scheduleHoldCheck(deps, event, hold);
    return { event, steps: await notifyOfHold(deps, event, hold) };
  }
  const frozen = await storeAnyPlan(deps, { ...asked, replaces: heldBy }, await limitPlan(asked, delivery), true);
  if (frozen === undefined) throw new Error(`event ${event.eventId} is not stored`);
  const { needsAck, heldBy: next } = frozen.life;
  await (needsAck || next !== undefined ? unlistHeldEvent : removeHeldEvent)(deps, event, heldBy);
  if (next === undefined && frozen.plan.silence === undefined)
    deps.log.info("event.notified_afterwards", { workspaceId: ws, eventId: event.eventId, heldBy });
  const steps = hold === undefined || hold.heldBy !== next ? [] : await notifyOfHold(deps, frozen, hold);
  return { event: frozen, steps };
};
