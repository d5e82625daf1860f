import type { Deps } from "../../deps.ts";
import { parseEventId } from "../../domain/basics/ids.ts";
import { invalid, notFound } from "../../domain/basics/refusal.ts";
import { toNotificationView } from "../../domain/delivery/notification-view.ts";
import { siteOf } from "../../domain/event/event.ts";
import { isOver, toLifeView, type Deed, type EventLife } from "../../domain/event/life.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import type { OverMessage } from "../../queue/messages.ts";
import { forbidEscalation } from "../../store/escalations.ts";
import { noteAcknowledged, noteResolved, readEvent, readEventsNumbered } from "../../store/events.ts";
import { listOpenEvents, removeOpenEvent } from "../../store/open-events.ts";
import { reportNotification } from "../../store/packs.ts";
import { readPlannedRules } from "../../store/plans.ts";
import { noteToCount } from "../../store/statistics.ts";
import { inTurns } from "../read/in-turns.ts";
import { readPacksOf, readPlannedPacks } from "../read/read-event.ts";
import { tellOver, type TellDeps } from "./tell-over.ts";

type LifeDeps = Pick<Deps, "table" | "now" | "log">;
type CloseDeps = Pick<Deps, "table" | "now">;
type Person = { id: string; name: string };

const lifeOf = async (deps: CloseDeps, event: StoredEvent): Promise<EventLife> => {
  const packs = await readPacksOf(deps, event);
  return {
    id: event.eventId,
    ...toLifeView(
      event.life,
      packs.flatMap((pack) => pack.recipients.map((recipient) => toNotificationView(pack, recipient))),
    ),
  };
};

/** Ends the escalations that an event's rules have armed or would still arm: no step fires after this. */
const forbidEscalations = async (deps: LifeDeps, event: StoredEvent): Promise<void> => {
  const { workspaceId: ws, seq, plan } = event;
  if (plan === undefined) return;
  const rules = await readPlannedRules(deps, { ...event, plan });
  for (const [rule, { escalation }] of rules.entries())
    if (escalation !== undefined) await forbidEscalation(deps, { ws, seq, rule });
};

/** Before its plan is frozen an event is listed in advance, so only a planned one can be over. */
const closePlanned = async (deps: CloseDeps, event: StoredEvent): Promise<void> => {
  if (event.plan === undefined) return;
  const { state } = await lifeOf(deps, event);
  if (state !== "open") await removeOpenEvent(deps, event.workspaceId, event.seq);
};

/**
 * Removes an event that has ended from the list of open events. Called by a matcher, which may repeat another one's
 * work and list the event again after its end.
 */
export const closeIfOver = async (deps: CloseDeps, ws: string, eventId: string): Promise<void> => {
  const event = await readEvent(deps, ws, eventId);
  if (event !== undefined) await closePlanned(deps, event);
};

/**
 * Removes those of some listed events that have ended. A request that died after it stored the end has left them on the
 * list, and nobody has repeated it.
 */
export const closeEnded = async (deps: CloseDeps, ws: string, seqs: readonly number[]): Promise<void> => {
  const events = seqs.length === 0 ? [] : await readEventsNumbered(deps, ws, seqs);
  await inTurns(events, CLOSED_AT_ONCE, (event) => closePlanned(deps, event));
};
const CLOSED_AT_ONCE = 10;

/** Resolves an event for good: notes it, ends its escalations, takes it off the open list. The first note holds. */
const resolve = async (
  deps: LifeDeps,
  ws: string,
  eventId: string,
  deed: Deed & { note?: string | undefined },
): Promise<StoredEvent | undefined> => {
  const event = await noteResolved(deps, ws, eventId, deed);
  if (event === undefined) return undefined;
  await forbidEscalations(deps, event);
  await removeOpenEvent(deps, ws, event.seq);
  deps.log.info("event.resolved", { workspaceId: ws, eventId });
  return event;
};

/** Throws Refusal `not_found`. Idempotent. Everyone who was told sees the end on their devices. */
export const resolveEvent = async (
  deps: LifeDeps & TellDeps,
  ws: string,
  eventId: string,
  by: Person,
  note: string | undefined,
): Promise<EventLife> => {
  const before = await readEvent(deps, ws, eventId);
  // Written before the event is resolved, and once, so that statistics that have counted the event learn of its end.
  if (before !== undefined && before.life.resolved === undefined) await noteToCount(deps, ws, before.seq);
  const event = await resolve(deps, ws, eventId, { at: deps.now(), ...by, ...(note === undefined ? {} : { note }) });
  if (event === undefined) throw notFound("event");
  await tellOver(deps, ws, eventId, { state: "resolved", by });
  return lifeOf(deps, event);
};

/** At most this many events of one key are resolved by one event. */
const RESOLVED_AT_ONCE_MAX = 100;

/** The messages that tell an event's recipients that another event has resolved it. */
const oversOf = async (deps: LifeDeps, event: StoredEvent, by: Pick<StoredEvent, "eventId" | "content">) => {
  const { workspaceId: ws, plan, content, life } = event;
  if (plan === undefined || life.resolved?.id !== by.eventId) return [];
  const site = siteOf(content.data);
  const text = {
    title: `Resolved: ${content.title}`,
    body: by.content.title,
    ...(site === undefined ? {} : { siteName: site.name }),
  };
  const planned = await readPlannedPacks(deps, { ...event, plan });
  return planned.map(({ packId }): OverMessage => ({
    kind: "over",
    ws,
    packId,
    by: by.eventId,
    state: "resolved",
    text,
  }));
};

/**
 * Resolves the earlier events that have the dedupeKey which this event names: the last holder of the key, and those
 * that are still open. Gives the messages that tell their recipients. Idempotent.
 */
export const resolveByKey = async (
  deps: LifeDeps,
  event: Pick<StoredEvent, "workspaceId" | "eventId" | "seq" | "content" | "ends">,
): Promise<OverMessage[]> => {
  const { workspaceId: ws, seq, content, ends } = event;
  const { resolves } = content;
  if (resolves === undefined) return [];
  const open = await listOpenEvents(deps, ws);
  const ids = new Set([
    ...(ends === undefined ? [] : [ends]),
    ...open.filter((one) => one.content.dedupeKey === resolves).map(({ eventId }) => eventId),
  ]);
  const earlier = [...ids].filter((id) => (parseEventId(id)?.seq ?? Infinity) < seq).slice(0, RESOLVED_AT_ONCE_MAX);
  const overs: OverMessage[] = [];
  for (const id of earlier) {
    const resolved = await resolve(deps, ws, id, { at: deps.now(), id: event.eventId, name: content.title });
    if (resolved !== undefined) overs.push(...(await oversOf(deps, resolved, event)));
  }
  return overs;
};

/** Acknowledges one event for a person: the person's own notifications, and the event itself whoever was told. */
const acknowledge = async (deps: LifeDeps & TellDeps, event: StoredEvent, by: Person): Promise<EventLife> => {
  const { workspaceId: ws, eventId, seq, life } = event;
  if (!life.needsAck || life.resolved !== undefined) return lifeOf(deps, event);
  const noted = (await noteAcknowledged(deps, ws, eventId, { at: deps.now(), ...by })) ?? event;
  for (const { requiresAck, recipients } of await readPacksOf(deps, noted))
    for (const { userId, notificationId } of recipients)
      if (requiresAck && userId === by.id) await reportNotification(deps, ws, notificationId, "ACKNOWLEDGED", by);
  await forbidEscalations(deps, noted);
  await removeOpenEvent(deps, ws, seq);
  if (!isOver(life)) await tellOver(deps, ws, eventId, { state: "acknowledged", by });
  deps.log.info("event.acknowledged", { workspaceId: ws, eventId });
  return lifeOf(deps, noted);
};

/** Acknowledges events for a person. Throws Refusal `invalid_input` for events that the workspace does not have. */
export const acknowledgeEvents = async (
  deps: LifeDeps & TellDeps,
  ws: string,
  eventIds: readonly string[],
  by: Person,
): Promise<EventLife[]> => {
  const events = await Promise.all(eventIds.map((id) => readEvent(deps, ws, id)));
  const faults = events.flatMap((event, index) => {
    const field = `eventIds[${index}]`;
    const message = `${field} must be the id of an event of this workspace.`;
    return event === undefined ? [{ field, code: "unknown_reference", message }] : [];
  });
  if (faults.length > 0) throw invalid(faults);
  const lives: EventLife[] = [];
  for (const event of events) if (event !== undefined) lives.push(await acknowledge(deps, event, by));
  return lives;
};
