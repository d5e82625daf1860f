import type { Deps } from "../../deps.ts";
import { ORPHAN_MARKER_MS } from "../../domain/basics/limits.ts";
import {
  computeCallDeadline,
  isMissed,
  buildMissedHeartbeatEvent,
  buildReturnedHeartbeatEvent,
  type Heartbeat,
  type MissedHeartbeat,
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
  type Check,
} from "../../store/rules/heartbeats.ts";
import { postponeItem } from "../../store/due-lister.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { createOwnIngest } from "../ingest/ingest-event.ts";
import { processDueItems, postponeFailed, type Sweep } from "./due-items.ts";

export type HeartbeatDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & { queues: Pick<Deps["queues"], "events"> };

const AT_ONCE = 10;
const FAILED_PAUSE_MS = 30_000;

type Context = { deps: HeartbeatDeps; ingest: ReturnType<typeof createOwnIngest>; gapEnd: number | undefined };

/** Creates an event, and returns its id. Returns undefined if another sweep is creating the event. */
const createHeartbeatEvent = async (
  { ingest }: Context,
  { workspaceId }: Heartbeat,
  once: string,
  content: EventContent,
): Promise<string | undefined> => (await ingest({ workspaceId, content, once }))?.eventId;

/** Creates the event for a missed call and, after a new call, the resolving event. Stores each step before the next step. */
const reportMissedCall = async (context: Context, check: Check, heartbeat: MissedHeartbeat): Promise<void> => {
  const { deps } = context;
  const { at, eventId } = heartbeat.missed;
  if (eventId === undefined) {
    const made = await createHeartbeatEvent(
      context,
      heartbeat,
      `heartbeat:${heartbeat.id}:${at}:missed`,
      buildMissedHeartbeatEvent(heartbeat),
    );
    if (made === undefined) return;
    const noted = await setMissNotified(deps, check, at, made);
    deps.log.info("heartbeat.missed", { workspaceId: check.ws, heartbeatId: check.id, eventId: made });
    return isMissed(noted) ? reportMissedCall(context, check, noted) : undefined;
  }
  const { calledAt } = heartbeat.missed;
  if (calledAt === undefined) return stopChecks(deps, check, at);
  const returned = buildReturnedHeartbeatEvent({ ...heartbeat, missed: { ...heartbeat.missed, calledAt } });
  const made = await createHeartbeatEvent(context, heartbeat, `heartbeat:${heartbeat.id}:${at}:resolved`, returned);
  if (made === undefined) return;
  await endMiss(deps, check, at, computeCallDeadline(heartbeat));
  deps.log.info("heartbeat.resolved", { workspaceId: check.ws, heartbeatId: check.id, eventId: made });
};

/** Restarts the wait at the end of a gap in which the sweeper did not run, because calls may have been lost in the gap. */
const restartWaitAfterGap = (heartbeat: Heartbeat, gapEnd: number | undefined): Heartbeat => ({
  ...heartbeat,
  waitsFrom: Math.max(heartbeat.waitsFrom, gapEnd ?? 0),
});

const checkHeartbeat = async (context: Context, check: Check): Promise<void> => {
  const { deps, gapEnd } = context;
  const now = deps.now();
  const heartbeat = await readHeartbeat(deps, check.ws, check.id);
  if (heartbeat?.checkAt !== check.due) {
    // A newer marker stays, because its writer may not have stored the heartbeat yet.
    if (now - check.due > ORPHAN_MARKER_MS) await removeHeartbeatCheck(deps, check);
    return;
  }
  if (isMissed(heartbeat)) return reportMissedCall(context, check, heartbeat);
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

/**
 * Checks a shard's due heartbeats. The next sweep repeats a failed check. `gapEnd`: when the sweeper last resumed after a gap.
 */
export const checkHeartbeats = async (
  deps: HeartbeatDeps,
  sweep: Sweep,
  shard: string,
  gapEnd: number | undefined,
): Promise<void> => {
  const context: Context = { deps, ingest: createOwnIngest(deps), gapEnd };
  const computeRetryTime = () => deps.now() + FAILED_PAUSE_MS;
  await processDueItems(
    deps,
    sweep,
    { list: listDueChecks, shard, upTo: deps.now(), postpone: (due) => postponeItem(deps, due, computeRetryTime()) },
    async (checks) => {
      await mapLimit(checks, AT_ONCE, ({ key, item: check }) =>
        checkHeartbeat(context, check).catch((error: unknown) =>
          postponeFailed(sweep, key, error, () => rescheduleCheck(deps, check, computeRetryTime())),
        ),
      );
    },
  );
};
