import type { Deps } from "../../deps.ts";
import type { FrozenPlan } from "../../domain/delivery/delivery-plan.ts";
import { findHoldFaults } from "../../domain/delivery/ledger.ts";
import { parseEventId } from "../../domain/basics/ids.ts";
import { EVENT_MARKER_DUE_MS, ORPHAN_MARKER_MS } from "../../domain/basics/limits.ts";
import { isEventOver } from "../../domain/event/lifecycle.ts";
import { REPEATS, type Marker, type MarkerRef } from "../../domain/event/marker.ts";
import { planEvent } from "../../domain/planning/plan-event.ts";
import { planShadowEvent, renameGroupsForShadow } from "../../domain/planning/shadow.ts";
import { listPeopleToReach, SIMULATED_PEOPLE_MAX } from "../../domain/planning/timeline.ts";
import { readDevices } from "../../store/people/devices.ts";
import type { PlannedDelivery } from "../../domain/planning/planned-delivery.ts";
import type { EventMessage, SwitchMessage } from "../../queue/messages.ts";
import { sendMessages } from "../../queue/send.ts";
import { freeKeyOfEndedEvent } from "../../store/claims.ts";
import { isEventNumberTaken, readEvent } from "../../store/events/events.ts";
import type { PlannedEvent, StoredEvent } from "../../domain/event/stored-event.ts";
import { listChangeMessages } from "../respond/follow.ts";
import { unlistEventIfOver, resolveByKey, resolveIfAlertEnded } from "../respond/lifecycle.ts";
import { putMarker, removeMarker } from "../../store/events/markers.ts";
import { readPlanPart } from "../../store/events/plans.ts";
import { markLost } from "../../store/events/sequence.ts";
import { metrics } from "../../wiring.ts";
import { createConfigCache, type ConfigCache } from "../config-cache.ts";
import { deliverPart } from "../notify/queue-packs.ts";
import { storeAnyPlan, logPlanFaults } from "./freeze-plan.ts";
import { processRepeats } from "./follow-repeats.ts";
import { replanHeldEvent, type ReplannedEvent } from "./check-flapping.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { createEventTypeLearner, type EventTypeLearner } from "./learn-event-type.ts";
import { createSiteRegister, type SiteRegister } from "./register-site.ts";
import { addReachability, widenNoticeRecipients } from "../read/reach-of-people.ts";
import { createGroupAndThresholdDecider, type MakePlan } from "../notify/group-events.ts";
import { createPageLimiter } from "../notify/apply-page-limit.ts";
import { createGroupedEventCounter, buildGroupUpdates } from "./update-groups.ts";
import { matchProbe } from "./match-probe.ts";
import { createUnnotifiedReporter } from "./report-unnoticed.ts";
import type { QueuedWork } from "../work.ts";

export type MatchDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & { queues: Pick<Deps["queues"], "events"> };

const nothing: QueuedWork = { pushes: [], steps: [] };

type Versions = { rulesVersion: number; peopleVersion: number };

/** Plans an event with rules and people that are at least as new as the event. "not begun": the reads took too long. */
const planEventDelivery = async (
  deps: MatchDeps,
  config: ConfigCache,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "receivedAt" | "content" | "flapping"> & Versions,
  hasTime: () => boolean,
): Promise<PlannedDelivery | "not begun"> => {
  const { workspaceId: ws } = event;
  const [rules, people] = await Promise.all([
    config.rules(ws, event.rulesVersion),
    config.people(ws, event.peopleVersion),
  ]);
  if (!hasTime()) return "not begun";
  const versions = { rulesVersion: rules.version, peopleVersion: people.version };
  const isNotice = event.content.notice !== undefined;
  const notified = await (isNotice ? widenNoticeRecipients : addReachability)(deps, ws, people.value);
  const { probe } = event.content;
  if (probe !== undefined) return matchProbe(deps, rules.value, notified, { ...event, probe }, versions);
  const made = planEvent(rules.value, notified, event, versions, deps.now());
  const { overBudget } = made;
  if (overBudget.length > 0) {
    deps.log.metric(metrics.matchOverBudget, overBudget.length);
    deps.log.warn("event.match_over_budget", { workspaceId: ws, eventId: event.eventId, rules: overBudget.length });
  }
  return made;
};

const WRITES_AT_ONCE = 8;

/** Creates a marker and a message for each part of a plan, so that parts are completed and retried separately. */
const splitIntoParts = async (deps: MatchDeps, plan: FrozenPlan, marker: MarkerRef): Promise<void> => {
  const { ws, eventId } = marker;
  const due = plan.at + EVENT_MARKER_DUE_MS;
  const markers = plan.parts.map((_, part): Marker => ({ ws, eventId, due, part, since: plan.at, tries: 0 }));
  await mapLimit(markers, WRITES_AT_ONCE, (one) => putMarker(deps, one));
  const messages = markers.map((one) => ({ message: { kind: "unfinished", marker: one } satisfies EventMessage }));
  await sendMessages(deps.queues.events, messages);
  await removeMarker(deps, marker);
};

/** Writes the packs and escalations of a plan or, if the plan is split, of the marker's part. Returns the messages to send. */
const executePlan = async (
  deps: MatchDeps,
  config: ConfigCache,
  event: PlannedEvent,
  marker: Marker,
): Promise<QueuedWork> => {
  const { workspaceId, eventId, plan } = event;
  const { matched: rules, at } = plan;
  const parts = plan.parts.length;
  // The marker's part belongs to an earlier plan, which had more parts.
  if (marker.part !== undefined && marker.part >= parts) {
    await removeMarker(deps, marker);
    return nothing;
  }
  if (parts > 1 && marker.part === undefined) {
    await splitIntoParts(deps, plan, marker);
    deps.log.info("event.in_parts", { workspaceId, eventId, rules, parts });
    return nothing;
  }
  const [people, part] = await Promise.all([
    config.people(workspaceId, event.peopleVersion),
    readPlanPart(deps, event, marker.part ?? 0),
  ]);
  logPlanFaults(deps, event, findHoldFaults({ ...plan, rules: part.rules }));
  const { pushes, steps } = await deliverPart(deps, event, { part, at }, marker, people.value);
  deps.log.info("event.matched", {
    workspaceId,
    eventId,
    rules: part.rules.length,
    pushes: pushes.length,
    part: marker.part ?? 0,
  });
  const { probe } = event.content;
  const rounds: SwitchMessage[] =
    probe !== undefined && "round" in probe ? [{ kind: "switch", ws: workspaceId, round: probe.round }] : [];
  return { pushes: [...pushes, ...rounds], steps: steps.map((step) => ({ marker: step })) };
};

/** Removes the stored marker of an event that was never stored, and lists the event's number as lost. Queues nothing. */
const removeOrphanMarker = async (deps: MatchDeps, marker: Marker): Promise<QueuedWork> => {
  if (deps.now() - marker.since < ORPHAN_MARKER_MS) return nothing;
  const id = parseEventId(marker.eventId);
  // After a restore of the table, another event may have the number; the number is then not lost.
  if (id !== undefined && !(await isEventNumberTaken(deps, marker.ws, id.seq)))
    await markLost(deps, marker.ws, [id.seq]);
  await removeMarker(deps, marker);
  deps.log.warn("event.not_stored", { workspaceId: marker.ws, eventId: marker.eventId });
  return nothing;
};

type EndedAlert = Awaited<ReturnType<typeof resolveByKey>> & { isFirst: boolean };
const noEnds: EndedAlert = { overs: [], follows: [], isFirst: false };
type SettledEvent = QueuedWork & { event: PlannedEvent };
type Registers = { learn: EventTypeLearner; register: SiteRegister };

/** Registers the event's type and site, and resolves the event that it ends; returns messages about the end. Idempotent. */
const registerAndResolve = async (
  deps: MatchDeps,
  { learn, register }: Registers,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "receivedAt" | "content"> & { seq: number },
): Promise<EndedAlert> => {
  if (event.content.probe !== undefined) return noEnds;
  const [ends, isFirst] = await Promise.all([resolveByKey(deps, event), learn(event), register(event)]);
  return { ...ends, isFirst };
};

/** Registers a retried event's type and site again, and completes work that an earlier request or try may have left undone. */
const completeRegistration = async (deps: MatchDeps, registers: Registers, event: StoredEvent): Promise<EndedAlert> => {
  const { workspaceId: ws, eventId, plan, life } = event;
  const ends = await registerAndResolve(deps, registers, event);
  // The request that ended the event may have died before it freed the dedupeKey.
  await freeKeyOfEndedEvent(deps, event);
  // An earlier try may have listed the event as open after the event's end.
  if (plan !== undefined && life.needsAck) await unlistEventIfOver(deps, ws, eventId);
  return ends;
};

const hasUnlimitedTime = () => true;

type LimitPlan = (
  event: Parameters<typeof storeAnyPlan>[1] & Versions & Pick<StoredEvent, "valve" | "shadow">,
  delivery: PlannedDelivery,
) => Promise<PlannedDelivery>;

/** The maximum length of a chain of events that wait for each other's plans. */
const SETTLED_IN_TURN_MAX = 3;

/** Returns a function that plans an event and returns what to send. Idempotent: the first plan applies. Throws to be retried. */
export const createEventMatcher = (deps: MatchDeps) => {
  const config = createConfigCache(deps);
  const registers = { learn: createEventTypeLearner(deps), register: createSiteRegister(deps) };
  const gates = createGroupAndThresholdDecider(deps);
  const pageLimit = createPageLimiter(deps);
  const countInGroups = createGroupedEventCounter(deps);
  const notifyUnnoticed = createUnnotifiedReporter(deps);

  /** Plans an event, and returns it with the plan that was stored first. `limitPlan`: applies groups and the page limit. */
  const planAndStore = async (
    event: Parameters<typeof storeAnyPlan>[1] & Versions & Pick<StoredEvent, "valve" | "flapping" | "shadow">,
    isRepeated: boolean,
    hasTime: () => boolean,
    limitPlan: LimitPlan = limitTogether,
  ): Promise<PlannedEvent | "not begun"> => {
    const delivery = await planEventDelivery(deps, config, event, hasTime);
    if (delivery === "not begun") return delivery;
    const planned = await storeAnyPlan(deps, event, await limitPlan(event, delivery), isRepeated);
    if (planned === undefined) throw new Error(`event ${event.eventId} is not stored`);
    return planned;
  };

  /** Returns the plan of an event of a shadow, with the notifications that the service would have sent without the shadow. */
  const planInShadow = async (event: Parameters<LimitPlan>[0], delivery: PlannedDelivery): Promise<PlannedDelivery> => {
    const { workspaceId: ws } = event;
    const { value } = await config.people(ws, event.peopleVersion);
    const people = await addReachability(deps, ws, value, { from: delivery.plan.at, to: Infinity });
    const userIds = listPeopleToReach(delivery, people).slice(0, SIMULATED_PEOPLE_MAX);
    return planShadowEvent(event, delivery, { people, devices: await readDevices(deps, ws, userIds) });
  };

  /** Applies groups and thresholds to a plan, then the page limit. Events of a shadow do not count for the page limit. */
  const addPageLimit =
    (limitPlan: LimitPlan, makePlan?: MakePlan): LimitPlan =>
    async (event, delivery) =>
      event.shadow === true
        ? planInShadow(event, await limitPlan(event, renameGroupsForShadow(delivery)))
        : pageLimit(event, await limitPlan(event, delivery), makePlan);

  /** Returns an event whose plan other events need; plans it if necessary. `turn`: how many events wait for each other so far. */
  const createPlanMaker =
    (turn: number): MakePlan =>
    async (ws, eventId) => {
      const event = await readEvent(deps, ws, eventId);
      if (event === undefined) return undefined;
      const { plan } = event;
      if (plan !== undefined && event.life.heldBy === undefined) return { ...event, plan };
      if (turn > SETTLED_IN_TURN_MAX)
        throw new Error(`events wait for each other in a chain that is too long; it ends at ${eventId}`);
      // The page limit must not wait for other events here, because other events may be waiting for this event.
      const limitPlan = addPageLimit(gates.alone(createPlanMaker(turn + 1)));
      if (plan === undefined) await resolveIfAlertEnded(deps, event);
      const planned =
        plan === undefined ? await planAndStore(event, true, hasUnlimitedTime, limitPlan) : { ...event, plan };
      const settled =
        planned === "not begun" ? planned : await replanHeldEvent(deps, config, planned, hasUnlimitedTime, limitPlan);
      return settled === "not begun" ? undefined : settled.event;
    };
  const limitTogether = addPageLimit(gates.together(createPlanMaker(1)), createPlanMaker(1));

  /** Plans the event again if it is held, and executes its plan. `ends`: messages about events that the event resolved. */
  const replanAndExecute = async (
    planned: PlannedEvent,
    ends: EndedAlert,
    marker: Marker,
    hasTime: () => boolean,
  ): Promise<SettledEvent | "not begun"> => {
    let replanned: ReplannedEvent | "not begun" = { event: planned, steps: [] };
    if (marker.part === undefined) {
      replanned = await replanHeldEvent(deps, config, planned, hasTime, limitTogether);
      if (replanned === "not begun") return replanned;
      await countInGroups(replanned.event);
      await notifyUnnoticed(replanned.event, ends.isFirst);
    }
    const { event, steps: notices } = replanned;
    const { pushes, steps } = await executePlan(deps, config, event, marker);
    return {
      event,
      pushes: [...pushes, ...ends.overs],
      steps: [...steps, ...notices.map((notice) => ({ marker: notice }))],
      // Webhook messages are sent concurrently with pushes, so that webhooks delay no push.
      follows: [...listChangeMessages(event), ...ends.follows],
    };
  };

  /** Processes an event's repeats. If a repeat raised a held event's priority, first plans the event again, with a new marker. */
  const processRepeatsOf = async (
    planned: PlannedEvent,
    marker: Marker,
    hasTime: () => boolean,
  ): Promise<QueuedWork | "not begun"> => {
    let settled: SettledEvent | "not begun" = { ...nothing, event: planned };
    if (planned.life.heldBy !== undefined && planned.repeats?.raised[0] !== undefined) {
      const own = { ...marker, part: undefined };
      await putMarker(deps, own);
      settled = await replanAndExecute(planned, noEnds, own, hasTime);
      if (settled === "not begun") return settled;
    }
    const { event, steps } = settled;
    const isQuiet = isEventOver(event.life) || (event.plan.shadow ?? event.life.heldBy) !== undefined;
    const added = isQuiet ? [] : await processRepeats(deps, config, event);
    await removeMarker(deps, marker);
    const follows = listChangeMessages(event);
    return { ...settled, steps: [...steps, ...added.map((step) => ({ marker: step }))], follows };
  };

  /** `receives`: how often the message was received. Returns "not begun" if the message must be retried for lack of time. */
  return async (
    message: EventMessage,
    receives = 1,
    hasTime: () => boolean = () => true,
  ): Promise<QueuedWork | "not begun"> => {
    if (message.kind === "accepted") {
      const { due } = message;
      const seq = parseEventId(message.event.eventId)?.seq;
      if (seq === undefined) throw new Error(`${message.event.eventId} is not an event id`);
      const event = { ...message.event, seq };
      await resolveIfAlertEnded(deps, event);
      const [planned, ends] = await Promise.all([
        planAndStore(event, receives > 1, hasTime),
        registerAndResolve(deps, registers, event),
      ]);
      if (planned === "not begun") return planned;
      const { workspaceId: ws, eventId, receivedAt: since } = event;
      return replanAndExecute(planned, ends, { ws, eventId, due, since, tries: 0 }, hasTime);
    }
    if (message.kind === "grouped") return { ...nothing, pushes: await buildGroupUpdates(deps, message) };
    const { marker } = message;
    const event = await readEvent(deps, marker.ws, marker.eventId);
    if (event === undefined) return removeOrphanMarker(deps, marker);
    const { plan } = event;
    if (plan === undefined) await resolveIfAlertEnded(deps, event);
    const ends = marker.part === undefined ? await completeRegistration(deps, registers, event) : noEnds;
    const planned = plan === undefined ? await planAndStore(event, true, hasTime) : { ...event, plan };
    if (planned === "not begun") return planned;
    // An event is planned before its repeats are processed, so that its own notifications come first.
    if (marker.part === REPEATS) return processRepeatsOf(planned, marker, hasTime);
    return replanAndExecute(planned, ends, marker, hasTime);
  };
};
