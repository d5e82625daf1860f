import type { TableDeps, TimedDeps } from "../../deps.ts";
import { computeConfirmationCheckTime } from "../../domain/escalation/early-steps.ts";
import {
  countPacks,
  buildPacks,
  listPacksOfPart,
  type PlanPart,
  type PlannedPack,
  type PlannedRule,
} from "../../domain/delivery/delivery-plan.ts";
import { formatTextForAddedPerson, type Added } from "../../domain/delivery/added.ts";
import { isSpread, parsePackId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import { findFirstDueStep, computeStepNumber, type FrozenPolicy } from "../../domain/escalation/escalation-policy.ts";
import { addSiteName } from "../../domain/event/event.ts";
import { isAcknowledgedOrFinal } from "../../domain/event/lifecycle.ts";
import type { Marker } from "../../domain/event/marker.ts";
import type { Recipient } from "../../domain/people/recipient.ts";
import type { People } from "../../domain/people/people.ts";
import type { PackMessage, PushText } from "../../queue/messages.ts";
import { startEscalation } from "../../store/events/escalations.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { moveMarker, putMarker, removeMarker } from "../../store/events/markers.ts";
import { createPack } from "../../store/delivery/packs.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { isPackFinished, toPackHead, type PackHead } from "../../domain/delivery/pack.ts";

export type DeliveredEvent = Pick<
  StoredEvent,
  "workspaceId" | "eventId" | "seq" | "receivedAt" | "keptUntil" | "content" | "life" | "plan"
>;

const WRITES_AT_ONCE = 8;

/** Returns a text that says when the event arrived, for people who are notified later: a push shows only its time of sending. */
const describeArrival = ({ receivedAt, plan }: DeliveredEvent): string =>
  plan?.after === undefined && plan?.flapping === undefined
    ? ""
    : `Since ${toIso(receivedAt).slice(0, 16).replace("T", " ")} UTC: `;

/** Returns the text of an event's pushes. `added`: why recipients were added to the event; if set, the text says so. */
export const buildNotificationText = (event: DeliveredEvent, added?: Added): PushText => {
  const { content } = event;
  const text = { title: content.title, body: describeArrival(event) + content.body };
  const shown = {
    ...(added === undefined ? text : formatTextForAddedPerson(added, text, toIso(added.until ?? event.receivedAt))),
    ...(content.url === undefined ? {} : { url: content.url }),
  };
  return addSiteName(shown, content.data);
};

export type Delivered = { pushes: PackMessage[]; rings: Marker[] };

/** Returns a marker for each time after `at` (milliseconds) at which own notification steps page a recipient of the pack. */
const listPageMarkers = (
  { workspaceId: ws, eventId }: DeliveredEvent,
  { packId }: PlannedPack,
  { recipients }: PackHead,
  at: number,
): Marker[] => {
  const times = recipients.flatMap(({ rings = [] }) => rings.map((page) => page.at));
  const later = [...new Set(times)].filter((due) => due > at);
  return later.map((due) => ({ ws, eventId, due, ring: { packId }, since: due, tries: 0 }));
};

/** Returns whether the pack notifies a recipient at or before `startedAt` (ms), and not only later. */
const hasImmediatePage = ({ recipients }: PackHead, startedAt: number): boolean =>
  recipients.some(({ rings }) => rings === undefined || rings.some((page) => page.at <= startedAt));

/**
 * Writes packs, and returns the messages to send now. Removes the marker when all packs are finished, or moves it to the end of a
 * pause that FCM asked for. Writes no pack for a shadow's event. Idempotent, because the plan determines the packs' ids.
 */
const deliverPacks = async (
  deps: TimedDeps,
  event: DeliveredEvent,
  packs: readonly PlannedPack[],
  packCounts: Pick<PackMessage, "sizes" | "first">,
  marker: Marker,
  people: People,
): Promise<Delivered> => {
  if (event.plan?.shadow !== undefined) {
    await removeMarker(deps, marker);
    return { pushes: [], rings: [] };
  }
  const text = buildNotificationText(event, packs[0]?.planned.added);
  const rings: Marker[] = [];
  const made = await mapLimit(packs, WRITES_AT_ONCE, async (planned) => {
    const head = toPackHead(event, planned, people);
    const at = parsePackId(planned.packId)?.at ?? 0;
    const later = listPageMarkers(event, planned, head, at);
    for (const each of later) await putMarker(deps, each);
    const result = await createPack(deps, event, planned.packId, head);
    if (result.kind === "created") {
      rings.push(...later);
      return hasImmediatePage(head, at) ? { planned, head, retryAt: 0 } : undefined;
    }
    return isPackFinished(result.pack) ? undefined : { planned, head: result.pack, retryAt: result.pack.retryAt ?? 0 };
  });
  const unfinished = made.filter((one) => one !== undefined);
  const ready = unfinished.filter(({ retryAt }) => retryAt <= deps.now());
  if (unfinished.length === 0) await removeMarker(deps, marker);
  else if (ready.length === 0)
    await moveMarker(deps, marker, { ...marker, due: Math.min(...unfinished.map(({ retryAt }) => retryAt)) });
  const { ws, eventId, due, part, step } = marker;
  const ref = { ws, eventId, due, ...(part === undefined ? {} : { part }), ...(step === undefined ? {} : { step }) };
  const pushes = ready.map(({ planned: { packId, recipients, planned }, head }) => ({
    marker: ref,
    packId,
    userIds: recipients.map(({ userId }) => userId),
    members: people.members.size,
    ...packCounts,
    ...(planned.priority === "URGENT" ? { urgent: true } : {}),
    ...(head.recipients.some((recipient) => recipient.rings !== undefined) ? { rings: true as const } : {}),
    text,
  }));
  return { pushes, rings };
};

/** Returns a marker for a step's due time and, if the policy checks earlier whether devices have confirmed, another marker. */
export const listStepMarkers = <Step extends Marker>(marker: Step, policy: FrozenPolicy): Step[] => {
  const early = computeConfirmationCheckTime(policy, marker.since, marker.due);
  return early === undefined ? [marker] : [marker, { ...marker, due: early }];
};

/** Starts the escalations of a part of the plan. Writes the marker of each first step before it stores the escalation. */
const startEscalations = async (
  deps: TableDeps,
  event: DeliveredEvent,
  { part, at }: { part: PlanPart; at: number },
): Promise<Marker[]> => {
  const { workspaceId: ws, eventId, seq, keptUntil } = event;
  if (event.plan?.shadow !== undefined) return [];
  const armed = await mapLimit(
    [...part.rules.entries()],
    WRITES_AT_ONCE,
    async ([index, { escalation, recipients }]) => {
      const begins = index > 0 || part.pack === 0;
      if (escalation === undefined || !begins || isAcknowledgedOrFinal(event.life)) return undefined;
      const first = findFirstDueStep(escalation, at, recipients.length > 0);
      if (first === undefined) return undefined;
      const rule = part.rule + index;
      const cursor = computeStepNumber(escalation, first.cursor);
      const due = first.dueAt;
      const markers = listStepMarkers({ ws, eventId, due, step: { rule, cursor }, since: at, tries: 0 }, escalation);
      for (const marker of markers) await putMarker(deps, marker);
      await startEscalation(deps, { ws, seq, rule, keptUntil }, { cursor, due });
      return markers;
    },
  );
  return armed.flatMap((markers) => markers ?? []);
};

/** Starts the escalations of a plan part and writes its packs. Returns the messages to send. */
export const deliverPart = async (
  deps: TimedDeps,
  event: DeliveredEvent,
  { part, at }: { part: PlanPart; at: number },
  marker: Marker,
  people: People,
): Promise<{ pushes: PackMessage[]; steps: Marker[] }> => {
  const steps = await startEscalations(deps, event, { part, at });
  const packCounts = {
    sizes: part.rules.map(({ recipients }, index): [number, number] => [part.rule + index, countPacks(recipients)]),
    ...(part.pack === 0 ? {} : { first: part.pack }),
  };
  const packs = listPacksOfPart(part, { at, seq: event.seq, spread: isSpread(event.eventId) });
  const { pushes, rings } = await deliverPacks(deps, event, packs, packCounts, marker, people);
  return { pushes, steps: [...steps, ...rings] };
};

/** Writes the packs of one step of a rule's escalation. `marker`: the step's marker. */
export const deliverStep = (
  deps: TimedDeps,
  event: DeliveredEvent,
  planned: PlannedRule,
  firing: { at: number; recipients: readonly Recipient[]; rule: number; cursor: number },
  marker: Marker,
  people: People,
): Promise<Delivered> => {
  const { at, recipients, rule, cursor } = firing;
  const packs = buildPacks(planned, recipients, {
    at,
    seq: event.seq,
    spread: isSpread(event.eventId),
    rule,
    cursor,
    pack: 0,
  });
  return deliverPacks(deps, event, packs, { sizes: [[rule, packs.length]] }, marker, people);
};
