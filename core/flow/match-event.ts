import type { Deps } from "../deps.ts";
import { notificationCount, partsOf, type DeliveryPlan, type FrozenPlan } from "../domain/delivery/delivery-plan.ts";
import { faultsOfPlan, faultsOfSilence } from "../domain/delivery/ledger.ts";
import { parseEventId } from "../domain/basics/ids.ts";
import { siteOf } from "../domain/event/event.ts";
import { isOver } from "../domain/event/life.ts";
import { EVENT_MARKER_DUE_SECONDS, ORPHAN_MARKER_SECONDS } from "../domain/basics/limits.ts";
import type { Marker, MarkerRef } from "../domain/event/marker.ts";
import { planEvent, type PlannedDelivery } from "../domain/planning/plan-event.ts";
import type { EventMessage, OverMessage } from "../queue/messages.ts";
import { sendMessages } from "../queue/send.ts";
import { freeDedupeKey } from "../store/claims.ts";
import { freezePlan, isNumberTaken, readEvent } from "../store/events.ts";
import type { PlannedEvent, StoredEvent } from "../domain/event/stored-event.ts";
import { dropOpenEvent, putOpenEvent, toldBy, tryOpenEvent } from "../store/open-events.ts";
import { closeIfOver, resolveByKey } from "./admin/life.ts";
import { putMarker, removeMarker } from "../store/markers.ts";
import { planIdOf, putPlanPart, readPlanPart } from "../store/plans.ts";
import { markLost } from "../store/sequence.ts";
import { registerSiteEvent } from "../store/sites.ts";
import { metrics } from "../wiring.ts";
import { createConfigCache, type ConfigCache } from "./config-cache.ts";
import { deliverPart } from "./deliver.ts";
import { inTurns } from "./read/in-turns.ts";
import { createEventTypeLearner, type EventTypeLearner } from "./learn-event-type.ts";
import type { Work } from "./work.ts";

export type MatchDeps = Pick<Deps, "table" | "now" | "log"> & { queues: Pick<Deps["queues"], "events"> };

const nothing: Work = { pushes: [], steps: [] };

type Versions = { rulesVersion: number; peopleVersion: number };

/** The event with the plan that holds. `first`: this call stored the plan. */
type Frozen = { event: PlannedEvent; first: boolean };

/**
 * Reports it when an event's told and silenced recipients do not add up. Those told are checked again after sending.
 */
const reportFaults = (
  deps: MatchDeps,
  { workspaceId, eventId }: Pick<StoredEvent, "workspaceId" | "eventId">,
  faults: readonly string[],
): void => {
  if (faults.length === 0) return;
  deps.log.metric(metrics.ledgerFaults, faults.length);
  deps.log.error("event.not_reconciled", new Error(faults.join("; ")), { workspaceId, eventId });
};

const makePlan = async (
  deps: MatchDeps,
  config: ConfigCache,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "receivedAt" | "content"> & Versions,
): Promise<PlannedDelivery> => {
  const { workspaceId: ws } = event;
  const [rules, people] = await Promise.all([
    config.rules(ws, event.rulesVersion),
    config.people(ws, event.peopleVersion),
  ]);
  const versions = { rulesVersion: rules.version, peopleVersion: people.version };
  const made = planEvent(rules.value, people.value, event, versions, deps.now());
  const { overBudget } = made;
  if (overBudget.length > 0) {
    deps.log.metric(metrics.matchOverBudget, overBudget.length);
    deps.log.warn("event.match_over_budget", { workspaceId: ws, eventId: event.eventId, rules: overBudget.length });
  }
  return made;
};

/** Number of plan parts that are written side by side. */
const WRITES_AT_ONCE = 8;

/**
 * Freezes a plan. A plan too large for the event's item is first written in parts, which count once the event names
 * them, so a second invocation finds the first one's whole plan.
 */
const freezeParts = async (
  deps: MatchDeps,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "seq">,
  plan: DeliveryPlan,
  outcome: { notifications: number; needsAck: boolean },
): Promise<Frozen | undefined> => {
  const parts = partsOf(plan);
  if (parts.length === 1) return freezePlan(deps, event, plan, outcome);
  const id = planIdOf(parts);
  await inTurns([...parts.entries()], WRITES_AT_ONCE, ([index, part]) => putPlanPart(deps, event, id, index, part));
  const { rules, ...head } = plan;
  const places = parts.map(({ rule, pack }) => ({ rule, pack }));
  return freezePlan(deps, event, { ...head, matched: rules.length, id, parts: places }, outcome);
};

/** Freezes a plan and checks that what is stored agrees with what the rules call for. */
const freezeChecked = async (
  deps: MatchDeps,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "seq">,
  { plan, called }: PlannedDelivery,
  outcome: { notifications: number; needsAck: boolean },
): Promise<Frozen | undefined> => {
  const frozen = await freezeParts(deps, event, plan, outcome);
  if (frozen?.first === true)
    reportFaults(deps, event, faultsOfPlan(called, { rules: plan.rules, silence: frozen.event.plan.silence }));
  return frozen;
};

/** The SDK may have repeated a write that took longer than this, and the first request may still take effect later. */
const ANSWER_SLOW_MS = 500;
/** After this long the write has taken effect or never will. */
const LATE_WRITE_SECONDS = 60;

/**
 * Writes an event's row in the list of open events. If the write was slow, a marker makes the matcher look again once
 * its effect is certain.
 */
const list = async <Listed>(
  deps: MatchDeps,
  { workspaceId: ws, eventId, receivedAt: since }: Pick<StoredEvent, "workspaceId" | "eventId" | "receivedAt">,
  write: () => Promise<Listed>,
): Promise<Listed> => {
  const began = deps.now();
  const listed = await write();
  const now = deps.now();
  const due = now + LATE_WRITE_SECONDS * 1000;
  if (now - began > ANSWER_SLOW_MS) await putMarker(deps, { ws, eventId, due, since, tries: 0 });
  return listed;
};

/** Lists an event as open according to the plan that holds, unless the event has ended. */
const listAgain = async (deps: MatchDeps, event: PlannedEvent): Promise<void> => {
  const { workspaceId: ws, plan } = event;
  const told = typeof plan.body === "string" ? undefined : toldBy({ at: plan.at, rules: plan.body.rules });
  await list(deps, event, () => tryOpenEvent(deps, ws, { ...event, told }));
  await closeIfOver(deps, ws, event.eventId);
};

/**
 * Freezes a plan. `isRepeated`: an earlier invocation may have tried. An event that needs an acknowledgement is listed
 * as open before the freeze: if it ends later, that takes it off the list, and if it has ended already, the freezing
 * write shows it.
 */
const freeze = async (
  deps: MatchDeps,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "seq" | "receivedAt" | "content">,
  made: PlannedDelivery,
  isRepeated: boolean,
): Promise<PlannedEvent | undefined> => {
  const { plan, needsAck } = made;
  const outcome = { notifications: notificationCount(plan), needsAck };
  const { workspaceId: ws } = event;
  if (!needsAck) {
    const frozen = await freezeChecked(deps, event, made, outcome);
    // An earlier invocation may have listed the event by a plan that asked for an acknowledgement, and died.
    if (isRepeated && frozen?.event.life.needsAck === false) await dropOpenEvent(deps, ws, event);
    return frozen?.event;
  }
  const open = { ...event, notifications: outcome.notifications, told: toldBy(plan) };
  const listed = await list(deps, event, () => tryOpenEvent(deps, ws, open));
  const frozen = await freezeChecked(deps, event, made, outcome);
  if (frozen === undefined || isOver(frozen.event.life)) await dropOpenEvent(deps, ws, open);
  else if (!listed) await list(deps, event, () => putOpenEvent(deps, ws, open));
  // The row lists the people of this plan, but another plan holds.
  if (frozen?.first === false) await listAgain(deps, frozen.event);
  return frozen?.event;
};

/**
 * Gives each part of a plan its own marker and message, so that no invocation does more than one part and each part is
 * finished or retried by itself. Once those markers exist, the event's own marker has done its work.
 */
const fanOut = async (deps: MatchDeps, plan: FrozenPlan, marker: MarkerRef): Promise<void> => {
  const { ws, eventId } = marker;
  const due = plan.at + EVENT_MARKER_DUE_SECONDS * 1000;
  const markers = plan.parts.map((_, part): Marker => ({ ws, eventId, due, part, since: plan.at, tries: 0 }));
  await inTurns(markers, WRITES_AT_ONCE, (one) => putMarker(deps, one));
  const messages = markers.map((one) => ({ message: { kind: "unfinished", marker: one } satisfies EventMessage }));
  await sendMessages(deps.queues.events, messages);
  await removeMarker(deps, marker);
};

const carryOutPlan = async (
  deps: MatchDeps,
  config: ConfigCache,
  event: PlannedEvent,
  marker: Marker,
): Promise<Work> => {
  const { workspaceId, eventId, plan } = event;
  const { matched: rules, at } = plan;
  const parts = plan.parts.length;
  if (parts > 1 && marker.part === undefined) {
    await fanOut(deps, plan, marker);
    deps.log.info("event.in_parts", { workspaceId, eventId, rules, parts });
    return nothing;
  }
  const [people, part] = await Promise.all([
    config.people(workspaceId, event.peopleVersion),
    readPlanPart(deps, event, marker.part ?? 0),
  ]);
  reportFaults(deps, event, faultsOfSilence({ rules: part.rules, silence: plan.silence }));
  const { pushes, steps } = await deliverPart(deps, event, { part, at }, marker, people.value);
  deps.log.info("event.matched", {
    workspaceId,
    eventId,
    rules: part.rules.length,
    pushes: pushes.length,
    part: marker.part ?? 0,
  });
  return { pushes, steps: steps.map((step) => ({ marker: step })) };
};

/** An event that never came leaves a marker, which is removed after a while, and a number, which is marked as lost. */
const dropOrphan = async (deps: MatchDeps, marker: Marker): Promise<Work> => {
  if (deps.now() - marker.since < ORPHAN_MARKER_SECONDS * 1000) return nothing;
  const id = parseEventId(marker.eventId);
  // After a restore of the table the number may belong to another event, and is then not lost.
  if (id !== undefined && !(await isNumberTaken(deps, marker.ws, id.seq))) await markLost(deps, marker.ws, [id.seq]);
  await removeMarker(deps, marker);
  deps.log.warn("event.never_came", { workspaceId: marker.ws, eventId: marker.eventId });
  return nothing;
};

/**
 * Updates the event types and the site list, and resolves the event that this one ends, before delivery. All of that is
 * idempotent, so a retry repeats it. Gives the messages that announce the end.
 */
const takeNote = async (
  deps: MatchDeps,
  learn: EventTypeLearner,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "receivedAt" | "content"> & { seq: number },
): Promise<OverMessage[]> => {
  const site = siteOf(event.content.data);
  const { workspaceId, seq, receivedAt } = event;
  const [overs] = await Promise.all([
    resolveByKey(deps, event),
    learn(event),
    ...(site === undefined ? [] : [registerSiteEvent(deps, workspaceId, { ...site, seq, receivedAt })]),
  ]);
  return overs;
};

/** Does the same for an event that was taken up before, and finishes what that try may have left undone. */
const takeNoteAgain = async (deps: MatchDeps, learn: EventTypeLearner, event: StoredEvent): Promise<OverMessage[]> => {
  const { workspaceId: ws, eventId, content, ends, plan, life } = event;
  const overs = await takeNote(deps, learn, event);
  // The event that ended may come again: the request that should have freed its dedupeKey may have died first.
  if (content.resolves !== undefined && ends !== undefined) await freeDedupeKey(deps, ws, content.resolves, ends);
  // An earlier try may have listed the event as open after it ended.
  if (plan !== undefined && life.needsAck) await closeIfOver(deps, ws, eventId);
  return overs;
};

const withOvers = (overs: readonly OverMessage[], { pushes, steps }: Work): Work => ({
  pushes: [...pushes, ...overs],
  steps,
});

/**
 * Matches events and carries out their plans. Idempotent: the first plan that was stored holds, whoever carries it out
 * and however often. Throws when the work could not be finished; the message must then come again.
 */
export const createMatching = (deps: MatchDeps) => {
  const config = createConfigCache(deps);
  const learn = createEventTypeLearner(deps);

  /** `receives`: how often the message has been received. */
  return async (message: EventMessage, receives = 1): Promise<Work> => {
    if (message.kind === "accepted") {
      const { due } = message;
      const seq = parseEventId(message.event.eventId)?.seq;
      if (seq === undefined) throw new Error(`${message.event.eventId} is no event id`);
      const event = { ...message.event, seq };
      const [planned, overs] = await Promise.all([
        makePlan(deps, config, event).then((made) => freeze(deps, event, made, receives > 1)),
        takeNote(deps, learn, event),
      ]);
      if (planned === undefined) throw new Error(`event ${event.eventId} is not stored`);
      const { workspaceId: ws, eventId, receivedAt: since } = event;
      const marker: Marker = { ws, eventId, due, since, tries: 0 };
      return withOvers(overs, await carryOutPlan(deps, config, planned, marker));
    }
    const { marker } = message;
    const event = await readEvent(deps, marker.ws, marker.eventId);
    if (event === undefined) return dropOrphan(deps, marker);
    const overs = marker.part === undefined ? await takeNoteAgain(deps, learn, event) : [];
    const planned =
      event.plan === undefined
        ? await freeze(deps, event, await makePlan(deps, config, event), true)
        : { ...event, plan: event.plan };
    if (planned === undefined) throw new Error(`event ${event.eventId} is not stored`);
    return withOvers(overs, await carryOutPlan(deps, config, planned, marker));
  };
};
