import type { Deps } from "../deps.ts";
import { packsOf, type PlannedPack, type PlannedRule } from "../domain/delivery/delivery-plan.ts";
import { outcomeOf, toEventListItem, type EventView } from "../domain/event/event-view.ts";
import { parsePackId } from "../domain/basics/ids.ts";
import { toNotificationView, type NotificationView } from "../domain/delivery/notification-view.ts";
import { loadPeople } from "../store/config.ts";
import { listEscalations, listFirings } from "../store/escalations.ts";
import { readEvent } from "../store/events.ts";
import type { PlannedEvent, StoredEvent } from "../domain/event/stored-event.ts";
import { readPacks } from "../store/packs.ts";
import { readPlannedRules } from "../store/plans.ts";
import { toQueuedPack, type Pack } from "../domain/delivery/pack.ts";

type ReadDeps = Pick<Deps, "table">;

/** A firing that happened, of one rule of an event. */
type Fired = Awaited<ReturnType<typeof listFirings>>[number];

/** The firings of an event's escalations that happened, in the order of its rules. */
export const readFired = async (deps: ReadDeps, { workspaceId: ws, seq, plan }: PlannedEvent): Promise<Fired[]> => {
  const firings = await listFirings(deps, { ws, seq });
  if (firings.length === 0) return [];
  const escalations = await listEscalations(deps, { ws, seq }, { from: 0, to: plan.matched });
  return firings.filter(({ rule, cursor }) => cursor <= (escalations.get(rule)?.fired ?? 0));
};

/** What an event leads to, in the order of its rules, escalation steps after them; and its rules. */
const readPlanned = async (
  deps: ReadDeps,
  event: PlannedEvent,
): Promise<{ rules: PlannedRule[]; packs: PlannedPack[] }> => {
  const { seq, plan } = event;
  const rules = await readPlannedRules(deps, event);
  const packs = rules.flatMap((planned, rule) =>
    packsOf(planned, planned.recipients, { at: plan.at, seq, rule, cursor: 0, pack: 0 }),
  );
  for (const { rule, cursor, at: firedAt, recipients } of await readFired(deps, event)) {
    const planned = rules[rule];
    if (planned !== undefined) packs.push(...packsOf(planned, recipients, { at: firedAt, seq, rule, cursor, pack: 0 }));
  }
  return { rules, packs };
};

const packIdsOf = (planned: readonly PlannedPack[]): string[] => planned.map(({ packId }) => packId);

/** Every pack that an event calls for so far, whether it is written or not. */
export const readPlannedPacks = async (deps: ReadDeps, event: PlannedEvent): Promise<PlannedPack[]> =>
  (await readPlanned(deps, event)).packs;

/** All packs of an event that are written, in the order of its rules, those of escalation steps after them. */
export const readPacksOf = async (deps: ReadDeps, event: StoredEvent): Promise<Pack[]> => {
  if (event.plan === undefined) return [];
  return readPacks(deps, event.workspaceId, packIdsOf(await readPlannedPacks(deps, { ...event, plan: event.plan })));
};

/** What is decided and not written yet is queued: an event that is matched is never shown without its notifications. */
const readViews = async (
  deps: ReadDeps,
  event: PlannedEvent,
  planned: readonly PlannedPack[],
): Promise<NotificationView[]> => {
  const { workspaceId: ws } = event;
  const packs = new Map((await readPacks(deps, ws, packIdsOf(planned))).map((pack) => [pack.packId, pack]));
  const people = packs.size < planned.length ? await loadPeople(deps, ws) : undefined;
  return planned.flatMap((coming) => {
    const written = packs.get(coming.packId);
    if (written !== undefined) return written.recipients.map((recipient) => toNotificationView(written, recipient));
    if (people === undefined) return [];
    const pack = toQueuedPack(event, coming, people, parsePackId(coming.packId)?.at ?? event.receivedAt);
    return pack.recipients.map((recipient) => toNotificationView(pack, recipient));
  });
};

/** An event with all that came of it; undefined where the workspace has no such event. */
export const readEventView = async (deps: ReadDeps, ws: string, eventId: string): Promise<EventView | undefined> => {
  const event = await readEvent(deps, ws, eventId);
  if (event === undefined) return undefined;
  const { plan } = event;
  const planned = plan === undefined ? undefined : await readPlanned(deps, { ...event, plan });
  const notifications =
    plan === undefined || planned === undefined ? [] : await readViews(deps, { ...event, plan }, planned.packs);
  const { body, detail, data, url, dedupeKey, requiresAck, resolves } = event.content;
  return {
    ...toEventListItem(event),
    workspaceId: ws,
    body,
    detail: detail ?? null,
    data: data ?? null,
    url: url ?? null,
    dedupeKey: dedupeKey ?? null,
    resolves: resolves ?? null,
    requiresAck: requiresAck ?? null,
    matched: plan !== undefined,
    matchedRules: planned?.rules.map(({ rule, unreached = [] }) => ({ ...rule, unreached })) ?? [],
    outcome: outcomeOf(planned?.rules.length, plan?.silence !== undefined, notifications),
    silence: plan?.silence ?? null,
    notifications,
  };
};
