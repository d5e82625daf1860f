import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Addition } from "../../domain/delivery/added.ts";
import type { PlannedRule } from "../../domain/delivery/delivery-plan.ts";
import {
  computeStepNumber,
  findCursorOfNumber,
  findNextCursor,
  findResumeStep,
  findStep,
  addRepeats,
} from "../../domain/escalation/escalation-policy.ts";
import type { Escalation } from "../../domain/escalation/escalation.ts";
import { chooseUrgencyOfAddition } from "../../domain/event/added-rule.ts";
import { computeSnoozeEnd, type SnoozeInput, type NotifyInput } from "../../domain/event/actions.ts";
import { isEventOver, isAcknowledgedOrFinal, type EventLifecycle } from "../../domain/event/lifecycle.ts";
import type { Marker } from "../../domain/event/marker.ts";
import type { PlannedEvent } from "../../domain/event/stored-event.ts";
import { ADDITIONS_MAX } from "../../domain/basics/limits.ts";
import { isKeptAfterSnooze } from "../../domain/workspace/retention.ts";
import { invalidInput, notFoundRefusal, Refusal } from "../../domain/basics/refusal.ts";
import { listRecipientsOfTargets } from "../../domain/people/people.ts";
import type { Recipient } from "../../domain/people/recipient.ts";
import { findAddedPeopleFaults } from "../../domain/planning/references.ts";
import type { EscalationMessage } from "../../queue/messages.ts";
import { sendMessages } from "../../queue/send.ts";
import { addReachability } from "../read/reach-of-people.ts";
import { loadPeople } from "../../store/people/people.ts";
import { listEscalations, replaceNextStep } from "../../store/events/escalations.ts";
import { readEvent } from "../../store/events/events.ts";
import { putMarker } from "../../store/events/markers.ts";
import { storeMoreNotified } from "../../store/events/open-events.ts";
import { readPlannedRules } from "../../store/events/plans.ts";
import { addPeople } from "./add-people.ts";
import { acknowledgeAndEndEscalations, readLifecycle } from "./lifecycle.ts";
import { replacePushes, type NotifyDeps } from "./notify-end.ts";
import { writeNote } from "./write-note.ts";

type RespondDeps = Pick<Deps, "table" | "now" | "newId" | "log">;
type WakeDeps = RespondDeps & { queues: Pick<Deps["queues"], "escalations"> };
type Person = { id: string; name: string };

/** Reads an event, and checks that people can still act on it. Throws Refusal `not_found`, `event_over` or `nothing_to_do`. */
const readEventToRespondTo = async (deps: RespondDeps, ws: WorkspaceId, eventId: string): Promise<PlannedEvent> => {
  const event = await readEvent(deps, ws, eventId);
  if (event === undefined) throw notFoundRefusal("event");
  if (isEventOver(event.life)) throw new Refusal("event_over", "The event is resolved or expired, which is final.");
  if (event.plan === undefined)
    throw new Refusal("nothing_to_do", "The event has not been matched with the rules yet. Try again in a moment.");
  if (event.plan.shadow !== undefined)
    throw new Refusal("nothing_to_do", "The event arrived during a shadow, so nobody is notified of it.");
  return { ...event, plan: event.plan };
};

/** Reads an event that somebody must acknowledge. Throws Refusal `not_found`, `event_over` or `nothing_to_do`. */
const readEventToAcknowledge = async (deps: RespondDeps, ws: WorkspaceId, eventId: string): Promise<PlannedEvent> => {
  const event = await readEventToRespondTo(deps, ws, eventId);
  if (event.life.needsAck) return event;
  throw new Refusal("nothing_to_do", "Nobody has to acknowledge this event.");
};

/** Acknowledges an event until a time. Throws `not_found`, `event_over`, `nothing_to_do`, `invalid_input`. */
export const snoozeUntil = async (
  deps: RespondDeps & NotifyDeps,
  ws: WorkspaceId,
  eventId: string,
  actor: Person,
  input: SnoozeInput,
): Promise<EventLifecycle> => {
  const until = computeSnoozeEnd(input, deps.now());
  if (typeof until !== "number") throw invalidInput([until]);
  const event = await readEventToAcknowledge(deps, ws, eventId);
  if (!isKeptAfterSnooze(until, event.keptUntil))
    throw new Refusal(
      "nothing_to_do",
      "The event will be deleted soon and cannot be snoozed. Acknowledge or resolve it.",
    );
  const noted = await acknowledgeAndEndEscalations(deps, event, actor, until);
  if (!isAcknowledgedOrFinal(event.life)) await replacePushes(deps, ws, eventId, { state: "acknowledged", by: actor });
  return readLifecycle(deps, noted);
};

/** Queues stored markers for the escalator. Only logs a failure, because the sweeper finds markers that are due. */
const wakeEscalator = async (deps: WakeDeps, markers: readonly Marker[]): Promise<void> => {
  try {
    await sendMessages(
      deps.queues.escalations,
      markers.map((marker) => ({ message: { marker } satisfies EscalationMessage })),
    );
  } catch (error) {
    deps.log.error("step.not_enqueued", error, { workspaceId: markers[0]?.ws ?? "" });
  }
};

/** Adds recipients to an event. Throws Refusal `limit_reached` if people were added too often. */
const addRecipientsToEvent = async (
  deps: RespondDeps,
  event: PlannedEvent,
  recipients: readonly Recipient[],
  addition: Addition,
): Promise<Marker> => {
  const { workspaceId: ws, seq } = event;
  const marker = await addPeople(deps, event, recipients, addition, ADDITIONS_MAX);
  await storeMoreNotified(deps, ws, seq);
  return marker;
};

/** Notifies more people. Throws `not_found`, `event_over`, `nothing_to_do`, `limit_reached`, `invalid_input` for unknown ids. */
export const notifyMorePeople = async (
  deps: WakeDeps,
  ws: WorkspaceId,
  eventId: string,
  actor: Person,
  { userIds, groupIds, note }: NotifyInput,
): Promise<EventLifecycle> => {
  const event = await readEventToRespondTo(deps, ws, eventId);
  const people = await loadPeople(deps, ws);
  const faults = findAddedPeopleFaults({ userIds, groupIds }, people);
  if (faults.length > 0) throw invalidInput(faults);
  const targets = [
    ...userIds.map((userId) => ({ type: "user" as const, userId })),
    ...groupIds.map((groupId) => ({ type: "group" as const, groupId })),
  ];
  const recipients = listRecipientsOfTargets(people, targets, deps.now());
  const rules = await readPlannedRules(deps, event);
  const marker = await addRecipientsToEvent(deps, event, recipients, {
    because: "told",
    by: actor,
    ...(note === undefined || note === null ? {} : { note }),
    once: deps.newId("req"),
    ...chooseUrgencyOfAddition(rules, event),
  });
  await wakeEscalator(deps, [marker]);
  return readLifecycle(deps, event);
};

type ResumePoint = { cursor: number; added: number };
type RunningEscalation = { rule: number; planned: PlannedRule; escalation: Escalation; resumed: ResumePoint };

type Escalations = ReadonlyMap<number, Escalation>;

const readEscalations = (deps: RespondDeps, { workspaceId: ws, seq, plan }: PlannedEvent): Promise<Escalations> =>
  listEscalations(deps, { ws, seq }, { from: 0, to: plan.matched });

/** Lists the escalations that have a next step. After a policy's last step, another repeat of the policy begins. */
const listEscalationsWithNextStep = (escalations: Escalations, rules: readonly PlannedRule[]): RunningEscalation[] =>
  [...escalations].flatMap(([rule, escalation]) => {
    const planned = rules[rule];
    const { next, fired, added = 0 } = escalation;
    const resumed =
      planned?.escalation === undefined ? undefined : findResumeStep(planned.escalation, { next, fired, added });
    return planned === undefined || resumed === undefined ? [] : [{ rule, planned, escalation, resumed }];
  });

/** Returns the step that follows step `cursor` of a policy. `added`: the additional repeats of the policy so far. */
const findStepAfter = (policy: NonNullable<PlannedRule["escalation"]>, { cursor, added }: ResumePoint) => {
  const longer = addRepeats(policy, added);
  const at = findCursorOfNumber(longer, cursor);
  const following = at === undefined ? undefined : findNextCursor(longer, at);
  return following === undefined
    ? findResumeStep(policy, { next: undefined, fired: cursor, added })
    : { cursor: computeStepNumber(longer, following), added };
};

/** Makes the next step due now, and returns its marker. If the step is already due, it keeps its time. */
const makeNextStepDueNow = async (
  deps: RespondDeps,
  event: PlannedEvent,
  { rule, escalation, resumed }: RunningEscalation,
): Promise<Marker> => {
  const { workspaceId: ws, eventId, seq } = event;
  const isNext = escalation.next?.cursor === resumed.cursor;
  const due = Math.min(deps.now(), isNext ? (escalation.next?.due ?? Infinity) : Infinity);
  const marker: Marker = { ws, eventId, due, step: { rule, cursor: resumed.cursor }, since: due, tries: 0 };
  await putMarker(deps, marker);
  await replaceNextStep(deps, { ws, seq, rule }, escalation, {
    next: { cursor: resumed.cursor, due },
    added: resumed.added,
  });
  return marker;
};

/** Notifies the people of an escalation's next step. The escalation later continues with the step after the next step. */
const notifyNextStep = async (
  deps: RespondDeps,
  event: PlannedEvent,
  { rule, planned, escalation, resumed }: RunningEscalation,
  actor: Person,
  note: string | undefined,
): Promise<Marker[]> => {
  const { workspaceId: ws, seq } = event;
  const policy = planned.escalation;
  if (policy === undefined) return [];
  const at = findCursorOfNumber(addRepeats(policy, resumed.added), resumed.cursor);
  const targets = at === undefined ? [] : (findStep(policy, at)?.targets ?? []);
  const people = await addReachability(deps, ws, await loadPeople(deps, ws));
  const recipients = listRecipientsOfTargets(people, targets, deps.now());
  const marker = await addRecipientsToEvent(deps, event, recipients, {
    because: "escalated",
    by: actor,
    ...(note === undefined ? {} : { note }),
    once: `escalate ${rule} ${resumed.cursor}`,
    ...chooseUrgencyOfAddition([planned], event),
  });
  const next = findStepAfter(policy, resumed);
  if (next !== undefined)
    await replaceNextStep(deps, { ws, seq, rule }, escalation, {
      next: { cursor: next.cursor, due: deps.now() },
      added: next.added,
    });
  return [marker];
};

/** Fires the next step of each escalation; if the escalation is acknowledged, only notifies the step's people. */
const fireNextSteps = async (
  deps: WakeDeps,
  event: PlannedEvent,
  escalations: readonly RunningEscalation[],
  actor: Person,
  note: string | undefined,
): Promise<void> => {
  const markers: Marker[] = [];
  for (const one of escalations)
    markers.push(
      ...(one.escalation.acknowledged
        ? await notifyNextStep(deps, event, one, actor, note)
        : [await makeNextStepDueNow(deps, event, one)]),
    );
  await wakeEscalator(deps, markers);
  deps.log.info("event.escalated", { workspaceId: event.workspaceId, eventId: event.eventId });
};

/** Fires each escalation's next step, and keeps acknowledgements. Throws `not_found`, `event_over`, `nothing_to_do`. */
export const escalateNow = async (
  deps: WakeDeps,
  ws: WorkspaceId,
  eventId: string,
  actor: Person,
  note: string | undefined,
): Promise<EventLifecycle> => {
  const event = await readEventToAcknowledge(deps, ws, eventId);
  const rules = await readPlannedRules(deps, event);
  const going = listEscalationsWithNextStep(await readEscalations(deps, event), rules);
  if (going.length === 0)
    throw new Refusal("nothing_to_do", "No matching rule has a policy with a step that notifies somebody.");
  // The note is stored with the event, because the notifications of a step that is made due contain no note.
  if (note !== undefined && !going.some(({ escalation }) => escalation.acknowledged))
    await writeNote(deps, ws, eventId, actor, note);
  await fireNextSteps(deps, event, going, actor, note);
  return readLifecycle(deps, event);
};

/** Fires next steps for a recipient of step `cursor` ("told"), unless a later step has fired ("gone on") or none is left. */
export const escalateForRecipient = async (
  deps: WakeDeps,
  ws: WorkspaceId,
  eventId: string,
  actor: Person,
  { rule, cursor }: { rule: number; cursor: number },
): Promise<"told" | "gone on" | "nobody"> => {
  const event = await readEventToAcknowledge(deps, ws, eventId);
  const rules = await readPlannedRules(deps, event);
  // The escalations are read only once, so that concurrent requests cannot replace the same step twice.
  const escalations = await readEscalations(deps, event);
  if ((escalations.get(rule)?.fired ?? 0) > cursor) return "gone on";
  const going = listEscalationsWithNextStep(escalations, rules);
  if (going.length === 0) return "nobody";
  await fireNextSteps(deps, event, going, actor, undefined);
  return "told";
};
