import type { Deps } from "../deps.ts";
import { packsOf, packsOfPlan, type PlannedPack } from "../domain/delivery-plan.ts";
import { outcomeOf, toEventListItem, type EventView } from "../domain/event-view.ts";
import { toNotificationView } from "../domain/notification-view.ts";
import { readEscalation } from "../store/escalations.ts";
import { readEvent, type StoredEvent } from "../store/events.ts";
import { readPacks, type Pack } from "../store/packs.ts";

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

/** All packs of an event, in the order of its rules, those of escalation steps after them. */
export const readPacksOf = async (deps: Pick<Deps, "table">, ws: string, event: StoredEvent): Promise<Pack[]> => {
  if (event.plan === undefined) return [];
  const planned = [...packsOfPlan(event.plan, event.seq), ...(await firedPacks(deps, ws, event))];
  return readPacks(
    deps,
    ws,
    planned.map(({ packId }) => packId),
  );
};

/** An event with all that came of it; undefined where the workspace has no such event. */
export const readEventView = async (
  deps: Pick<Deps, "table">,
  ws: string,
  eventId: string,
): Promise<EventView | undefined> => {
  const event = await readEvent(deps, ws, eventId);
  if (event === undefined) return undefined;
  const packs = await readPacksOf(deps, ws, event);
  const notifications = packs.flatMap((pack) =>
    pack.recipients.map((recipient) => toNotificationView(pack, recipient)),
  );
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
