import type { Deps } from "../deps.ts";
import { partOfRule, rulesOfPart, type PlannedRule } from "../domain/delivery/delivery-plan.ts";
import type { FrozenPolicy } from "../domain/escalation/escalation-policy.ts";
import { advance, cursorNumber, cursorOf, stepAt } from "../domain/escalation/escalation-policy.ts";
import { parsePackId } from "../domain/basics/ids.ts";
import { firesEarly } from "../domain/escalation/early.ts";
import { ORPHAN_MARKER_SECONDS } from "../domain/basics/limits.ts";
import type { Marker } from "../domain/event/marker.ts";
import type { PlannedEvent } from "../domain/event/stored-event.ts";
import { resolveTargets } from "../domain/people/people.ts";
import type { EscalationMessage, PackMessage } from "../queue/messages.ts";
import { decideFiring, fireStep, listEscalations, readEscalation, readFiring } from "../store/escalations.ts";
import type { Escalation } from "../domain/escalation/escalation.ts";
import type { Firing } from "../domain/delivery/delivery-plan.ts";
import { countEscalated, readEvent } from "../store/events.ts";
import { putMarker, removeMarker } from "../store/markers.ts";
import { readPlannedRule } from "../store/plans.ts";
import type { PeopleCache } from "./config-cache.ts";
import { deliverStep, stepMarkers } from "./deliver.ts";
import { readPacksOf } from "./read/read-event.ts";
import type { Work } from "./work.ts";

export type EscalateDeps = Pick<Deps, "table" | "now" | "log">;

const nothing: Work = { pushes: [], steps: [] };

type StepMarker = Marker & { step: { rule: number; cursor: number } };

const isStep = (marker: Marker): marker is StepMarker => marker.step !== undefined;

type Following = NonNullable<ReturnType<typeof advance>>;

/** Of the step that follows the one of this marker. */
const markerOf = (
  { ws, eventId, step }: StepMarker,
  policy: FrozenPolicy,
  { dueAt, cursor }: Following,
  since: number,
): StepMarker => ({
  ws,
  eventId,
  due: dueAt,
  step: { rule: step.rule, cursor: cursorNumber(policy, cursor) },
  since,
  tries: 0,
});

/**
 * Fires the step that the marker names, if it is the one that is due: first its people are decided, then the next step's
 * marker is written, then the escalation moves on, conditionally. Gives what was decided for this step, by us or by an
 * earlier try.
 */
const fire = async (
  deps: EscalateDeps,
  config: PeopleCache,
  marker: StepMarker,
  event: PlannedEvent,
  policy: FrozenPolicy,
  escalation: Escalation,
): Promise<{ escalation: Escalation; next: Marker[] }> => {
  const { ws, eventId, step } = marker;
  const now = deps.now();
  // Somebody may have been relieved a moment ago.
  const people = await config.peopleNow(ws);
  const cursor = cursorOf(policy, step.cursor);
  if (cursor === undefined) throw new Error(`policy ${policy.id} has no step ${step.cursor}`);
  const place = { ws, seq: event.seq, rule: step.rule };
  const recipients = resolveTargets(people.value, stepAt(policy, cursor)?.targets ?? [], now);
  const firing = await decideFiring(deps, place, step.cursor, { at: now, recipients });
  const told = firing.recipients.length;
  const following = advance(policy, { cursor, dueAt: marker.due }, firing.at, told > 0);
  const next = following === undefined ? undefined : markerOf(marker, policy, following, firing.at);
  const markers = next === undefined ? [] : stepMarkers(next, policy);
  for (const each of markers) await putMarker(deps, each);
  const after = await fireStep(
    deps,
    place,
    step.cursor,
    told,
    next === undefined ? undefined : { cursor: next.step.cursor, due: next.due },
  );
  deps.log.info("escalation.step", { workspaceId: ws, eventId, step: step.cursor, recipients: told });
  // What another invocation decided at the same moment holds; it wakes the next step, so that one message does.
  return { escalation: after.escalation ?? escalation, next: after.kind === "done" ? markers : [] };
};

/** Counts on the event what the escalations of a part of its plan have told; doing it again changes nothing. */
const count = async (deps: EscalateDeps, event: PlannedEvent, rule: number): Promise<void> => {
  const part = partOfRule(event.plan, rule);
  const place = { ws: event.workspaceId, seq: event.seq };
  const escalations = await listEscalations(deps, place, rulesOfPart(event.plan, part));
  const told = [...escalations.values()].reduce((sum, escalation) => sum + escalation.told, 0);
  if (told > 0) await countEscalated(deps, event, part, told);
};

const deliver = async (
  deps: EscalateDeps,
  config: PeopleCache,
  marker: StepMarker,
  event: PlannedEvent,
  planned: PlannedRule,
  { at, recipients }: Firing,
): Promise<PackMessage[]> => {
  const { ws, step } = marker;
  await count(deps, event, step.rule);
  const people = await config.people(ws, event.peopleVersion);
  return deliverStep(deps, event, planned, { at, recipients, ...step }, marker, people.value);
};

/** What a marker asks that comes before its step is due: whether the step is not to wait, because nobody was reached. */
const nobodyReached = async (
  deps: EscalateDeps,
  event: PlannedEvent,
  policy: FrozenPolicy,
  { ws, step }: StepMarker,
  { fired }: Escalation,
): Promise<boolean> => {
  const firing = fired === 0 ? undefined : await readFiring(deps, { ws, seq: event.seq, rule: step.rule }, fired);
  const packs = await readPacksOf(deps, event);
  const statuses = packs
    .filter(({ packId }) => parsePackId(packId)?.rule === step.rule)
    .flatMap(({ recipients }) => recipients.map(({ status }) => status));
  const sinceMs = firing?.at ?? event.plan.at;
  return firesEarly(policy, { fired, next: step.cursor }, statuses, { sinceMs, nowMs: deps.now() });
};

/** A step without an escalation waits for the matcher to arm it; after a while it is dropped. */
const dropUnarmed = async (deps: EscalateDeps, marker: Marker): Promise<Work> => {
  if (deps.now() - marker.due > ORPHAN_MARKER_SECONDS * 1000) await removeMarker(deps, marker);
  return nothing;
};

/**
 * Does what a step's marker asks for. Idempotent: a firing is decided once, by a conditional write; who comes later
 * finishes what was decided. Nothing is fired before its time or after an acknowledgement.
 */
const escalateStep = async (deps: EscalateDeps, config: PeopleCache, marker: Marker): Promise<Work> => {
  if (!isStep(marker)) throw new Error("this marker is no step of an escalation");
  const { ws, step } = marker;
  const event = await readEvent(deps, ws, marker.eventId);
  if (event?.plan === undefined) return dropUnarmed(deps, marker);
  const matched = { ...event, plan: event.plan };
  const place = { ws, seq: event.seq, rule: step.rule };
  const [planned, found] = await Promise.all([readPlannedRule(deps, matched, step.rule), readEscalation(deps, place)]);
  if (planned?.escalation === undefined || found === undefined) return dropUnarmed(deps, marker);
  let escalation = found;
  const steps: EscalationMessage[] = [];
  if (!escalation.acknowledged && escalation.next?.cursor === step.cursor) {
    if (marker.due > deps.now()) return { pushes: [], steps: [{ marker }] };
    if (marker.due < escalation.next.due && !(await nobodyReached(deps, matched, planned.escalation, marker, found))) {
      await removeMarker(deps, marker);
      return nothing;
    }
    const fired = await fire(deps, config, marker, matched, planned.escalation, escalation);
    escalation = fired.escalation;
    for (const next of fired.next) steps.push({ marker: next });
  }
  // A firing that was decided, but acknowledged before it happened, tells nobody.
  const firing = escalation.fired < step.cursor ? undefined : await readFiring(deps, place, step.cursor);
  if (firing === undefined) {
    await removeMarker(deps, marker);
    return { pushes: [], steps };
  }
  // What was decided is finished also after an acknowledgement: the sender then marks it as not sent.
  return { pushes: await deliver(deps, config, marker, matched, planned, firing), steps };
};

/**
 * The same for the messages of one batch, in which a step may come several times: the message that rode and those of
 * the sweeper all arrive when it is due. One is worked on; the others wait for how it ends.
 */
export const createEscalateStep = (deps: EscalateDeps, config: PeopleCache) => {
  const running = new Map<string, Promise<Work>>();
  return async (marker: Marker): Promise<Work> => {
    const { ws, eventId, due, step } = marker;
    const name = JSON.stringify([ws, eventId, due, step?.rule, step?.cursor]);
    const first = running.get(name);
    if (first !== undefined) {
      await first;
      return nothing;
    }
    const own = escalateStep(deps, config, marker).finally(() => running.delete(name));
    running.set(name, own);
    return own;
  };
};
