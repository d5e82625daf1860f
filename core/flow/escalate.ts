import type { Deps } from "../deps.ts";
import type { FrozenPolicy } from "../domain/escalation/escalation-policy.ts";
import { advance, cursorNumber, cursorOf, stepAt } from "../domain/escalation/escalation-policy.ts";
import { ORPHAN_MARKER_SECONDS } from "../domain/basics/limits.ts";
import type { Marker } from "../domain/event/marker.ts";
import { resolveTargets } from "../domain/people/people.ts";
import type { EscalationMessage, PushMessage } from "../queue/messages.ts";
import { fireStep, readEscalation } from "../store/escalations.ts";
import { type Escalation } from "../domain/escalation/escalation.ts";
import { countStep, readEvent } from "../store/events.ts";
import { type StoredEvent } from "../domain/event/stored-event.ts";
import { putMarker, removeMarker } from "../store/markers.ts";
import type { ConfigCache } from "./config-cache.ts";
import { deliverStep } from "./deliver.ts";
import type { Work } from "./work.ts";

export type EscalateDeps = Pick<Deps, "table" | "now" | "log">;

const nothing: Work = { pushes: [], steps: [] };

type StepMarker = Marker & { step: { rule: number; cursor: number } };

const isStep = (marker: Marker): marker is StepMarker => marker.step !== undefined;

type Firing = { at: number; recipients: Escalation["fired"][string]["recipients"] };

/**
 * Fires the step that the marker names, if it is the one that is due: the next step's marker first, then the
 * escalation itself, conditionally. Gives what was decided for this step, by us or by an earlier try.
 */
const fire = async (
  deps: EscalateDeps,
  config: ConfigCache,
  marker: StepMarker,
  event: StoredEvent,
  policy: FrozenPolicy,
  escalation: Escalation,
): Promise<{ escalation: Escalation; next: Marker | undefined }> => {
  const { ws, eventId, step } = marker;
  const now = deps.now();
  // Somebody may have been relieved a moment ago.
  const people = await config.peopleNow(ws);
  const cursor = cursorOf(policy, step.cursor);
  if (cursor === undefined) throw new Error(`policy ${policy.id} has no step ${step.cursor}`);
  const recipients = resolveTargets(people.value, stepAt(policy, cursor)?.targets ?? [], now);
  const following = advance(policy, { cursor, dueAt: marker.due }, now, recipients.length > 0);
  const next: StepMarker | undefined =
    following === undefined
      ? undefined
      : {
          ws,
          eventId,
          due: following.dueAt,
          step: { rule: step.rule, cursor: cursorNumber(policy, following.cursor) },
          since: now,
          tries: 0,
        };
  if (next !== undefined) await putMarker(deps, next);
  const place = { ws, seq: event.seq, rule: step.rule };
  const after = await fireStep(
    deps,
    place,
    step.cursor,
    { at: now, recipients },
    next === undefined ? undefined : { cursor: next.step.cursor, due: next.due },
  );
  deps.log.info("escalation.step", { workspaceId: ws, eventId, step: step.cursor, recipients: recipients.length });
  // What another invocation decided at the same moment holds; it wakes the next step, so that one message does.
  return { escalation: after.escalation ?? escalation, next: after.kind === "done" ? next : undefined };
};

const deliver = async (
  deps: EscalateDeps,
  config: ConfigCache,
  marker: StepMarker,
  event: StoredEvent,
  { at, recipients }: Firing,
): Promise<PushMessage[]> => {
  const { ws, eventId, step } = marker;
  const planned = event.plan?.rules[step.rule];
  if (planned === undefined) throw new Error(`event ${eventId} has no rule ${step.rule} in its plan`);
  if (recipients.length > 0) await countStep(deps, event, { ...step, notifications: recipients.length });
  const people = await config.people(ws, event.peopleVersion);
  return deliverStep(deps, event, planned, { at, recipients, ...step }, marker, people.value);
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
const escalateStep = async (deps: EscalateDeps, config: ConfigCache, marker: Marker): Promise<Work> => {
  if (!isStep(marker)) throw new Error("this marker is no step of an escalation");
  const { ws, step } = marker;
  const event = await readEvent(deps, ws, marker.eventId);
  const policy = event?.plan?.rules[step.rule]?.escalation;
  if (event === undefined || policy === undefined) return dropUnarmed(deps, marker);
  let escalation = await readEscalation(deps, { ws, seq: event.seq, rule: step.rule });
  if (escalation === undefined) return dropUnarmed(deps, marker);
  const steps: EscalationMessage[] = [];
  if (!escalation.acknowledged && escalation.next?.cursor === step.cursor) {
    // Two tries of one firing may have left markers at two times: the escalation knows which is right.
    if (escalation.next.due !== marker.due) {
      await removeMarker(deps, marker);
      return nothing;
    }
    if (marker.due > deps.now()) return { pushes: [], steps: [{ marker }] };
    const fired = await fire(deps, config, marker, event, policy, escalation);
    escalation = fired.escalation;
    if (fired.next !== undefined) steps.push({ marker: fired.next });
  }
  const firing = escalation.fired[String(step.cursor)];
  if (firing === undefined) {
    await removeMarker(deps, marker);
    return { pushes: [], steps };
  }
  // What was decided is finished also after an acknowledgement: the sender then marks it as not sent.
  return { pushes: await deliver(deps, config, marker, event, firing), steps };
};

/**
 * The same for the messages of one batch, in which a step may come several times: the message that rode and those of
 * the sweeper all arrive when it is due. One is worked on; the others wait for how it ends.
 */
export const createEscalateStep = (deps: EscalateDeps, config: ConfigCache) => {
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
