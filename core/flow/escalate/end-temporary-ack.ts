import type { Deps } from "../../deps.ts";
import { findResumeStep } from "../../domain/escalation/escalation-policy.ts";
import {
  findLatestAckEnd,
  isTooLateToEscalate,
  type PresentAck,
  type ReopenedAck,
} from "../../domain/escalation/temporary-ack.ts";
import type { PlannedRule } from "../../domain/delivery/delivery-plan.ts";
import { chooseUrgencyOfAddition } from "../../domain/event/added-rule.ts";
import { isEventOver, findPermanentAcknowledgement } from "../../domain/event/lifecycle.ts";
import type { Marker } from "../../domain/event/marker.ts";
import type { PlannedEvent } from "../../domain/event/stored-event.ts";
import { listEscalations, resumeEscalation } from "../../store/events/escalations.ts";
import { readEvent } from "../../store/events/events.ts";
import { putMarker, removeMarker } from "../../store/events/markers.ts";
import { toListFieldsAfterPlan, tryAddOpenEvent } from "../../store/events/open-events.ts";
import { readPlannedRules } from "../../store/events/plans.ts";
import { makeAckPermanent, storeAckEnd } from "../../store/events/temporary-acks.ts";
import type { WebhookMessage } from "../../queue/messages.ts";
import { addPeople } from "../respond/add-people.ts";
import { listChangeMessages } from "../respond/follow.ts";
import { unlistEventIfOver, readLifecycle } from "../respond/lifecycle.ts";
import { readWrittenViews } from "../read/read-event.ts";

type AckEndDeps = Pick<Deps, "table" | "now" | "log">;

export type AckMarker = Marker & { term: NonNullable<Marker["term"]> };
/** The messages to queue after a marker is processed. `follows`: messages that make webhooks report the change. */
type FollowUp = { steps: Marker[]; added: Marker[]; follows?: readonly WebhookMessage[] };

const nothing: FollowUp = { steps: [], added: [] };

/** Asks the acknowledger once whether they are still working on the event, and schedules the acknowledgement's end. */
const askAcknowledger = async (
  deps: AckEndDeps,
  event: PlannedEvent,
  marker: AckMarker,
  ack: PresentAck,
): Promise<FollowUp> => {
  const { until } = marker.term;
  const end: Marker = { ...marker, due: until, term: { work: "end", until } };
  await putMarker(deps, end);
  const rules = await readPlannedRules(deps, event);
  const added = await addPeople(deps, event, [{ userId: ack.id, reason: {} }], {
    because: "still_on_it",
    until,
    once: `ask ${until}`,
    ...chooseUrgencyOfAddition(rules, event),
  });
  await removeMarker(deps, marker);
  return { steps: [end], added: [added] };
};

/** Returns whether somebody has acknowledged the event permanently since the temporary acknowledgement began. */
const isAckPermanent = async (deps: AckEndDeps, event: PlannedEvent, ack: PresentAck): Promise<boolean> =>
  findPermanentAcknowledgement(ack, await readWrittenViews(deps, event)) !== undefined;

/**
 * Makes the next step of each stopped escalation due at `until`, when the temporary acknowledgement ends. Stores each marker
 * before its escalation continues. Returns the markers of the next steps, or undefined if no escalation can notify anybody again.
 */
const continueEscalations = async (
  deps: AckEndDeps,
  event: PlannedEvent,
  rules: readonly PlannedRule[],
  until: number,
): Promise<Marker[] | undefined> => {
  const { workspaceId: ws, eventId, seq, plan, life } = event;
  const escalations = await listEscalations(deps, { ws, seq }, { from: 0, to: plan.matched });
  const steps: Marker[] = [];
  let canNotify = false;
  for (const [rule, escalation] of escalations) {
    const policy = rules[rule]?.escalation;
    if (policy === undefined) continue;
    const { acknowledged, next, fired, added = 0 } = escalation;
    const going = acknowledged && escalation.until !== undefined && escalation.until <= until;
    const resumed = findResumeStep(policy, { next, fired, added });
    canNotify ||= resumed !== undefined && (going || !acknowledged);
    if (!going || resumed === undefined) {
      if (!acknowledged && next !== undefined)
        steps.push({ ws, eventId, due: next.due, step: { rule, cursor: next.cursor }, since: until, tries: 0 });
      continue;
    }
    const marker: Marker = { ws, eventId, due: until, step: { rule, cursor: resumed.cursor }, since: until, tries: 0 };
    await putMarker(deps, marker);
    const after = await resumeEscalation(
      deps,
      { ws, seq, rule },
      {
        until,
        next: { cursor: resumed.cursor, due: until },
        added: resumed.added,
        ends: findLatestAckEnd(life.chain ?? until),
      },
    );
    if (after?.acknowledged === false) steps.push(marker);
  }
  return canNotify ? steps : undefined;
};

/** Notifies the acknowledger that the acknowledgement has ended. Called if no escalation can notify anybody again. */
const notifyAcknowledger = (
  deps: AckEndDeps,
  event: PlannedEvent,
  rules: readonly PlannedRule[],
  { until, id }: ReopenedAck,
): Promise<Marker> =>
  addPeople(deps, event, [{ userId: id, reason: {} }], {
    because: "open_again",
    once: `open ${until}`,
    ...chooseUrgencyOfAddition(rules, event),
  });

/** Continues the escalations or notifies the acknowledger; called after the acknowledgement's end is stored. Idempotent. */
const applyAckEnd = async (deps: AckEndDeps, event: PlannedEvent, reopened: ReopenedAck): Promise<FollowUp> => {
  const { workspaceId: ws, eventId } = event;
  const rules = await readPlannedRules(deps, event);
  const steps = await continueEscalations(deps, event, rules, reopened.until);
  // Somebody may have acknowledged the event before this invocation listed it as open.
  await unlistEventIfOver(deps, ws, eventId);
  const isUnnotified = steps === undefined && (await readLifecycle(deps, event)).state === "open";
  const added = isUnnotified ? [await notifyAcknowledger(deps, event, rules, reopened)] : [];
  deps.log.info("event.reopened", { workspaceId: ws, eventId });
  return { steps: steps ?? [], added, follows: listChangeMessages(event) };
};

/**
 * Lists the event as open, reopens it, and continues its escalations. After a crash, the next attempt completes this work. Makes
 * the temporary acknowledgement permanent instead if it is too late to escalate, or if a permanent acknowledgement exists.
 */
const endTemporaryAck = async (deps: AckEndDeps, event: PlannedEvent, ack: PresentAck): Promise<FollowUp> => {
  const { workspaceId: ws, eventId, plan, life } = event;
  const now = deps.now();
  if (isTooLateToEscalate(findLatestAckEnd(life.chain ?? ack.at), now) || (await isAckPermanent(deps, event, ack))) {
    await makeAckPermanent(deps, ws, eventId, ack);
    return nothing;
  }
  await tryAddOpenEvent(deps, ws, { ...event, ...toListFieldsAfterPlan(event) });
  const { until, at, id, name } = ack;
  const reopened = { until, at, id, name, on: now };
  const written = await storeAckEnd(deps, ws, eventId, reopened);
  if (written?.kind === "done") return applyAckEnd(deps, { ...event, ...written.event, plan }, reopened);
  await unlistEventIfOver(deps, ws, eventId);
  return nothing;
};

/**
 * Asks the acknowledger whether to extend the temporary acknowledgement, or ends it. Changes nothing if the acknowledgement has
 * changed or the event is over. Returns the messages to send.
 */
export const processTemporaryAck = async (deps: AckEndDeps, marker: AckMarker): Promise<FollowUp> => {
  const { until, work } = marker.term;
  const event = await readEvent(deps, marker.ws, marker.eventId);
  const { term: ack, reopened } = event?.life ?? {};
  const isPresent = ack?.until === until;
  let followUp = nothing;
  if (event?.plan !== undefined && !isEventOver(event.life)) {
    const planned = { ...event, plan: event.plan };
    if (work === "ask" && isPresent) return askAcknowledger(deps, planned, marker, ack);
    if (work === "end" && isPresent) followUp = await endTemporaryAck(deps, planned, ack);
    else if (work === "end" && reopened?.until === until) followUp = await applyAckEnd(deps, planned, reopened);
  }
  await removeMarker(deps, marker);
  return followUp;
};
