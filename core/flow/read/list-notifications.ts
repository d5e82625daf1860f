import type { TimedDeps } from "../../deps.ts";
import { isSpread, parseNotificationId, parsePackId, type PackId, type WorkspaceId } from "../../domain/basics/ids.ts";
import { EVENTS_SEARCHED_MAX, NOTIFICATIONS_SEARCHED_MAX } from "../../domain/basics/limits.ts";
import {
  findNotificationId,
  PACK_RECIPIENTS_MAX,
  countPacks,
  listPackIds,
} from "../../domain/delivery/delivery-plan.ts";
import { mayNotificationBePastRetention, computeNotificationRetentionEdge } from "../../domain/workspace/retention.ts";
import { toNotificationView, type NotificationView } from "../../domain/delivery/notification-view.ts";
import type { Pack } from "../../domain/delivery/pack.ts";
import { listFirings } from "../../store/events/escalations.ts";
import { readEvent } from "../../store/events/events.ts";
import { sortByUrgency, listOpenEvents, type OpenEvent } from "../../store/events/open-events.ts";
import { readControl } from "../../store/events/control.ts";
import { readEdge } from "../../store/events/sequence.ts";
import { walkNewestPacks, readPacks } from "../../store/delivery/packs.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { readPlannedPacks } from "./read-event.ts";

/** `after`: the previous page's end. `order`: by urgency only for open notifications; by default, the newest come first. */
export type PageRequest = {
  limit: number;
  user?: string | undefined;
  after?: string | undefined;
  order?: "urgency" | undefined;
};
/** `next`: the position of the next page, if there may be a next page. */
export type NotificationPage = { items: NotificationView[]; next: string | undefined };

type Position = { packId: string; position: number };

/** Returns the position that a notification's id contains; undefined without an id or for an invalid id. */
const parsePosition = (id: string | undefined): Position | undefined =>
  id === undefined ? undefined : parseNotificationId(id);

/** Lists a pack's notifications from last to first. If `after` is in this pack, lists only the notifications that follow it. */
const listViewsAfter = (pack: Pack, after: Position | undefined): NotificationView[] =>
  pack.recipients
    .filter((_, position) => after?.packId !== pack.packId || position < after.position)
    .toReversed()
    .map((recipient) => toNotificationView(pack, recipient));

/** Returns a function that says whether a pack is past retention ("hidden"), or whether all older packs are, too ("the end"). */
const createPackFilter = (deps: TimedDeps, ws: WorkspaceId) => {
  let edge: Promise<{ number: number; ends: number }> | undefined;
  return async ({ packId, createdAt }: Pack): Promise<"shown" | "hidden" | "the end"> => {
    if (!mayNotificationBePastRetention(createdAt, deps.now())) return "shown";
    edge ??= readRetentionEdgeAndEnd(deps, ws);
    const { number, ends } = await edge;
    if ((parsePackId(packId)?.seq ?? 0) > number) return "shown";
    return createdAt < ends ? "the end" : "hidden";
  };
};

/** Returns the last event past retention (`number`). Notifications from before the time `ends` (ms) are past retention. */
const readRetentionEdgeAndEnd = async (deps: TimedDeps, ws: WorkspaceId): Promise<{ number: number; ends: number }> => {
  const control = await readControl(deps, ws, { consistent: false });
  if (control === undefined) return { number: 0, ends: 0 };
  return {
    number: await readEdge(deps, ws, control),
    ends: computeNotificationRetentionEdge(control.retention, deps.now()),
  };
};

/** Lists notifications, the newest first. For a single person, searches a limited number of notifications. */
export const listNotifications = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  request: PageRequest,
): Promise<NotificationPage> => {
  const { limit, user } = request;
  const after = parsePosition(request.after);
  const from = after === undefined ? undefined : parsePackId(after.packId);
  const searched = user === undefined ? limit + 1 : NOTIFICATIONS_SEARCHED_MAX;
  const items: NotificationView[] = [];
  let last: string | undefined;
  let looked = 0;
  // The search reads one more pack, because the previous page may have shown most of the first pack.
  const atLeast = searched + (from === undefined ? 0 : PACK_RECIPIENTS_MAX);
  const look = createPackFilter(deps, ws);
  for await (const pack of walkNewestPacks(deps, ws, atLeast, from)) {
    const seen = await look(pack);
    if (seen === "the end") return { items, next: undefined };
    if (seen === "hidden") {
      looked += pack.recipients.length;
      last = pack.recipients[0]?.notificationId;
      continue;
    }
    for (const view of listViewsAfter(pack, after)) {
      if (items.length === limit) return { items, next: last };
      last = view.id;
      looked += 1;
      if (user === undefined || view.user.id === user) items.push(view);
    }
  }
  return { items, next: looked < searched ? undefined : last };
};

const LOOKED_AT_ONCE = 10;

/** Lists the ids of an open event's packs, written or not. With `user`, lists only the ids of this person's packs. */
export const listPackIdsOfOpenEvent = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { eventId, seq, told }: OpenEvent,
  user: string | undefined,
): Promise<string[]> => {
  const listPackIdsFor = (userIds: readonly string[], firstPack: PackId): string[] => {
    if (user === undefined) return listPackIds(firstPack, countPacks(userIds));
    const own = findNotificationId(
      userIds.map((userId) => ({ userId })),
      user,
      firstPack,
    );
    return own === undefined ? [] : [parsePosition(own)?.packId ?? ""];
  };
  if (told === undefined) {
    const event = await readEvent(deps, ws, eventId);
    const planned = event?.plan === undefined ? [] : await readPlannedPacks(deps, { ...event, plan: event.plan });
    return planned
      .filter(({ recipients }) => user === undefined || recipients.some(({ userId }) => userId === user))
      .map(({ packId }) => packId);
  }
  const { at, rules, escalates } = told;
  const spread = isSpread(eventId);
  const ids = rules.flatMap(([rule, userIds]) =>
    listPackIdsFor(userIds, { at, seq, spread, rule, cursor: 0, pack: 0 }),
  );
  const fired = escalates ? await listFirings(deps, { ws, seq }, { consistent: false }) : [];
  for (const { recipients, ...firing } of fired)
    ids.push(
      ...listPackIdsFor(
        recipients.map(({ userId }) => userId),
        { ...firing, seq, spread, pack: 0 },
      ),
    );
  return ids;
};

const ROWS_PER_READ = 50;

/** Returns a function that says whether an event may have notified the user, as far as the list of open events shows. */
export const mayHaveNotified =
  (user: string | undefined) =>
  ({ told }: OpenEvent): boolean =>
    user === undefined || told === undefined || told.escalates || told.rules.some(([, ids]) => ids.includes(user));

/**
 * Yields open events that may have notified the user, the newest first, a few at a time. Begins at event number `upTo`. `end`:
 * the last number that was read; undefined if no events follow.
 */
async function* walkOpenEvents(deps: TimedDeps, ws: WorkspaceId, user: string | undefined, upTo: number | undefined) {
  let to = upTo;
  for (let searched = 0; searched < EVENTS_SEARCHED_MAX; searched += ROWS_PER_READ) {
    const rows = await listOpenEvents(deps, ws, { to, limit: ROWS_PER_READ });
    const mine = rows.filter(mayHaveNotified(user));
    const end = rows.length < ROWS_PER_READ ? undefined : rows.at(-1)?.seq;
    for (let index = 0; index < mine.length; index += LOOKED_AT_ONCE)
      yield { some: mine.slice(index, index + LOOKED_AT_ONCE), end };
    if (mine.length === 0) yield { some: [], end };
    if (end === undefined) return;
    to = end - 1;
  }
}

/** Yields open events that may have notified the user, by urgency. First reads all open events, up to a limit. */
async function* walkOpenEventsByUrgency(deps: TimedDeps, ws: WorkspaceId, user: string | undefined) {
  const rows = await listOpenEvents(deps, ws, { limit: EVENTS_SEARCHED_MAX });
  const mine = sortByUrgency(rows.filter(mayHaveNotified(user)));
  for (let index = 0; index < mine.length; index += LOOKED_AT_ONCE)
    yield { some: mine.slice(index, index + LOOKED_AT_ONCE), end: undefined };
}

/** Lists notifications that wait for an acknowledgement; newest event first. An order by urgency has no next page. */
export const listOpenNotifications = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  request: PageRequest,
): Promise<NotificationPage> => {
  const { limit, user, order } = request;
  const after = parsePosition(request.after);
  const from = after === undefined ? undefined : parsePackId(after.packId)?.seq;
  const upTo = from ?? (request.after === undefined ? undefined : Number(request.after) - 1);
  const items: NotificationView[] = [];
  let looked: number | undefined;
  const events = order === undefined ? walkOpenEvents(deps, ws, user, upTo) : walkOpenEventsByUrgency(deps, ws, user);
  for await (const { some, end } of events) {
    looked = end;
    const ids = await mapLimit(some, LOOKED_AT_ONCE, (row) => listPackIdsOfOpenEvent(deps, ws, row, user));
    const packIds = ids.flatMap((own, index) =>
      own
        .toSorted()
        .toReversed()
        .filter((packId) => after === undefined || some[index]?.seq !== from || packId <= after.packId),
    );
    while (packIds.length > 0) {
      const packs = await readPacks(deps, ws, packIds.splice(0, limit + 1 - items.length), { consistent: false });
      for (const view of packs
        .filter(({ requiresAck }) => requiresAck)
        .flatMap((pack) => listViewsAfter(pack, after))) {
        if (view.status === "ACKNOWLEDGED" || (user !== undefined && view.user.id !== user)) continue;
        if (items.length === limit) return { items, next: order === undefined ? items.at(-1)?.id : undefined };
        items.push(view);
      }
    }
  }
  return { items, next: looked === undefined ? undefined : String(looked) };
};
