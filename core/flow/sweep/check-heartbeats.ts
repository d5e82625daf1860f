import type { Deps } from "../../deps.ts";
import { ORPHAN_MARKER_MS } from "../../domain/basics/limits.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import {
  computeCallDeadline,
  isMissed,
  buildMissedHeartbeatEvent,
  buildReturnedHeartbeatEvent,
  hasReturned,
  isWaitingAgain,
  type Heartbeat,
  type MissedHeartbeat,
  type ReturnedHeartbeat,
} from "../../domain/heartbeat/heartbeat.ts";
import type { EventContent } from "../../domain/event/event.ts";
import {
  stopChecks,
  listDueChecks,
  rescheduleCheck,
  setMissed,
  endMiss,
  setMissNotified,
  readHeartbeat,
  removeHeartbeatCheck,
  restartWait,
  type CheckItem,
} from "../../store/rules/heartbeats.ts";
import type { Readable } from "../../store/due-lister.ts";
import { createOwnIngest } from "../ingest/ingest-event.ts";
import { processEachDueItem, type Sweep } from "./due-items.ts";

export type HeartbeatDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & { queues: Pick<Deps["queues"], "events"> };

const FAILED_PAUSE_MS = 30_000;

type Context = { deps: HeartbeatDeps; ingest: ReturnType<typeof createOwnIngest>; gapEnd: number | undefined };

/** Creates one event for each `once`, and returns the event's id. Returns undefined if another sweep is creating the event. */
const createHeartbeatEvent = async (
  { ingest }: Context,
  { workspaceId }: Heartbeat,
  once: string,
  content: EventContent,
): Promise<string | undefined> => (await ingest({ workspaceId, content, once }))?.eventId;

const createMissedEvent = (context: Context, heartbeat: MissedHeartbeat): Promise<string | undefined> =>
  createHeartbeatEvent(
    context,
    heartbeat,
    `heartbeat:${heartbeat.id}:${heartbeat.missed.at}:missed`,
    buildMissedHeartbeatEvent(heartbeat),
  );

/** Creates the event that resolves each missed call's event. Returns false if another sweep is creating one of these events. */
const createResolvingEvents = async (context: Context, heartbeat: ReturnedHeartbeat): Promise<boolean> => {
  const { id, workspaceId, missed } = heartbeat;
  for (const at of [...(missed.earlier ?? []), missed.at]) {
    const returned = buildReturnedHeartbeatEvent({ ...heartbeat, missed: { ...missed, at } });
    const made = await createHeartbeatEvent(context, heartbeat, `heartbeat:${id}:${at}:resolved`, returned);
    if (made === undefined) return false;
    context.deps.log.info("heartbeat.resolved", { workspaceId, heartbeatId: id, eventId: made });
  }
  return true;
};

/** Reports the return of a heartbeat that was deleted before a sweep had seen its call. */
const reportDeletedReturn = async (context: Context, check: CheckItem, heartbeat: ReturnedHeartbeat): Promise<void> => {
  try {
    const { eventId = await createMissedEvent(context, heartbeat) } = heartbeat.missed;
    if (eventId === undefined || !(await createResolvingEvents(context, heartbeat))) return;
  } catch (error) {
    // The refusal `unauthenticated` means that the whole workspace was deleted.
    if (!(error instanceof Refusal) || error.kind !== "unauthenticated") throw error;
  }
  await removeHeartbeatCheck(context.deps, check);
};

/** Creates the event for a missed call and, after a new call, the resolving event. Stores each result before the next step. */
const reportMissedCall = async (context: Context, check: CheckItem, heartbeat: MissedHeartbeat): Promise<void> => {
  const { deps } = context;
  const { at, eventId } = heartbeat.missed;
  if (eventId === undefined) {
    const made = await createMissedEvent(context, heartbeat);
    if (made === undefined) return;
    const noted = await setMissNotified(deps, check, at, made);
    deps.log.info("heartbeat.missed", { workspaceId: check.ws, heartbeatId: check.id, eventId: made });
    return isMissed(noted) ? reportMissedCall(context, check, noted) : undefined;
  }
  if (hasReturned(heartbeat)) {
    if (await createResolvingEvents(context, heartbeat)) await endMiss(deps, check, heartbeat);
    return;
  }
  if (!isWaitingAgain(heartbeat)) await stopChecks(deps, check, at);
};

/** After a gap in which the sweeper did not run, restarts the wait for a call, because calls in the gap may have been lost. */
const restartWaitAfterGap = (heartbeat: Heartbeat, gapEnd: number | undefined): Heartbeat => ({
  ...heartbeat,
  waitsFrom: Math.max(heartbeat.waitsFrom, gapEnd ?? 0),
});

/** Reports a missed call, or the first call after a missed call; if neither happened, schedules the next check. */
const checkHeartbeat = async (context: Context, check: CheckItem): Promise<void> => {
  const { deps, gapEnd } = context;
  const now = deps.now();
  const heartbeat = await readHeartbeat(deps, check.ws, check.id);
  if (heartbeat === undefined && hasReturned(check.returned))
    return reportDeletedReturn(context, check, check.returned);
  if (heartbeat?.checkAt !== check.due) {
    // A newer marker is kept, because its writer may not have stored the heartbeat yet.
    if (now - check.due > ORPHAN_MARKER_MS) await removeHeartbeatCheck(deps, check);
    return;
  }
  if (isMissed(heartbeat) && !isWaitingAgain(heartbeat)) return reportMissedCall(context, check, heartbeat);
  const { waitsFrom } = restartWaitAfterGap(heartbeat, gapEnd);
  const deadline = computeCallDeadline({ ...heartbeat, waitsFrom });
  if (now < deadline) {
    if (waitsFrom > heartbeat.waitsFrom) await restartWait(deps, heartbeat, check, { from: waitsFrom, due: deadline });
    else await rescheduleCheck(deps, check, deadline);
    return;
  }
  const noted = await setMissed(deps, heartbeat, check, deadline);
  if (isMissed(noted)) await reportMissedCall(context, check, noted);
};

/** Checks a shard's due heartbeats; the next sweep repeats a failed check. `gapEnd`: when the sweeper resumed after a gap. */
export const checkHeartbeats = async (
  deps: HeartbeatDeps,
  sweep: Sweep,
  shard: string,
  gapEnd: number | undefined,
): Promise<void> => {
  const context: Context = { deps, ingest: createOwnIngest(deps), gapEnd };
  const postpone = ({ item }: Readable<CheckItem>, at: number) => rescheduleCheck(deps, item, at);
  const ofShard = { list: listDueChecks, shard, pauseMs: FAILED_PAUSE_MS, postpone };
  await processEachDueItem(deps, sweep, ofShard, ({ item }) => checkHeartbeat(context, item));
};
