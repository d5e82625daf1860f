import type { Deps, TableDeps } from "../../deps.ts";
import { HELD_HOURS } from "../../domain/basics/limits.ts";
import { countNotifications, splitPlan, type DeliveryPlan } from "../../domain/delivery/delivery-plan.ts";
import { findPlanFaults } from "../../domain/delivery/ledger.ts";
import { FLAPPING } from "../../domain/event/flapping.ts";
import { isAcknowledgedOrFinal } from "../../domain/event/lifecycle.ts";
import type { PlannedEvent, StoredEvent } from "../../domain/event/stored-event.ts";
import type { Hold, PlannedDelivery } from "../../domain/planning/planned-delivery.ts";
import { storePlanOnce, replacePlan, type FrozenEvent, type PlanOutcome } from "../../store/events/progress.ts";
import { addHeldEvent, putSilenceEnd, unlistHeldEvent } from "../../store/events/held-events.ts";
import { putMarker } from "../../store/events/markers.ts";
import {
  unlistOpenEvent,
  putOpenEvent,
  toListFields,
  toListFieldsAfterPlan,
  tryAddOpenEvent,
} from "../../store/events/open-events.ts";
import type { NumberedEvent } from "../../store/events/event-items.ts";
import { computePlanId, putPlanPart } from "../../store/events/plans.ts";
import { metrics } from "../../wiring.ts";
import { unlistEventIfOver } from "../respond/lifecycle.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { HOUR_MS } from "../../domain/basics/units.ts";
import { ANSWER_SLOW_MS, LATE_WRITE_MS } from "../work.ts";

type StorePlanDeps = Pick<Deps, "table" | "now" | "log">;

/** `replaces`: if this plan replaces a plan that notified nobody, the earlier plan's reason: a silence's id, or flapping. */
type EventToPlan = NumberedEvent & { replaces?: string | undefined };

/** How long after an event's arrival a message proves that the event is stored: a restore of the table takes longer. */
const PROVEN_MS = 10_000;

/** Logs an error if the numbers of notified and silenced recipients do not add up. */
export const logPlanFaults = (
  deps: Pick<Deps, "log">,
  { workspaceId, eventId }: Pick<StoredEvent, "workspaceId" | "eventId">,
  faults: readonly string[],
): void => {
  if (faults.length === 0) return;
  deps.log.metric(metrics.ledgerFaults, faults.length);
  deps.log.error("event.not_reconciled", new Error(faults.join("; ")), { workspaceId, eventId });
};

const WRITES_AT_ONCE = 8;

/** Stores a plan. A large plan is first written in parts, which take effect when the event names them: no plan is incomplete. */
const storePlanInParts = async (
  deps: StorePlanDeps,
  event: EventToPlan,
  plan: DeliveryPlan,
  outcome: PlanOutcome,
): Promise<FrozenEvent | undefined> => {
  const { replaces, ...own } = event;
  const known = Math.abs(deps.now() - event.receivedAt) < PROVEN_MS ? own : undefined;
  const storePlan = (planItem: Parameters<typeof storePlanOnce>[2]) =>
    replaces === undefined
      ? storePlanOnce(deps, event, planItem, outcome, known)
      : replacePlan(deps, event, planItem, outcome, replaces);
  const parts = splitPlan(plan);
  if (parts.length === 1) return storePlan(plan);
  const id = computePlanId(parts);
  await mapLimit([...parts.entries()], WRITES_AT_ONCE, ([index, part]) => putPlanPart(deps, event, id, index, part));
  const { rules, ...head } = plan;
  const starts = parts.map(({ rule, pack }) => ({ rule, pack }));
  return storePlan({ ...head, matched: rules.length, id, parts: starts });
};

/** Stores a plan. Logs an error if this plan is stored and the numbers of its recipients do not add up. */
const storeAndCheckPlan = async (
  deps: StorePlanDeps,
  event: EventToPlan,
  { plan, called, needsAck, hold }: PlannedDelivery,
): Promise<FrozenEvent | undefined> => {
  const outcome = { notifications: countNotifications(plan), needsAck, heldBy: hold?.heldBy };
  const frozen = await storePlanInParts(deps, event, plan, outcome);
  if (frozen?.first === true) {
    const { silence, flapping, groups } = frozen.event.plan;
    logPlanFaults(deps, event, findPlanFaults(called, { rules: plan.rules, silence, flapping, groups }));
  }
  return frozen;
};

/** Calls `write`, which lists an event as open. If `write` is slow, a marker makes the matcher check the list later. */
const listAsOpen = async <Listed>(
  deps: StorePlanDeps,
  { workspaceId: ws, eventId, receivedAt: since }: Pick<StoredEvent, "workspaceId" | "eventId" | "receivedAt">,
  write: () => Promise<Listed>,
): Promise<Listed> => {
  const began = deps.now();
  const listed = await write();
  const now = deps.now();
  const due = now + LATE_WRITE_MS;
  if (now - began > ANSWER_SLOW_MS) await putMarker(deps, { ws, eventId, due, since, tries: 0 });
  return listed;
};

/** Lists an event as open again, with the people of its stored plan. Unlists the event again if the event has ended. */
const relistAsOpen = async (deps: StorePlanDeps, event: PlannedEvent): Promise<void> => {
  const { workspaceId: ws } = event;
  await listAsOpen(deps, event, () => tryAddOpenEvent(deps, ws, { ...event, ...toListFieldsAfterPlan(event) }));
  await unlistEventIfOver(deps, ws, event.eventId);
};

/**
 * Schedules the next check of a held event: stores a marker if the alert is flapping, or else the end of the silence. The event
 * must be listed as held before, because the sweeper removes the silence's end and then reads the list.
 */
export const scheduleHoldCheck = async (
  deps: TableDeps,
  { workspaceId: ws, eventId, receivedAt }: Pick<StoredEvent, "workspaceId" | "eventId" | "receivedAt">,
  { heldBy: silence, until }: Hold,
): Promise<void> => {
  if (silence === FLAPPING) return putMarker(deps, { ws, eventId, due: until, since: until, tries: 0 });
  // If a silence lasts longer, notifying people at the silence's end would be too late.
  if (until - receivedAt > HELD_HOURS * HOUR_MS) return;
  await putSilenceEnd(deps, { ws, silence, due: until, since: until, because: "time" });
};

/** Lists an event as held, and removes it from the open events, where another plan may have listed it. */
const listAsHeld = async (deps: StorePlanDeps, event: PlannedEvent): Promise<void> => {
  await unlistOpenEvent(deps, event.workspaceId, event);
  if (event.life.heldBy !== undefined) await addHeldEvent(deps, event, event.life.heldBy);
};

/** Stores a plan that needs no acknowledgement. Lists a held event before storing the plan. */
const storePlanWithoutAck = async (
  deps: StorePlanDeps,
  event: EventToPlan,
  delivery: PlannedDelivery,
  isRepeated: boolean,
): Promise<PlannedEvent | undefined> => {
  const { hold } = delivery;
  if (hold !== undefined) {
    await addHeldEvent(deps, event, hold.heldBy);
    await scheduleHoldCheck(deps, event, hold);
  }
  const frozen = await storeAndCheckPlan(deps, event, delivery);
  if (hold !== undefined && frozen?.event.life.heldBy !== hold.heldBy) await unlistHeldEvent(deps, event, hold.heldBy);
  // An earlier invocation may have listed the event as open for another plan, and then died.
  if (isRepeated && frozen?.event.life.needsAck === false) await listAsHeld(deps, frozen.event);
  return frozen?.event;
};

/**
 * Stores an event's plan, and returns the event with the plan that was stored first; undefined if the event is not stored. If the
 * plan needs an acknowledgement, first lists the event as open. Unlists the event again if it was already acknowledged or over.
 * `isRepeated`: whether an earlier invocation may have done the same work.
 */
export const storeAnyPlan = async (
  deps: StorePlanDeps,
  event: EventToPlan,
  delivery: PlannedDelivery,
  isRepeated: boolean,
): Promise<PlannedEvent | undefined> => {
  const { plan, needsAck } = delivery;
  if (!needsAck) return storePlanWithoutAck(deps, event, delivery, isRepeated);
  const { workspaceId: ws } = event;
  const open = { ...event, notifications: countNotifications(plan), ...toListFields(plan) };
  const listed = await listAsOpen(deps, event, () => tryAddOpenEvent(deps, ws, open));
  const frozen = await storeAndCheckPlan(deps, event, delivery);
  if (frozen === undefined || isAcknowledgedOrFinal(frozen.event.life)) await unlistOpenEvent(deps, ws, open);
  else if (!listed) await listAsOpen(deps, event, () => putOpenEvent(deps, ws, open));
  // The list of open events names this plan's people, but another invocation's plan was stored first.
  if (frozen?.first === false)
    await (frozen.event.life.heldBy === undefined ? relistAsOpen : listAsHeld)(deps, frozen.event);
  return frozen?.event;
};
