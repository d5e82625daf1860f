import type { Deps, TimedDeps } from "../../deps.ts";
import { isId, parseEventId, parseSeq, type WorkspaceId } from "../../domain/basics/ids.ts";
import { invalidInput, notFoundRefusal, Refusal } from "../../domain/basics/refusal.ts";
import { endsEvent } from "../../domain/event/alert.ts";
import { toClaimName, toResolvedTitle, identifySender, addSiteName } from "../../domain/event/event.ts";
import { isHeldByGroup } from "../../domain/delivery/delivery-plan.ts";
import {
  isEventOver,
  isAcknowledgedOrFinal,
  toLifecycleView,
  type EventAction,
  type EventLifecycle,
} from "../../domain/event/lifecycle.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import type { PlannedRule } from "../../domain/delivery/delivery-plan.ts";
import { findShortestAckMinutes } from "../../domain/escalation/temporary-ack.ts";
import type { EndMessage, WebhookMessage } from "../../queue/messages.ts";
import { listApiKeys } from "../../store/people/api-keys.ts";
import { readAlertEnd } from "../../store/events/alert-changes.ts";
import { removeHeldEvent } from "../../store/events/held-events.ts";
import { closeGroup } from "../../store/events/event-groups.ts";
import { preventEscalation } from "../../store/events/escalations.ts";
import { setAcknowledged, setResolved } from "../../store/events/progress.ts";
import { readEvent, readEventsNumbered } from "../../store/events/events.ts";
import { listOpenByKey, listOpenEvents, readIndexProgress, removeOpenEvent } from "../../store/events/open-events.ts";
import { reportNotification } from "../../store/delivery/packs.ts";
import { readPlannedRules } from "../../store/events/plans.ts";
import { putCountMark } from "../../store/events/statistics.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { readEventPacks, readPlannedPacks, readWrittenViews } from "../read/read-event.ts";
import { sendChangeToWebhooks, listChangeMessages, type FollowDeps } from "./follow.ts";
import { scheduleHandoff } from "./acknowledged.ts";
import { replacePushes, type NotifyDeps } from "./notify-end.ts";
import { acknowledgeForMinutes, acknowledgeUntil } from "./temporary-ack.ts";

type LifecycleDeps = Pick<Deps, "table" | "now" | "log">;
type Person = { id: string; name: string };

export const readLifecycle = async (deps: TimedDeps, event: StoredEvent): Promise<EventLifecycle> => ({
  id: event.eventId,
  ...toLifecycleView(event.life, await readWrittenViews(deps, event)),
});

/** Reads the rules in an event's plan; returns no rules if the event has no plan yet. */
const readRulesIfPlanned = (deps: TimedDeps, event: StoredEvent): Promise<PlannedRule[]> | PlannedRule[] =>
  event.plan === undefined ? [] : readPlannedRules(deps, { ...event, plan: event.plan });

/** Ends the rules' escalations, even if they have not started yet. `until`: the end of a temporary acknowledgement. */
const endEscalations = async (
  deps: TimedDeps,
  { workspaceId: ws, seq, keptUntil }: StoredEvent,
  rules: readonly PlannedRule[],
  until?: number,
): Promise<void> => {
  for (const [rule, { escalation }] of rules.entries())
    if (escalation !== undefined) await preventEscalation(deps, { ws, seq, rule, keptUntil }, until);
};

/** Ends all escalations of an event, even if they have not started yet. No step fires after this call. */
export const endAllEscalations = async (deps: TimedDeps, event: StoredEvent): Promise<void> =>
  endEscalations(deps, event, await readRulesIfPlanned(deps, event));

/** Removes an event that is over from the open events. Keeps an event without a plan: it is listed before it is planned. */
const unlistIfOver = async (deps: TimedDeps, event: StoredEvent): Promise<void> => {
  if (event.plan === undefined) return;
  const { state } = await readLifecycle(deps, event);
  // The sweeper removes an expired event later, after notifying the owners.
  if (state !== "open" && state !== "expired") await removeOpenEvent(deps, event.workspaceId, event.seq);
};

/** Removes an event from the open events if it is over. A repeated matcher run may have listed the event after its end. */
export const unlistEventIfOver = async (deps: TimedDeps, ws: WorkspaceId, eventId: string): Promise<void> => {
  const event = await readEvent(deps, ws, eventId);
  if (event !== undefined) await unlistIfOver(deps, event);
};

/** Unlists events that are over but still listed as open, because a request died after it had stored their end. */
export const unlistEnded = async (deps: TimedDeps, ws: WorkspaceId, seqs: readonly number[]): Promise<void> => {
  const events = seqs.length === 0 ? [] : await readEventsNumbered(deps, ws, seqs);
  await mapLimit(events, CLOSED_AT_ONCE, (event) => unlistIfOver(deps, event));
};
const CLOSED_AT_ONCE = 10;

/** Resolves an event, ends its escalations and unlists it. Keeps the first note of an event that is already resolved. */
const resolveAndClose = async (
  deps: LifecycleDeps,
  ws: WorkspaceId,
  eventId: string,
  action: EventAction & { note?: string | undefined },
): Promise<StoredEvent | undefined> => {
  const event = await setResolved(deps, ws, eventId, action);
  if (event === undefined || event.life.expired !== undefined) return event;
  await endAllEscalations(deps, event);
  await removeOpenEvent(deps, ws, event.seq);
  if (event.life.heldBy !== undefined) await removeHeldEvent(deps, event, event.life.heldBy);
  for (const group of event.plan?.groups ?? [])
    if (!isHeldByGroup(group)) await closeGroup(deps, ws, group.key, eventId);
  deps.log.info("event.resolved", { workspaceId: ws, eventId });
  return event;
};

/** Returns whether the machine's API key sent the event, or a person acknowledged it. Keys with equal names are one sender. */
const mayMachineResolve = async (deps: LifecycleDeps, event: StoredEvent, machine: string): Promise<boolean> => {
  const { acknowledgedBy, resolvedAt, expiredAt } = await readLifecycle(deps, event);
  if (acknowledgedBy !== null || resolvedAt !== null || expiredAt !== null) return true;
  const keys = await listApiKeys(deps, event.workspaceId);
  const sender = identifySender(event.content.sender);
  return keys.some(({ id, name, createdBy }) => createdBy?.id === machine && identifySender({ id, name }) === sender);
};

/** Resolves an event, and updates all recipients' devices. Throws `not_found`, `people_only` (for machines). Idempotent. */
export const resolveEvent = async (
  deps: LifecycleDeps & NotifyDeps,
  ws: WorkspaceId,
  eventId: string,
  actor: Person,
  note: string | undefined,
): Promise<EventLifecycle> => {
  const before = await readEvent(deps, ws, eventId);
  if (before !== undefined && isId("mch", actor.id) && !(await mayMachineResolve(deps, before, actor.id)))
    throw new Refusal(
      "people_only",
      "A machine can resolve only events that its own API key sent or that a person has acknowledged.",
    );
  // The resolution is marked for the statistics before it is stored, because the statistics may have counted the event already.
  if (before !== undefined && !isEventOver(before.life)) await putCountMark(deps, ws, before.seq);
  const event = await resolveAndClose(deps, ws, eventId, {
    at: deps.now(),
    ...actor,
    ...(note === undefined ? {} : { note }),
  });
  if (event === undefined) throw notFoundRefusal("event");
  await sendChangeToWebhooks(deps, event);
  if (event.life.expired === undefined) await replacePushes(deps, ws, eventId, { state: "resolved", by: actor });
  return readLifecycle(deps, event);
};

const LISTED_AT_ONCE = 100;

/** Returns the messages that replace an event's pushes if `ending` has resolved the event. */
const buildEndMessages = async (
  deps: LifecycleDeps,
  event: StoredEvent,
  ending: Pick<StoredEvent, "eventId" | "content">,
) => {
  const { workspaceId: ws, plan, content, life } = event;
  if (plan === undefined || life.resolved?.id !== ending.eventId) return [];
  const title = toResolvedTitle(content.title);
  // If the title of `ending`, the resolving event, only repeats the event's title, the body may still say something new.
  const saysMore = ending.content.title === title && ending.content.body !== content.body;
  const body = saysMore ? ending.content.body : ending.content.title;
  const text = addSiteName({ title, body }, content.data);
  const planned = await readPlannedPacks(deps, { ...event, plan });
  return planned.map(({ packId }): EndMessage => ({
    kind: "over",
    ws,
    packId,
    by: ending.eventId,
    state: "resolved",
    text,
  }));
};

/** Lists open and held events with the dedupeKey and numbers under `below`. Searches all open events until all are indexed. */
const listOpenWithKey = async (deps: LifecycleDeps, ws: WorkspaceId, key: string, below: number): Promise<string[]> => {
  const known: string[] = [];
  for (let isMore = true, to = below; isMore;) {
    const some = await listOpenByKey(deps, ws, key, { below: to, limit: LISTED_AT_ONCE });
    known.push(...some);
    isMore = some.length === LISTED_AT_ONCE;
    to = parseSeq(some.at(-1) ?? "");
  }
  if ((await readIndexProgress(deps, ws))?.done === true) return known;
  const open = await listOpenEvents(deps, ws, { to: below - 1, limit: "all" });
  return [...open.filter(({ content }) => content.dedupeKey === key).map(({ eventId }) => eventId), ...known];
};

/** Resolves an event whose alert has already ended. Called before the event is planned, so that the event notifies nobody. */
export const resolveIfAlertEnded = async (
  deps: LifecycleDeps,
  { workspaceId: ws, eventId, content }: Pick<StoredEvent, "workspaceId" | "eventId" | "content">,
): Promise<void> => {
  const { dedupeKey, changedAt, title, alert } = content;
  if (dedupeKey === undefined || (changedAt === undefined && alert !== true)) return;
  const own = toClaimName(content, dedupeKey);
  // The end of an alert is stored without a sender if the sender's API key may resolve any alert.
  for (const name of new Set([...(changedAt === undefined ? [] : [own]), dedupeKey])) {
    const ended = await readAlertEnd(deps, ws, name);
    if (ended === undefined || !endsEvent(ended, { eventId, content }, name === own)) continue;
    // The event that ends the alert may have claimed the key, but not be stored yet.
    const end = await readEvent(deps, ws, ended.id);
    await resolveAndClose(deps, ws, eventId, { at: deps.now(), id: ended.id, name: end?.content.title ?? title });
    return;
  }
};

/**
 * Resolves the event that last held the dedupeKey, and earlier open events with the dedupeKey. Leaves alerts that are newer by
 * their sender's time and, unless `resolvesAny`, events of other senders. Returns messages about the events' end. Idempotent.
 */
export const resolveByKey = async (
  deps: LifecycleDeps,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "seq" | "content" | "ends" | "late">,
): Promise<{ overs: EndMessage[]; follows: WebhookMessage[] }> => {
  const { workspaceId: ws, seq, content, ends, late } = event;
  const { resolves, resolvesAny, resolvesFormer, changedAt, sender } = content;
  if (resolves === undefined || late === true) return { overs: [], follows: [] };
  const ids = new Set(ends === undefined ? [] : [ends]);
  for (const key of new Set([resolves, resolvesFormer ?? resolves]))
    for (const id of await listOpenWithKey(deps, ws, key, seq)) ids.add(id);
  const isEndedByThisEvent = async (id: string): Promise<boolean> => {
    if (changedAt === undefined && (parseEventId(id)?.seq ?? Infinity) >= seq) return false;
    if (id === ends || (changedAt === undefined && resolvesAny === true)) return true;
    const other = (await readEvent(deps, ws, id))?.content;
    const isNewer = changedAt !== undefined && (other?.changedAt ?? 0) > changedAt;
    return !isNewer && (resolvesAny === true || identifySender(other?.sender) === identifySender(sender));
  };
  const overs: EndMessage[] = [];
  const follows: WebhookMessage[] = [];
  for (const id of ids) {
    if (!(await isEndedByThisEvent(id))) continue;
    const resolved = await resolveAndClose(deps, ws, id, { at: deps.now(), id: event.eventId, name: content.title });
    if (resolved === undefined) continue;
    overs.push(...(await buildEndMessages(deps, resolved, event)));
    follows.push(...listChangeMessages(resolved));
  }
  return { overs, follows };
};

/** Acknowledges an event until `until`, or for the shortest time that a policy sets, or else permanently. */
const setAcknowledgement = (
  deps: LifecycleDeps,
  { workspaceId: ws, eventId }: StoredEvent,
  rules: readonly PlannedRule[],
  actor: Person,
  until: number | undefined,
): Promise<StoredEvent | undefined> => {
  if (until !== undefined) return acknowledgeUntil(deps, ws, eventId, actor, until);
  const minutes = findShortestAckMinutes(rules.map(({ escalation }) => escalation));
  return minutes === undefined
    ? setAcknowledged(deps, ws, eventId, { at: deps.now(), ...actor })
    : acknowledgeForMinutes(deps, ws, eventId, actor, minutes);
};

/** Acknowledges an event, temporarily with `until` (ms), and the person's own notifications. Ends the escalations. */
export const acknowledgeAndEndEscalations = async (
  deps: LifecycleDeps & FollowDeps,
  event: StoredEvent,
  actor: Person,
  until?: number,
): Promise<StoredEvent> => {
  const { workspaceId: ws, eventId, seq } = event;
  const rules = await readRulesIfPlanned(deps, event);
  const noted = (await setAcknowledgement(deps, event, rules, actor, until)) ?? event;
  // The notifications get the time of a temporary acknowledgement: a later time would mean a permanent acknowledgement.
  const asOf = { ...deps, now: () => Math.min(deps.now(), noted.life.term?.at ?? Infinity) };
  const notified = (await readEventPacks(deps, noted)).flatMap(({ requiresAck, recipients }) =>
    recipients.filter(({ userId }) => requiresAck && userId === actor.id),
  );
  for (const { notificationId } of notified) await reportNotification(asOf, ws, notificationId, "ACKNOWLEDGED", actor);
  const pagingGroups = (noted.plan?.groups ?? []).filter((group) => !isHeldByGroup(group));
  await scheduleHandoff(deps, ws, eventId, actor, {
    told: notified.map(({ reason }) => reason.groupId),
    rang: pagingGroups.map(({ key, rule }) => ({ key, priority: rules[rule]?.priority ?? "LOW" })),
    ends: noted.life.term?.until,
  });
  await endEscalations(deps, noted, rules, noted.life.term?.until);
  await sendChangeToWebhooks(deps, noted);
  await removeOpenEvent(deps, ws, seq);
  if (noted.life.heldBy !== undefined) await removeHeldEvent(deps, noted, noted.life.heldBy);
  deps.log.info("event.acknowledged", { workspaceId: ws, eventId });
  return noted;
};

/** Acknowledges an event that is open or held. If it is the first acknowledgement, also replaces the event's pushes. */
const acknowledgeEvent = async (
  deps: LifecycleDeps & NotifyDeps,
  event: StoredEvent,
  actor: Person,
): Promise<EventLifecycle> => {
  const { workspaceId: ws, eventId, life } = event;
  // Held events can be acknowledged, too: an acknowledged event notifies nobody when its silence or flapping ends.
  if ((!life.needsAck && life.heldBy === undefined) || isEventOver(life)) return readLifecycle(deps, event);
  const noted = await acknowledgeAndEndEscalations(deps, event, actor);
  if (!isAcknowledgedOrFinal(life)) await replacePushes(deps, ws, eventId, { state: "acknowledged", by: actor });
  return readLifecycle(deps, noted);
};

/** Acknowledges several events. Throws Refusal `invalid_input` if an event does not exist. */
export const acknowledgeEvents = async (
  deps: LifecycleDeps & NotifyDeps,
  ws: WorkspaceId,
  eventIds: readonly string[],
  actor: Person,
): Promise<EventLifecycle[]> => {
  const events = await Promise.all(eventIds.map((id) => readEvent(deps, ws, id)));
  const faults = events.flatMap((event, index) => {
    const field = `eventIds[${index}]`;
    const message = `${field} must be the id of an event of this workspace.`;
    return event === undefined ? [{ field, code: "unknown_reference" as const, message }] : [];
  });
  if (faults.length > 0) throw invalidInput(faults);
  const lives: EventLifecycle[] = [];
  for (const event of events) if (event !== undefined) lives.push(await acknowledgeEvent(deps, event, actor));
  return lives;
};
