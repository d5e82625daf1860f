import type { Deps } from "../deps.ts";
import { isOver } from "../domain/event/life.ts";
import type { PlannedEvent } from "../domain/event/stored-event.ts";
import { planEvent, type PlannedDelivery } from "../domain/planning/plan-event.ts";
import { forgetHeldEvent, unlistHeldEvent } from "../store/held-events.ts";
import type { ConfigCache } from "./config-cache.ts";
import { awaitEnd, freeze } from "./freeze-plan.ts";

/**
 * Plans an event again that a silence holds back, by the rules and people of now, and gives it with the plan that holds
 * then: it is told, or held by the same silence or another one, or dropped. Nothing changes for other events.
 * Idempotent: one plan takes the place of the one that held the event back, whoever looks and however often.
 * "not begun" if there is no time to plan it.
 *
 * Also called right after the event was held, because the silence may have ended before the event was on its list.
 */
export const lookAtHeld = async (
  deps: Pick<Deps, "table" | "now" | "log">,
  config: ConfigCache,
  event: PlannedEvent,
  hasTime: () => boolean,
  /** Takes a plan through the gates of its rules. */
  pass: (event: PlannedEvent, made: PlannedDelivery) => Promise<PlannedDelivery>,
): Promise<PlannedEvent | "not begun"> => {
  const { workspaceId: ws, life, plan } = event;
  const { heldBy } = life;
  if (heldBy === undefined) return event;
  if (isOver(life)) {
    await forgetHeldEvent(deps, event, heldBy);
    return event;
  }
  const [rules, people] = await Promise.all([config.rulesNow(ws), config.peopleNow(ws)]);
  if (!hasTime()) return "not begun";
  const versions = { rulesVersion: rules.version, peopleVersion: people.version };
  const made = planEvent(rules.value, people.value, { ...event, keptStill: plan.silence }, versions, deps.now());
  if (made.hold?.silenceId === heldBy) {
    await awaitEnd(deps, event, made.hold);
    return event;
  }
  const frozen = await freeze(deps, { ...event, replaces: heldBy }, await pass(event, made), true);
  if (frozen === undefined) throw new Error(`event ${event.eventId} is not stored`);
  // One that is told of or held by another silence is still looked for by its dedupeKey.
  const isKnown = frozen.life.needsAck || frozen.life.heldBy !== undefined;
  await (isKnown ? unlistHeldEvent : forgetHeldEvent)(deps, event, heldBy);
  if (frozen.plan.after !== undefined)
    deps.log.info("event.told_afterwards", { workspaceId: ws, eventId: event.eventId, silenceId: heldBy });
  return frozen;
};
