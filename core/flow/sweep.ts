import type { Deps } from "../deps.ts";
import { AUDIT_INTERVAL_SECONDS, ORPHAN_MARKER_SECONDS } from "../domain/basics/limits.ts";
import type { Marker } from "../domain/event/marker.ts";
import type { EscalationMessage, EventMessage } from "../queue/messages.ts";
import { sendMessages } from "../queue/send.ts";
import { readControl } from "../store/control.ts";
import { heartbeatShards, shards } from "../store/keys.ts";
import { listDueEvents, listDueSteps, moveMarker } from "../store/markers.ts";
import {
  listDueAudits,
  markLost,
  noteAudited,
  readAudited,
  removeAudit,
  scheduleAudit,
  storedNumbers,
  unmarkLost,
  type Audit,
  type Audited,
} from "../store/sequence.ts";
import { metrics } from "../wiring.ts";
import { listEventsBetween } from "../store/events.ts";
import type { StoredEvent } from "../domain/event/stored-event.ts";
import { checkHeartbeats } from "./check-heartbeats.ts";
import { closeEnded } from "./admin/life.ts";
import { countStatistics } from "./count-statistics.ts";
import { inRotation, inTurns } from "./read/in-turns.ts";
import { delaySeconds } from "./work.ts";

/** After this many rounds a marker counts as stuck and an alarm rings. The rounds go on. */
const MARKER_STUCK_TRIES = 10;
/** Longest pause between two rounds of one marker. */
const MARKER_BACKOFF_MAX_SECONDS = 120;
/** The sweeper wakes steps this far ahead, so that a delayed message fires them to the second. */
const STEP_LOOKAHEAD_SECONDS = 75;
/** How often a sequence is audited that has handed out no number since the last audit. */
const AUDIT_IDLE_INTERVAL_SECONDS = 24 * 3600;

export type SweepDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & {
  queues: Pick<Deps["queues"], "events" | "escalations">;
};

const SECOND_MS = 1000;
const FIRST_PAUSE_SECONDS = 30;
/** Due times lie on a grid, so that two rounds that move a marker at the same moment write the same key. */
const DUE_GRID_MS = 10 * SECOND_MS;
/** Markers of one shard that are read, moved and sent before the next ones are read. */
const CHUNK = 30;
/** Markers of one shard that are moved side by side. */
const MOVES_AT_ONCE = 10;
/** Numbers of a sequence that are checked before progress is noted. */
const AUDIT_CHUNK = 2_000;
/** Longer than any request, retries included, takes to store the event of the number that it was given. */
const IN_FLIGHT_SECONDS = ORPHAN_MARKER_SECONDS;

/** The pause before the next look: 30, 60, 90 seconds and so on, up to a bound that keeps recovery quick. */
const pauseMs = (tries: number): number =>
  Math.min(MARKER_BACKOFF_MAX_SECONDS, FIRST_PAUSE_SECONDS * (tries + 1)) * SECOND_MS;

const nextDue = (now: number, tries: number): number => Math.floor((now + pauseMs(tries)) / DUE_GRID_MS) * DUE_GRID_MS;

type Found = { swept: number; stuck: number; oldestSince: number };
type ListDue = typeof listDueEvents;

/**
 * Works through the markers of one shard that are due by `upTo`, one chunk after another, the earliest first, until
 * there are no more or the round must end.
 */
const eachDue = async (
  deps: SweepDeps,
  list: ListDue,
  shard: string,
  { upTo, until }: { upTo: number; until: number },
  work: (markers: readonly Marker[]) => Promise<Found>,
): Promise<Found> => {
  const all: Found = { swept: 0, stuck: 0, oldestSince: deps.now() };
  let after: Marker | undefined;
  while (deps.now() < until) {
    const markers = await list(deps, shard, upTo, CHUNK, after);
    if (markers.length === 0) break;
    const { swept, stuck, oldestSince } = await work(markers);
    all.swept += swept;
    all.stuck += stuck;
    all.oldestSince = Math.min(all.oldestSince, oldestSince);
    if (markers.length < CHUNK) break;
    after = markers.at(-1);
  }
  return all;
};

/** Sends the due markers of one shard to the matcher again. Each marker is moved before its message is sent. */
const sweepEvents = (deps: SweepDeps, shard: string, until: number): Promise<Found> =>
  eachDue(deps, listDueEvents, shard, { upTo: deps.now(), until }, async (markers) => {
    const again = await inTurns(markers, MOVES_AT_ONCE, async (marker): Promise<Marker> => {
      const next = { ...marker, tries: marker.tries + 1, due: nextDue(deps.now(), marker.tries) };
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
      oldestSince: Math.min(...again.map(({ since }) => since)),
    };
  });

/** Wakes the steps that are due now or before the next sweep is done. SQS holds their messages until the due time. */
const sweepSteps = (deps: SweepDeps, shard: string, until: number): Promise<Found> => {
  const now = deps.now();
  const stuckAfterMs = MARKER_STUCK_TRIES * MARKER_BACKOFF_MAX_SECONDS * SECOND_MS;
  const upTo = now + STEP_LOOKAHEAD_SECONDS * SECOND_MS;
  return eachDue(deps, listDueSteps, shard, { upTo, until }, async (markers) => {
    const messages = markers.map((marker) => ({
      message: { marker } satisfies EscalationMessage,
      delaySeconds: delaySeconds(marker.due, deps.now()) ?? 0,
    }));
    await sendMessages(deps.queues.escalations, messages);
    const overdue = markers.filter(({ due }) => due <= now);
    return {
      swept: markers.length,
      stuck: overdue.filter(({ due }) => now - due > stuckAfterMs).length,
      oldestSince: Math.min(now, ...overdue.map(({ due }) => due)),
    };
  });
};

const numbersWithout = (from: number, to: number, stored: ReadonlySet<number>): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((number) => !stored.has(number));

/**
 * Marks the numbers that have no event as lost. A stale read finds candidates and a consistent one confirms them.
 * Because a late replay may store an event at that very moment, a last read unmarks the numbers whose events have come.
 */
const judge = async (
  deps: SweepDeps,
  ws: string,
  range: { from: number; to: number },
  events: readonly Pick<StoredEvent, "seq">[],
): Promise<void> => {
  const maybe = numbersWithout(range.from, range.to, new Set(events.map(({ seq }) => seq)));
  const [from, to] = [maybe[0], maybe.at(-1)];
  if (from === undefined || to === undefined) return;
  const missing = numbersWithout(from, to, await storedNumbers(deps, ws, { from, to }));
  if (missing.length === 0) return;
  await markLost(deps, ws, missing);
  const came = await storedNumbers(deps, ws, { from, to });
  for (const number of missing) if (came.has(number)) await unmarkLost(deps, ws, number);
};

/** Open events that one audit checks for an end. If there are more, the next audit checks others. */
const OPEN_CHECKED = 100;

/**
 * Looks for numbers of a workspace's sequence whose event never came. It checks only numbers that were handed out
 * before an earlier audit, long enough ago that their requests are over. Two audits at once do no harm: both check the
 * same numbers, one notes the progress, and both write the same next audit.
 */
const auditSequence = async (deps: SweepDeps, audit: Audit, until: number): Promise<void> => {
  const { ws } = audit;
  const control = await readControl(deps, ws);
  if (control === undefined) return removeAudit(deps, audit);
  const seen = await readAudited(deps, ws);
  const { pending } = seen;
  let { checked } = seen;
  const active = control.seq > checked;
  const noted = (next: Audited) => noteAudited(deps, ws, { checked, pending, at: seen.at }, next);
  if (deps.now() - seen.at >= IN_FLIGHT_SECONDS * SECOND_MS) {
    while (checked < pending) {
      if (deps.now() >= until) return;
      const to = Math.min(pending, checked + AUDIT_CHUNK);
      const range = { from: checked + 1, to };
      const events = await listEventsBetween(deps, ws, range);
      await judge(deps, ws, range, events);
      // The events are read anyway, so the statistics count them here.
      await countStatistics(deps, ws, { events, upTo: to });
      if (!(await noted({ checked: to, pending, at: seen.at }))) return;
      checked = to;
    }
    if (active && !(await noted({ checked, pending: control.seq, at: deps.now() }))) return;
  }
  const { waits, open } = await countStatistics(deps, ws, { events: [], upTo: checked });
  const intervalMs = (active || waits ? AUDIT_INTERVAL_SECONDS : AUDIT_IDLE_INTERVAL_SECONDS) * SECOND_MS;
  await closeEnded(deps, ws, inRotation(open, OPEN_CHECKED, Math.floor(deps.now() / intervalMs)));
  // If the clock was put back meanwhile, the next audit must not get the key of the one that is removed below.
  const rounds = Math.max(1, Math.floor((deps.now() - audit.due) / intervalMs) + 1);
  await scheduleAudit(deps, { ws, due: audit.due + rounds * intervalMs });
  await removeAudit(deps, audit);
};

const sweepAudits = async (deps: SweepDeps, shard: string, until: number): Promise<void> => {
  for (const audit of await listDueAudits(deps, shard, deps.now(), SWEEP_AUDITS)) {
    if (deps.now() >= until) return;
    await auditSequence(deps, audit, until);
  }
};
/** Audits of one shard in one round. */
const SWEEP_AUDITS = 1_000;

/**
 * One round of the sweeper. A shard that fails does not hold up the others; the round throws at its end, so that the
 * failure is seen. It ends soon after `until` (milliseconds) and leaves the rest to the next round.
 */
export const sweep = async (deps: SweepDeps, until: number): Promise<void> => {
  const rounds = await Promise.allSettled(
    shards.flatMap((shard) => [sweepEvents(deps, shard, until), sweepSteps(deps, shard, until)]),
  );
  const checks = await Promise.allSettled(heartbeatShards.map((shard) => checkHeartbeats(deps, shard, until)));
  const audits = await Promise.allSettled(shards.map((shard) => sweepAudits(deps, shard, until)));
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
  const failed = [...rounds, ...checks, ...audits].filter((round) => round.status === "rejected");
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(({ reason }): unknown => reason),
      "parts of the sweep failed",
    );
};
