import type { Deps } from "../deps.ts";
import type { DeliveryPlan } from "../domain/delivery/delivery-plan.ts";
import { parseEventId } from "../domain/basics/ids.ts";
import { siteOf } from "../domain/event/event.ts";
import { ORPHAN_MARKER_SECONDS } from "../domain/basics/limits.ts";
import type { Marker, MarkerRef } from "../domain/event/marker.ts";
import { planDelivery } from "../domain/delivery/plan-delivery.ts";
import type { EventMessage } from "../queue/messages.ts";
import { freezePlan, readEvent } from "../store/events.ts";
import { type StoredEvent } from "../domain/event/stored-event.ts";
import { removeMarker } from "../store/markers.ts";
import { markLost } from "../store/sequence.ts";
import { registerSiteEvent } from "../store/sites.ts";
import { metrics } from "../wiring.ts";
import { createConfigCache, type ConfigCache } from "./config-cache.ts";
import { deliverPlan, type DeliveredEvent } from "./deliver.ts";
import { createEventTypeLearner, type EventTypeLearner } from "./learn-event-type.ts";
import type { Work } from "./work.ts";

export type MatchDeps = Pick<Deps, "table" | "now" | "log">;

const nothing: Work = { pushes: [], steps: [] };

type Versions = { rulesVersion: number; peopleVersion: number };

const makePlan = async (
  deps: MatchDeps,
  config: ConfigCache,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "content"> & Versions,
): Promise<DeliveryPlan> => {
  const { workspaceId: ws, content } = event;
  const [rules, people] = await Promise.all([
    config.rules(ws, event.rulesVersion),
    config.people(ws, event.peopleVersion),
  ]);
  const { matched, overBudget } = rules.value.compiled.match(content);
  if (overBudget.length > 0) {
    deps.log.metric(metrics.matchOverBudget, overBudget.length);
    deps.log.warn("event.match_over_budget", { workspaceId: ws, eventId: event.eventId, rules: overBudget.length });
  }
  const versions = { rulesVersion: rules.version, peopleVersion: people.version };
  const matching = matched.flatMap((id) => rules.value.byId.get(id) ?? []);
  return planDelivery(matching, content, people.value, versions, deps.now());
};

const carryOut = async (
  deps: MatchDeps,
  config: ConfigCache,
  event: DeliveredEvent & Versions,
  plan: DeliveryPlan,
  marker: MarkerRef,
): Promise<Work> => {
  const people = await config.people(event.workspaceId, event.peopleVersion);
  const { pushes, steps } = await deliverPlan(deps, event, plan, marker, people.value);
  deps.log.info("event.matched", {
    workspaceId: event.workspaceId,
    eventId: event.eventId,
    rules: plan.rules.length,
    pushes: pushes.length,
  });
  return { pushes, steps: steps.map((step) => ({ marker: step })) };
};

/** An event that never came leaves its marker, which goes after a while, and its number, which is written down. */
const dropOrphan = async (deps: MatchDeps, marker: Marker): Promise<Work> => {
  if (deps.now() - marker.since < ORPHAN_MARKER_SECONDS * 1000) return nothing;
  const id = parseEventId(marker.eventId);
  if (id !== undefined) await markLost(deps, marker.ws, [id.seq]);
  await removeMarker(deps, marker);
  deps.log.warn("event.never_came", { workspaceId: marker.ws, eventId: marker.eventId });
  return nothing;
};

/** Rule builder and site list learn of an event before it is delivered: a retry finds both done and does them again. */
const takeNote = async (
  deps: MatchDeps,
  learn: EventTypeLearner,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "receivedAt" | "content"> & { seq: number },
): Promise<void> => {
  const site = siteOf(event.content.data);
  const { workspaceId, seq, receivedAt } = event;
  await Promise.all([
    learn(event),
    ...(site === undefined ? [] : [registerSiteEvent(deps, workspaceId, { ...site, seq, receivedAt })]),
  ]);
};

/**
 * Matches events and carries their plans out. Idempotent: the first plan that was stored holds, whoever carries it out
 * and however often. Throws when the work could not be finished; the message must then come again.
 */
export const createMatching = (deps: MatchDeps) => {
  const config = createConfigCache(deps);
  const learn = createEventTypeLearner(deps);

  return async (message: EventMessage): Promise<Work> => {
    if (message.kind === "accepted") {
      const { due } = message;
      const seq = parseEventId(message.event.eventId)?.seq;
      if (seq === undefined) throw new Error(`${message.event.eventId} is no event id`);
      const event = { ...message.event, seq };
      const [plan] = await Promise.all([
        makePlan(deps, config, event).then((made) => freezePlan(deps, event, made)),
        takeNote(deps, learn, event),
      ]);
      if (plan === undefined) throw new Error(`event ${event.eventId} is not stored`);
      return carryOut(deps, config, event, plan, { ws: event.workspaceId, eventId: event.eventId, due });
    }
    const { marker } = message;
    const event = await readEvent(deps, marker.ws, marker.eventId);
    if (event === undefined) return dropOrphan(deps, marker);
    await takeNote(deps, learn, event);
    const plan = event.plan ?? (await freezePlan(deps, event, await makePlan(deps, config, event)));
    if (plan === undefined) throw new Error(`event ${event.eventId} is not stored`);
    return carryOut(deps, config, event, plan, marker);
  };
};
