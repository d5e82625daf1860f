import type { Deps } from "../deps.ts";
import {
  AUDIT_IDLE_INTERVAL_SECONDS,
  AUDIT_INTERVAL_SECONDS,
  MARKER_BACKOFF_MAX_SECONDS,
  MARKER_STUCK_TRIES,
  STEP_LOOKAHEAD_SECONDS,
  SWEEP_BATCH,
} from "../domain/basics/limits.ts";
import type { Marker } from "../domain/event/marker.ts";
import type { EscalationMessage, EventMessage } from "../queue/messages.ts";
import { sendMessages } from "../queue/send.ts";
import { readControl } from "../store/control.ts";
import { shards } from "../store/keys.ts";
import { listDueEvents, listDueSteps, moveMarker } from "../store/markers.ts";
import {
  listDueAudits,
  markLost,
  noteAudited,
  readLostNumbers,
  removeAudit,
  scheduleAudit,
  storedNumbers,
  type Audit,
} from "../store/sequence.ts";
import { metrics } from "../wiring.ts";
import { inTurns } from "./in-turns.ts";
import { delaySeconds } from "./work.ts";

export type SweepDeps = Pick<Deps, "table" | "now" | "log"> & {
  queues: Pick<Deps["queues"], "events" | "escalations">;
};

const SECOND_MS = 1000;
const FIRST_PAUSE_SECONDS = 30;
/** Markers of one shard that are moved side by side. */
const MOVES_AT_ONCE = 10;

/** The pause before the next look: 30, 60, 90 seconds and so on, up to a bound that keeps recovery quick. */
const pauseMs = (tries: number): number =>
  Math.min(MARKER_BACKOFF_MAX_SECONDS, FIRST_PAUSE_SECONDS * (tries + 1)) * SECOND_MS;

type Found = { swept: number; stuck: number; oldestSince: number };

/** Sends what is due in one shard to the matcher again, each marker moved before its message goes out. */
const sweepEvents = async (deps: SweepDeps, shard: string): Promise<Found> => {
  const now = deps.now();
  const markers = await listDueEvents(deps, shard, now, SWEEP_BATCH);
  const again = await inTurns(markers, MOVES_AT_ONCE, async (marker): Promise<Marker> => {
    const next = { ...marker, tries: marker.tries + 1, due: now + pauseMs(marker.tries) };
    await moveMarker(deps, marker, next);
    if (next.tries === MARKER_STUCK_TRIES)
      deps.log.warn("marker.stuck", { workspaceId: marker.ws, eventId: marker.eventId, tries: next.tries });
    return next;
  });
  const messages = again.map((marker) => ({ message: { kind: "unfinished", marker } satisfies EventMessage }));
  await sendMessages(deps.queues.events, messages);
  return {
    swept: again.length,
    stuck: again.filter(({ tries }) => tries >= MARKER_STUCK_TRIES).length,
    oldestSince: Math.min(now, ...again.map(({ since }) => since)),
  };
};

/** Wakes the steps that are due, or will be before the next sweep has done its work: SQS holds those until then. */
const sweepSteps = async (deps: SweepDeps, shard: string): Promise<Found> => {
  const now = deps.now();
  const markers = await listDueSteps(deps, shard, now + STEP_LOOKAHEAD_SECONDS * SECOND_MS, SWEEP_BATCH);
  const messages = markers.map((marker) => ({
    message: { marker } satisfies EscalationMessage,
    delaySeconds: delaySeconds(marker.due, now) ?? 0,
  }));
  await sendMessages(deps.queues.escalations, messages);
  const overdue = markers.filter(({ due }) => due <= now);
  const stuckAfterMs = MARKER_STUCK_TRIES * MARKER_BACKOFF_MAX_SECONDS * SECOND_MS;
  return {
    swept: markers.length,
    stuck: overdue.filter(({ due }) => now - due > stuckAfterMs).length,
    oldestSince: Math.min(now, ...overdue.map(({ due }) => due)),
  };
};

/**
 * Looks for numbers of a workspace's sequence whose event never came. Only numbers that were handed out before the
 * last audit are judged: their requests are over.
 */
const auditSequence = async (deps: SweepDeps, audit: Audit): Promise<void> => {
  const control = await readControl(deps, audit.ws);
  if (control === undefined) return removeAudit(deps, audit);
  const { checked, pending } = await readLostNumbers(deps, audit.ws);
  if (pending > checked) {
    const stored = await storedNumbers(deps, audit.ws, { from: checked + 1, to: pending });
    const missing = Array.from({ length: pending - checked }, (_, index) => checked + 1 + index).filter(
      (seq) => !stored.has(seq),
    );
    if (missing.length > 0) await markLost(deps, audit.ws, missing);
  }
  const active = control.seq > checked;
  if (active) await noteAudited(deps, audit.ws, { checked: pending, pending: control.seq });
  const interval = active ? AUDIT_INTERVAL_SECONDS : AUDIT_IDLE_INTERVAL_SECONDS;
  await scheduleAudit(deps, { ws: audit.ws, due: deps.now() + interval * SECOND_MS });
  await removeAudit(deps, audit);
};

const sweepAudits = async (deps: SweepDeps, shard: string): Promise<void> => {
  for (const audit of await listDueAudits(deps, shard, deps.now(), SWEEP_BATCH)) await auditSequence(deps, audit);
};

/**
 * One round of the sweeper. A shard that fails does not keep the others waiting; the round throws at its end, so that
 * the failure is seen.
 */
export const sweep = async (deps: SweepDeps): Promise<void> => {
  const rounds = await Promise.allSettled(
    shards.flatMap((shard) => [sweepEvents(deps, shard), sweepSteps(deps, shard)]),
  );
  const audits = await Promise.allSettled(shards.map((shard) => sweepAudits(deps, shard)));
  const found = rounds.flatMap((round) => (round.status === "fulfilled" ? [round.value] : []));
  const now = deps.now();
  const oldest = Math.min(now, ...found.map(({ oldestSince }) => oldestSince));
  deps.log.metric(metrics.oldestMarkerAgeSeconds, (now - oldest) / SECOND_MS);
  deps.log.metric(
    metrics.stuckMarkers,
    found.reduce((sum, { stuck }) => sum + stuck, 0),
  );
  deps.log.metric(metrics.sweeperRan, 1);
  deps.log.info("sweeper.ran", { swept: found.reduce((sum, { swept }) => sum + swept, 0) });
  const failed = [...rounds, ...audits].filter((round) => round.status === "rejected");
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(({ reason }): unknown => reason),
      "parts of the sweep failed",
    );
};
