import type { Deps } from "../../deps.ts";
import { findPartIndex, findRuleRange, type PlannedRule } from "../../domain/delivery/delivery-plan.ts";
import type { FrozenPolicy } from "../../domain/escalation/escalation-policy.ts";
import {
  findNextDueStep,
  computeStepNumber,
  findCursorOfNumber,
  findStep,
  addRepeats,
} from "../../domain/escalation/escalation-policy.ts";
import { ADDED_RULE } from "../../domain/delivery/added.ts";
import { isTooLateToEscalate } from "../../domain/escalation/temporary-ack.ts";
import { toAddedRule } from "../../domain/event/added-rule.ts";
import { raiseRulePriority } from "../../domain/event/alert.ts";
import { isEventOver } from "../../domain/event/lifecycle.ts";
import { parsePackId } from "../../domain/basics/ids.ts";
import { mustFireEarly } from "../../domain/escalation/early-steps.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";
import { ORPHAN_MARKER_MS } from "../../domain/basics/limits.ts";
import type { Priority } from "../../domain/basics/priority.ts";
import type { Marker } from "../../domain/event/marker.ts";
import type { PlannedEvent } from "../../domain/event/stored-event.ts";
import { listRecipientsOfTargets } from "../../domain/people/people.ts";
import type { EscalationMessage } from "../../queue/messages.ts";
import {
  decideFiring,
  fireStep,
  preventEscalation,
  listEscalations,
  listFirings,
  readEscalation,
  readFiring,
} from "../../store/events/escalations.ts";
import type { Escalation } from "../../domain/escalation/escalation.ts";
import type { Firing } from "../../domain/delivery/delivery-plan.ts";
import { raiseNotified } from "../../store/events/progress.ts";
import { readEvent } from "../../store/events/events.ts";
import { putMarker, removeMarker } from "../../store/events/markers.ts";
import { readPlannedRule } from "../../store/events/plans.ts";
import type { PeopleCache } from "../config-cache.ts";
import { listChangeMessages } from "../respond/follow.ts";
import { deliverStep, listStepMarkers, type Delivered } from "../notify/queue-packs.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { addReachability } from "../read/reach-of-people.ts";
import { readEventPacks } from "../read/read-event.ts";
import { handOff, type HandoffMarker } from "./handoff.ts";
import { toPageMessages, type PageMarker } from "../notify/page-later.ts";
import { createStepPageLimiter, type StepPageLimiter } from "../notify/apply-page-limit.ts";
import { processTemporaryAck, type AckMarker } from "./end-temporary-ack.ts";
import type { QueuedWork } from "../work.ts";

export type EscalateDeps = Pick<Deps, "table" | "now" | "log">;

const nothing: QueuedWork = { pushes: [], steps: [] };

type StepMarker = Marker & { step: { rule: number; cursor: number } };

const isStepMarker = (marker: Marker): marker is StepMarker => marker.step !== undefined;
const isAckMarker = (marker: Marker): marker is AckMarker => marker.term !== undefined;
const isPageMarker = (marker: Marker): marker is PageMarker => marker.ring !== undefined;
const isHandoffMarker = (marker: Marker): marker is HandoffMarker => marker.hand !== undefined;

/** A decision's time may be this long before the start of the step's delay, because two instances' clocks may differ. */
const DECISION_LATE_MS = MINUTE_MS;

type FollowingStep = NonNullable<ReturnType<typeof findNextDueStep>>;

/** Creates the marker of a policy's next step. `since`: when the previous step fired (milliseconds). */
const createNextStepMarker = (
  { ws, eventId, step }: StepMarker,
  policy: FrozenPolicy,
  { dueAt, cursor }: FollowingStep,
  since: number,
): StepMarker => ({
  ws,
  eventId,
  due: dueAt,
  step: { rule: step.rule, cursor: computeStepNumber(policy, cursor) },
  since,
  tries: 0,
});

/** Decides a step's recipients, writes the next step's markers and advances the escalation. "not begun": no time is left. */
const fireDueStep = async (
  deps: EscalateDeps,
  config: PeopleCache,
  marker: StepMarker,
  event: PlannedEvent,
  policy: FrozenPolicy,
  escalation: Escalation,
  { priority, limitPages }: { priority: Priority; limitPages: StepPageLimiter },
  hasTime: () => boolean,
): Promise<{ escalation: Escalation; next: Marker[] } | "not begun"> => {
  const { ws, eventId, step } = marker;
  const now = deps.now();
  const people = await config.peopleNow(ws);
  if (!hasTime()) return "not begun";
  const cursor = findCursorOfNumber(policy, step.cursor);
  if (cursor === undefined) throw new Error(`policy ${policy.id} has no step ${step.cursor}`);
  const ref = { ws, seq: event.seq, rule: step.rule, keptUntil: event.keptUntil };
  const reached = await addReachability(deps, ws, people.value);
  const targets = listRecipientsOfTargets(reached, findStep(policy, cursor)?.targets ?? [], now);
  const recipients = await limitPages({ ...ref, cursor: step.cursor }, priority, targets, now);
  // If an acknowledgement stopped the step after its recipients were decided, the recipients are decided again.
  const notBefore = marker.since - DECISION_LATE_MS;
  const firing = await decideFiring(deps, ref, step.cursor, { at: now, recipients }, notBefore);
  const notified = firing.recipients.length;
  const following = findNextDueStep(policy, { cursor, dueAt: marker.due }, firing.at, notified > 0);
  const isBeyond = following !== undefined && following.dueAt > (escalation.ends ?? Infinity);
  const next =
    following === undefined || isBeyond ? undefined : createNextStepMarker(marker, policy, following, firing.at);
  const markers = next === undefined ? [] : listStepMarkers(next, policy);
  for (const each of markers) await putMarker(deps, each);
  const after = await fireStep(
    deps,
    ref,
    step.cursor,
    notified,
    next === undefined ? undefined : { cursor: next.step.cursor, due: next.due },
  );
  deps.log.info("escalation.step", { workspaceId: ws, eventId, step: step.cursor, recipients: notified });
  // If another invocation fired the step, that invocation also sends the next step's message.
  return { escalation: after.escalation ?? escalation, next: after.kind === "done" ? markers : [] };
};

/** Stores how many recipients the escalations of the rule's plan part have notified. Idempotent. */
const storeNotifiedCount = async (deps: EscalateDeps, event: PlannedEvent, rule: number): Promise<void> => {
  const part = findPartIndex(event.plan, rule);
  const ref = { ws: event.workspaceId, seq: event.seq };
  const escalations = await listEscalations(deps, ref, findRuleRange(event.plan, part));
  const notified = [...escalations.values()].reduce((sum, escalation) => sum + escalation.told, 0);
  if (notified > 0) await raiseNotified(deps, event, part, notified);
};

/** Writes the notifications of a fired step. Returns the pushes to send, and the markers of later pages. */
const deliverFiredStep = async (
  deps: EscalateDeps,
  config: PeopleCache,
  marker: StepMarker,
  event: PlannedEvent,
  planned: PlannedRule,
  { at, recipients }: Firing,
): Promise<Delivered> => {
  const { ws, step } = marker;
  await storeNotifiedCount(deps, event, step.rule);
  const people = await config.people(ws, event.peopleVersion);
  return deliverStep(deps, event, planned, { at, recipients, ...step }, marker, people.value);
};

/** Returns whether the earlier notifications of the rule reached nobody, so that the step fires before it is due. */
const mustFireBeforeDue = async (
  deps: EscalateDeps,
  event: PlannedEvent,
  policy: FrozenPolicy,
  { ws, step }: StepMarker,
  { fired }: Escalation,
): Promise<boolean> => {
  const firing = fired === 0 ? undefined : await readFiring(deps, { ws, seq: event.seq, rule: step.rule }, fired);
  const packs = await readEventPacks(deps, event);
  const statuses = packs
    .filter(({ packId }) => parsePackId(packId)?.rule === step.rule)
    .flatMap(({ recipients }) => recipients.map(({ status }) => status));
  const sinceMs = firing?.at ?? event.plan.at;
  return mustFireEarly(policy, { fired, next: step.cursor }, statuses, { sinceMs, nowMs: deps.now() });
};

/** Writes the notifications of people who were added to the event after its plan, and returns the messages to queue. */
const notifyAddedPeople = async (deps: EscalateDeps, config: PeopleCache, marker: StepMarker): Promise<QueuedWork> => {
  const { ws, eventId, step } = marker;
  const event = await readEvent(deps, ws, eventId);
  const firing =
    event === undefined ? undefined : await readFiring(deps, { ws, seq: event.seq, rule: ADDED_RULE }, step.cursor);
  if (event?.plan === undefined || firing?.addition === undefined) return awaitOrDropStep(deps, marker);
  const matched = { ...event, plan: event.plan };
  const additions = (await listFirings(deps, { ws, seq: event.seq })).filter(({ rule }) => rule === ADDED_RULE);
  const notified = additions.reduce((sum, { recipients }) => sum + recipients.length, 0);
  await raiseNotified(deps, event, "added", notified);
  const people = await config.people(ws, event.peopleVersion);
  const { at, recipients, addition } = firing;
  const fired = { at, recipients, ...step };
  const { pushes, rings } = await deliverStep(deps, matched, toAddedRule(addition), fired, marker, people.value);
  return { pushes, steps: toWakeMessages(rings), follows: listChangeMessages(matched) };
};

const toWakeMessages = (markers: readonly Marker[]): EscalationMessage[] => markers.map((marker) => ({ marker }));

/** Keeps the marker until the matcher starts the escalation. Removes the marker if the escalation does not start in time. */
const awaitOrDropStep = async (deps: EscalateDeps, marker: Marker): Promise<QueuedWork> => {
  if (deps.now() - marker.due > ORPHAN_MARKER_MS) await removeMarker(deps, marker);
  return nothing;
};

/** Processes the marker of a temporary acknowledgement; returns the messages to queue. Queues a marker again if it is not due. */
const processAckMarker = async (deps: EscalateDeps, config: PeopleCache, marker: AckMarker): Promise<QueuedWork> => {
  if (marker.due > deps.now()) return { pushes: [], steps: [{ marker }] };
  const { steps, added, follows } = await processTemporaryAck(deps, marker);
  const delivered = await mapLimit(added.filter(isStepMarker), 1, (step) => notifyAddedPeople(deps, config, step));
  return {
    pushes: delivered.flatMap(({ pushes }) => pushes),
    steps: [...toWakeMessages(steps), ...delivered.flatMap((one) => one.steps)],
    ...(follows === undefined ? {} : { follows }),
  };
};

/** Hands off the marker's event; returns the messages to queue. Requeues the marker if it is not yet due. */
const processHandoff = async (deps: EscalateDeps, config: PeopleCache, marker: HandoffMarker): Promise<QueuedWork> => {
  if (marker.due > deps.now()) return { pushes: [], steps: [{ marker }] };
  const people = await addReachability(deps, marker.ws, (await config.peopleNow(marker.ws)).value);
  const delivered = await mapLimit(await handOff(deps, people, marker), 1, (one) =>
    notifyAddedPeople(deps, config, one),
  );
  return { pushes: delivered.flatMap(({ pushes }) => pushes), steps: delivered.flatMap(({ steps }) => steps) };
};

/** Returns messages that page people whose notification steps are due; queues the marker again if it is not due yet. */
const processPage = async (deps: EscalateDeps, marker: PageMarker): Promise<QueuedWork> => {
  if (marker.due > deps.now()) return { pushes: [], steps: [{ marker }] };
  const outcome = await toPageMessages(deps, marker);
  return outcome === "not written" ? awaitOrDropStep(deps, marker) : { pushes: outcome, steps: [] };
};

/**
 * Processes a marker: of an escalation step, a temporary acknowledgement, a handoff or a page. A conditional write ensures that
 * each step fires once; later invocations only complete the step. No step fires after an acknowledgement. A step fires early only
 * if the earlier notifications reached nobody.
 */
const processMarker = async (
  deps: EscalateDeps,
  config: PeopleCache,
  limitPages: StepPageLimiter,
  marker: Marker,
  hasTime: () => boolean,
): Promise<QueuedWork | "not begun"> => {
  if (isAckMarker(marker)) return processAckMarker(deps, config, marker);
  if (isHandoffMarker(marker)) return processHandoff(deps, config, marker);
  if (isPageMarker(marker)) return processPage(deps, marker);
  if (!isStepMarker(marker)) throw new Error("this marker does not name an escalation step");
  if (marker.step.rule === ADDED_RULE) return notifyAddedPeople(deps, config, marker);
  const { ws, step } = marker;
  const event = await readEvent(deps, ws, marker.eventId);
  if (event?.plan === undefined) return awaitOrDropStep(deps, marker);
  const matched = { ...event, plan: event.plan };
  const ref = { ws, seq: event.seq, rule: step.rule };
  const [frozen, found] = await Promise.all([readPlannedRule(deps, matched, step.rule), readEscalation(deps, ref)]);
  if (frozen?.escalation === undefined || found === undefined) return awaitOrDropStep(deps, marker);
  const planned = raiseRulePriority({ ...frozen, escalation: frozen.escalation }, event);
  let escalation = found;
  const policy = addRepeats(planned.escalation, found.added ?? 0);
  const steps: EscalationMessage[] = [];
  if (!escalation.acknowledged && escalation.next?.cursor === step.cursor) {
    if (marker.due > deps.now()) return { pushes: [], steps: [{ marker }] };
    const isEarly = marker.due < escalation.next.due;
    const isEnded = isEventOver(event.life);
    // The request that ended the event may have died before it ended the escalation.
    if (isEnded) await preventEscalation(deps, { ...ref, keptUntil: event.keptUntil });
    if (
      isEnded ||
      isTooLateToEscalate(escalation.ends, deps.now()) ||
      (isEarly && !(await mustFireBeforeDue(deps, matched, policy, marker, found)))
    ) {
      await removeMarker(deps, marker);
      return nothing;
    }
    const fired = await fireDueStep(
      deps,
      config,
      marker,
      matched,
      policy,
      escalation,
      { ...planned, limitPages },
      hasTime,
    );
    if (fired === "not begun") return fired;
    escalation = fired.escalation;
    for (const next of fired.next) steps.push({ marker: next });
  }
  const firing = escalation.fired < step.cursor ? undefined : await readFiring(deps, ref, step.cursor);
  if (firing === undefined) {
    await removeMarker(deps, marker);
    return { pushes: [], steps };
  }
  // A fired step is completed even after an acknowledgement; the push worker then marks its notifications as unnecessary.
  const { pushes, rings } = await deliverFiredStep(deps, config, marker, matched, planned, firing);
  return { pushes, steps: [...steps, ...toWakeMessages(rings)], follows: listChangeMessages(matched) };
};

/** Returns a function that processes a marker; concurrent calls for one marker share the work. "not begun": retry the marker. */
export const createStepEscalator = (deps: EscalateDeps, config: PeopleCache) => {
  const limitPages = createStepPageLimiter(deps);
  const running = new Map<string, Promise<QueuedWork | "not begun">>();
  return async (marker: Marker, hasTime: () => boolean = () => true): Promise<QueuedWork | "not begun"> => {
    const { ws, eventId, due, step, term, hand, ring } = marker;
    const name = JSON.stringify([ws, eventId, due, step, term, hand?.userId, ring]);
    const first = running.get(name);
    if (first !== undefined) {
      await first;
      return nothing;
    }
    const own = processMarker(deps, config, limitPages, marker, hasTime).finally(() => running.delete(name));
    running.set(name, own);
    return own;
  };
};
