import type { Deps } from "../deps.ts";
import { packsOf, packsOfPlan, type PlannedPack } from "../domain/delivery/delivery-plan.ts";
import { outcomeOf, toEventListItem, type EventView } from "../domain/event/event-view.ts";
import { parsePackId } from "../domain/basics/ids.ts";
import { toNotificationView, type NotificationView } from "../domain/delivery/notification-view.ts";
import type { People } from "../domain/people/people.ts";
import { loadPeople } from "../store/config.ts";
import { readEscalation } from "../store/escalations.ts";
import { readEvent } from "../store/events.ts";
import type { StoredEvent } from "../domain/event/stored-event.ts";
import { readPacks } from "../store/packs.ts";
import { toQueuedPack, type Pack } from "../domain/delivery/pack.ts";

/** The packs of the escalation steps that have fired, rule by rule. */
const firedPacks = async (deps: Pick<Deps, "table">, ws: string, event: StoredEvent): Promise<PlannedPack[]> => {
  const packs: PlannedPack[] = [];
  for (const [rule, planned] of event.plan?.rules.entries() ?? []) {
    if (planned.escalation === undefined) continue;
    const escalation = await readEscalation(deps, { ws, seq: event.seq, rule });
    for (const [cursor, { at, recipients }] of Object.entries(escalation?.fired ?? {}))
      packs.push(...packsOf(planned, recipients, { at, seq: event.seq, rule, cursor: Number(cursor) }));
  }
  return packs;
};

/** What an event leads to, in the order of its rules, escalation steps after them. */
const plannedPacksOf = async (deps: Pick<Deps, "table">, ws: string, event: StoredEvent): Promise<PlannedPack[]> =>
  event.plan === undefined ? [] : [...packsOfPlan(event.plan, event.seq), ...(await firedPacks(deps, ws, event))];

const readPlanned = (deps: Pick<Deps, "table">, ws: string, planned: readonly PlannedPack[]): Promise<Pack[]> =>
  readPacks(
    deps,
    ws,
    planned.map(({ packId }) => packId),
  );

/** All packs of an event that are written, in the order of its rules, those of escalation steps after them. */
export const readPacksOf = async (deps: Pick<Deps, "table">, ws: string, event: StoredEvent): Promise<Pack[]> =>
  readPlanned(deps, ws, await plannedPacksOf(deps, ws, event));

/** A pack as it will be: its event is matched, and the pack is about to be written. */
const comingViews = (event: StoredEvent, planned: PlannedPack, people: People) => {
  const pack = toQueuedPack(event, planned, people, parsePackId(planned.packId)?.at ?? event.receivedAt);
  return pack.recipients.map((recipient) => toNotificationView(pack, recipient));
};

/** What is decided and not written yet is queued: an event that is matched is never shown without its notifications. */
const readNotificationsOf = async (
  deps: Pick<Deps, "table">,
  ws: string,
  event: StoredEvent,
): Promise<NotificationView[]> => {
  const planned = await plannedPacksOf(deps, ws, event);
  const packs = new Map((await readPlanned(deps, ws, planned)).map((pack) => [pack.packId, pack]));
  const people = packs.size < planned.length ? await loadPeople(deps, ws) : undefined;
  return planned.flatMap((coming) => {
    const pack = packs.get(coming.packId);
    if (pack !== undefined) return pack.recipients.map((recipient) => toNotificationView(pack, recipient));
    return people === undefined ? [] : comingViews(event, coming, people);
  });
};

/** An event with all that came of it; undefined where the workspace has no such event. */
export const readEventView = async (
  deps: Pick<Deps, "table">,
  ws: string,
  eventId: string,
): Promise<EventView | undefined> => {
  const event = await readEvent(deps, ws, eventId);
  if (event === undefined) return undefined;
  const notifications = await readNotificationsOf(deps, ws, event);
  const { body, detail, data, url, dedupeKey, requiresAck } = event.content;
  return {
    ...toEventListItem(event),
    workspaceId: ws,
    body,
    detail: detail ?? null,
    data: data ?? null,
    url: url ?? null,
    dedupeKey: dedupeKey ?? null,
    requiresAck: requiresAck ?? null,
    matched: event.plan !== undefined,
    matchedRules: event.plan?.rules.map(({ rule, unreached = [] }) => ({ ...rule, unreached })) ?? [],
    outcome: outcomeOf(event.plan?.rules.length, notifications),
    notifications,
  };
};
