import type { Deps } from "../deps.ts";
import { ORPHAN_MARKER_SECONDS } from "../domain/basics/limits.ts";
import { Refusal } from "../domain/basics/refusal.ts";
import {
  deadlineOf,
  isMissed,
  missedEvent,
  returnedEvent,
  type Heartbeat,
  type MissedHeartbeat,
} from "../domain/heartbeat/heartbeat.ts";
import type { EventContent } from "../domain/event/event.ts";
import {
  endChecks,
  listDueChecks,
  moveCheck,
  noteMissed,
  noteReturned,
  noteTold,
  readHeartbeat,
  removeCheck,
  type Check,
} from "../store/heartbeats.ts";
import { inTurns } from "./read/in-turns.ts";
import { createOwnIngest } from "./ingest-event.ts";

export type HeartbeatDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & { queues: Pick<Deps["queues"], "events"> };

/** Checks of one shard that are read together, and how many of them are made side by side. */
const CHUNK = 30;
const AT_ONCE = 10;

type Context = { deps: HeartbeatDeps; ingest: ReturnType<typeof createOwnIngest> };

/**
 * Makes an event once, however often it is asked for: the missed call and the kind of event name it. Undefined while
 * another round is making it; the rest is left to the next round.
 */
const makeEvent = async (
  { ingest }: Context,
  { workspaceId }: Heartbeat,
  once: string,
  content: EventContent,
): Promise<string | undefined> => {
  try {
    return (await ingest({ workspaceId, content, once })).eventId;
  } catch (error) {
    if (error instanceof Refusal && (error.kind === "request_in_progress" || error.kind === "busy")) return undefined;
    throw error;
  }
};

/** Reports a missed call and, once the call has come again, that as well. Each step is noted before the next one. */
const tell = async (context: Context, check: Check, heartbeat: MissedHeartbeat): Promise<void> => {
  const { deps } = context;
  const { at, eventId } = heartbeat.missed;
  if (eventId === undefined) {
    const made = await makeEvent(context, heartbeat, `heartbeat:${heartbeat.id}:${at}:missed`, missedEvent(heartbeat));
    if (made === undefined) return;
    const told = await noteTold(deps, check, at, made);
    deps.log.info("heartbeat.missed", { workspaceId: check.ws, heartbeatId: check.id, eventId: made });
    return isMissed(told) ? tell(context, check, told) : undefined;
  }
  const { calledAt } = heartbeat.missed;
  if (calledAt === undefined) return endChecks(deps, check, at);
  const returned = returnedEvent({ ...heartbeat, missed: { ...heartbeat.missed, calledAt } });
  const made = await makeEvent(context, heartbeat, `heartbeat:${heartbeat.id}:${at}:resolved`, returned);
  if (made === undefined) return;
  await noteReturned(deps, check, at, deadlineOf(heartbeat));
  deps.log.info("heartbeat.resolved", { workspaceId: check.ws, heartbeatId: check.id, eventId: made });
};

const lookAt = async (context: Context, check: Check): Promise<void> => {
  const { deps } = context;
  const now = deps.now();
  const heartbeat = await readHeartbeat(deps, check.ws, check.id);
  if (heartbeat?.checkAt !== check.due) {
    // The check's writer may be about to name it in the heartbeat. Long after its due time, the check is left over.
    if (now - check.due > ORPHAN_MARKER_SECONDS * 1000) await removeCheck(deps, check);
    return;
  }
  if (isMissed(heartbeat)) return tell(context, check, heartbeat);
  const deadline = deadlineOf(heartbeat);
  if (now < deadline) {
    await moveCheck(deps, check, deadline);
    return;
  }
  const noted = await noteMissed(deps, heartbeat, check, deadline);
  if (isMissed(noted)) await tell(context, check, noted);
};

/**
 * Checks the heartbeats of one shard that are due, and ends soon after `until` (milliseconds). One that fails does not
 * hold up the others; the failures are thrown at the end.
 */
export const checkHeartbeats = async (deps: HeartbeatDeps, shard: string, until: number): Promise<void> => {
  const context: Context = { deps, ingest: createOwnIngest(deps) };
  const upTo = deps.now();
  const failed: unknown[] = [];
  let after: Check | undefined;
  while (deps.now() < until) {
    const due = await listDueChecks(deps, shard, upTo, CHUNK, after);
    await inTurns(due, AT_ONCE, (check) => lookAt(context, check).catch((error: unknown) => failed.push(error)));
    if (due.length < CHUNK) break;
    after = due.at(-1);
  }
  if (failed.length > 0) throw new AggregateError(failed, "heartbeats could not be checked");
};
