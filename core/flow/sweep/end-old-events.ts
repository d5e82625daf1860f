import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { OPEN_DAYS, ORPHAN_MARKER_MS } from "../../domain/basics/limits.ts";
import type { Expiry } from "../../domain/event/lifecycle.ts";
import { createExpiredNotice } from "../../domain/event/notices.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { setExpired } from "../../store/events/progress.ts";
import { readEvent } from "../../store/events/events.ts";
import {
  unlistOpenEvent,
  indexOpenEvent,
  listOldestOpenEvents,
  setIndexProgress,
  readIndexProgress,
  removeOpenEvent,
  type OpenEvent,
} from "../../store/events/open-events.ts";
import { sendChangeToWebhooks, type FollowDeps } from "../respond/follow.ts";
import { endAllEscalations, readLifecycle } from "../respond/lifecycle.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { DAY_MS, HOUR_MS } from "../../domain/basics/units.ts";

type EndDeps = IngestDeps & FollowDeps & { queues: IngestDeps["queues"] & FollowDeps["queues"] };

const AT_ONCE = 10;
/** The number of indexed events after which the progress is stored. */
const INDEXED_AT_ONCE = 500;
const EXPIRED_AT_ONCE = 500;

/** Indexes open events that an earlier version stored; stops at `until` (ms). Starts an hour after the first call. */
const indexOldOpenEvents = async (deps: IngestDeps, ws: WorkspaceId, until: number): Promise<void> => {
  const index = await readIndexProgress(deps, ws);
  if (index === undefined) return setIndexProgress(deps, ws, { since: deps.now(), upTo: 0, done: false });
  if (index.done || deps.now() - index.since < HOUR_MS) return;
  let { upTo } = index;
  for (let done = false; !done && deps.now() < until;) {
    const rows = await listOldestOpenEvents(deps, ws, { from: upTo + 1, limit: INDEXED_AT_ONCE });
    await mapLimit(rows, AT_ONCE, (row) => indexOpenEvent(deps, ws, row));
    upTo = rows.at(-1)?.seq ?? upTo;
    done = rows.length < INDEXED_AT_ONCE;
    await setIndexProgress(deps, ws, { ...index, upTo, done });
  }
};

type ExpiredEvent = StoredEvent & { life: { expired: Expiry } };

/** Expires an open event. Undefined if the event has ended or has no plan. Unlists an ended event that a crash left listed. */
const expireEvent = async (
  deps: EndDeps,
  ws: WorkspaceId,
  row: OpenEvent,
  expiry: Expiry,
): Promise<ExpiredEvent | undefined> => {
  const before = await readEvent(deps, ws, row.eventId);
  // An event without a plan must be planned first; the sweeper finds the event's marker and queues it.
  if (before !== undefined && before.plan === undefined) return undefined;
  const state = before === undefined ? undefined : (await readLifecycle(deps, before)).state;
  if (state !== "open" && state !== "expired") {
    await unlistOpenEvent(deps, ws, row);
    return undefined;
  }
  const event = await setExpired(deps, ws, row.eventId, expiry);
  const expired = event?.life.expired;
  if (event === undefined || expired === undefined) return undefined;
  await endAllEscalations(deps, event);
  await sendChangeToWebhooks(deps, event);
  deps.log.info("event.expired", { workspaceId: ws, eventId: row.eventId });
  return { ...event, life: { ...event.life, expired } };
};

/** Notifies the owners of expired events, once for each id of a `round`; then removes the events from the open events. */
const notifyAndUnlist = async (deps: IngestDeps, ws: WorkspaceId, round: string, events: readonly ExpiredEvent[]) => {
  const made = await createOwnIngest(deps)({ workspaceId: ws, ...createExpiredNotice(round, events) });
  if (made === undefined) return;
  await mapLimit(events, AT_ONCE, ({ seq }) => removeOpenEvent(deps, ws, seq));
};

/** Expires old open events, but stops at `until` (ms). Returns whether some may be left. Throws failures only at the end. */
const expireOldEvents = async (deps: EndDeps, ws: WorkspaceId, until: number): Promise<boolean> => {
  const now = deps.now();
  const rows = await listOldestOpenEvents(deps, ws, { from: 0, limit: EXPIRED_AT_ONCE });
  const due = rows.filter(({ receivedAt }) => now - receivedAt >= OPEN_DAYS * DAY_MS);
  const round = deps.newId("req");
  const expired: ExpiredEvent[] = [];
  const failed: unknown[] = [];
  for (let index = 0; index < due.length && deps.now() < until; index += AT_ONCE) {
    const some = due.slice(index, index + AT_ONCE);
    const ended = await Promise.all(
      some.map((row) =>
        expireEvent(deps, ws, row, { at: now, round }).catch((error: unknown) => {
          failed.push(error);
        }),
      ),
    );
    expired.push(...ended.filter((event) => event !== undefined));
  }
  for (const [of, events] of Map.groupBy(expired, ({ life }) => life.expired.round)) {
    // Another sweep may have expired events and may still be notifying the owners of them.
    const isLeft = events.every(({ life }) => now - life.expired.at > ORPHAN_MARKER_MS);
    if (of === round || isLeft) await notifyAndUnlist(deps, ws, of, events);
  }
  if (failed.length > 0) throw new AggregateError(failed, failed.map(String).join("; "));
  return due.length === EXPIRED_AT_ONCE;
};

/** Adds missing index entries and expires old open events, but stops at `until` (ms). Returns whether more may be left. */
export const endOldEvents = async (deps: EndDeps, ws: WorkspaceId, until: number): Promise<boolean> => {
  await indexOldOpenEvents(deps, ws, until);
  return expireOldEvents(deps, ws, until);
};
