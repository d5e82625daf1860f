import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { AUDIT_INTERVAL_MS, ORPHAN_MARKER_MS } from "../../domain/basics/limits.ts";
import type { Marker } from "../../domain/event/marker.ts";
import { formatUtcDay } from "../../domain/workspace/retention.ts";
import type { Control } from "../../domain/workspace/control.ts";
import type { EscalationMessage, EventMessage, WebhookMessage } from "../../queue/messages.ts";
import { sendAll } from "../../queue/send.ts";
import { setRetentionEdge, readControl } from "../../store/events/control.ts";
import { type DueItem, postponeItem, type Readable } from "../../store/due-lister.ts";
import { parseDueTime, heartbeatShards, type Key, oneShard, shards } from "../../store/keys.ts";
import { listDueEvents, listDueSteps, moveMarker } from "../../store/events/markers.ts";
import { listDueQueues, type DueQueue } from "../../store/delivery/delivery-queues.ts";
import { storeSweepStart } from "../../store/delivery/sweeps.ts";
import {
  listDueAudits,
  markLost,
  findNewRetentionEdge,
  storeAuditProgress,
  setLastNumber,
  readAuditProgress,
  readEdge,
  removeAudit,
  scheduleAudit,
  listStoredNumbers,
  unmarkLost,
  type Audit,
  type Audited,
} from "../../store/events/sequence.ts";
import { metrics } from "../../wiring.ts";
import { listEventsBetween } from "../../store/events/events.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { checkHeartbeats } from "./check-heartbeats.ts";
import { unlistEnded } from "../respond/lifecycle.ts";
import { countStatistics } from "./count-statistics.ts";
import { closeLastMonth } from "./close-months.ts";
import { notifyOfUsage } from "./notify-usage.ts";
import { endOldEvents } from "./end-old-events.ts";
import { processConcurrently, rotateItems, mapLimit } from "../../domain/basics/in-turns.ts";
import { sweepDeletions } from "./delete-workspace.ts";
import { processSilenceEnds } from "./end-silences.ts";
import { sendCoverNotices } from "./check-covers.ts";
import { rescheduleProbes } from "./check-probes.ts";
import { runDueChecks } from "./check-reachability.ts";
import { createSweep, processDueItems, postponeFailed, type Sweep } from "./due-items.ts";
import { sweepWatches } from "./sweep-watches.ts";
import { computeDelayUntil } from "../work.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../domain/basics/units.ts";

/** A marker with more attempts counts as stuck: an alarm fires, but the attempts continue. */
const MARKER_STUCK_TRIES = 15;
/** The maximum pause between two attempts, so that work continues soon after an outage. */
const MARKER_BACKOFF_MAX_MS = MINUTE_MS;
/** Steps that are due within this time are queued as delayed messages, so that the steps fire in time. */
const STEP_LOOKAHEAD_MS = 75 * SECOND_MS;
const EVENT_LOOKAHEAD_MS = MINUTE_MS;
const AUDIT_IDLE_INTERVAL_MS = DAY_MS;

export type SweepDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & {
  queues: Pick<Deps["queues"], "events" | "pushes" | "escalations" | "webhooks">;
};

const FIRST_PAUSE_MS = 30 * SECOND_MS;
/** New due times are rounded down to multiples of this time, so that two concurrent sweeps write a marker with the same key. */
const DUE_GRID_MS = 10 * SECOND_MS;
const MOVES_AT_ONCE = 10;
/** The number of event numbers that an audit checks before it stores its progress. */
const AUDIT_CHUNK = 2_000;
/** The maximum time between assigning an event's number and storing the event, including retries. */
const IN_FLIGHT_MS = ORPHAN_MARKER_MS;

/** Returns the pause before the next attempt. Grows with the earlier attempts (`tries`), up to a maximum. */
const computeRetryPauseMs = (tries: number): number => Math.min(MARKER_BACKOFF_MAX_MS, FIRST_PAUSE_MS * (tries + 1));

/** Returns a marker's next due time (ms), rounded down so that concurrent sweeps compute the same time. */
const computeNextDueTime = (now: number, tries: number): number =>
  Math.floor((now + computeRetryPauseMs(tries)) / DUE_GRID_MS) * DUE_GRID_MS;

const computeDueTimeOfUnreadableItem = (now: number): number => computeNextDueTime(now, Infinity);

/** Queues a shard's due event markers, and stores when to try again. A marker due before the next sweep gets a delay. */
const sweepEvents = async (deps: SweepDeps, sweep: Sweep, shard: string): Promise<void> => {
  const { found } = sweep;
  const now = deps.now();
  const upTo = now + EVENT_LOOKAHEAD_MS;
  /** Postpones a marker. Returns the new marker with its old key; if this fails, reports the error and returns an empty list. */
  const postponeMarker = async ({ key, item: marker }: Readable<Marker>): Promise<{ key: Key; next: Marker }[]> => {
    const next = { ...marker, tries: marker.tries + 1, due: computeNextDueTime(deps.now(), marker.tries) };
    found.oldestSince = Math.min(found.oldestSince, marker.since);
    if (next.tries >= MARKER_STUCK_TRIES) found.stuck += 1;
    try {
      await moveMarker(deps, marker, next);
    } catch (error) {
      sweep.fail(key, error);
      return [];
    }
    if (next.tries === MARKER_STUCK_TRIES)
      deps.log.warn("marker.stuck", { workspaceId: marker.ws, eventId: marker.eventId, tries: next.tries });
    return [{ key, next }];
  };
  const postpone = (item: DueItem<Marker>) => postponeItem(deps, item, computeDueTimeOfUnreadableItem(deps.now()));
  await processDueItems(deps, sweep, { list: listDueEvents, shard, upTo, postpone }, async (markers) => {
    const isDue = ({ item }: Readable<Marker>) => item.due <= now;
    const moved = (await mapLimit(markers.filter(isDue), MOVES_AT_ONCE, postponeMarker)).flat();
    // Held events (`since` equals `due`) get no early message: a worker would hold the events again and remove their markers.
    const soon = markers.filter((one) => !isDue(one) && one.item.tries === 0 && one.item.since < one.item.due);
    const messages = [
      ...moved.map(({ key, next }) => ({ key, marker: next, delayMs: 0 })),
      ...soon.map(({ key, item }) => ({ key, marker: item, delayMs: computeDelayUntil(item.due, deps.now()) ?? 0 })),
    ].map(({ marker, ...rest }) => ({ ...rest, message: { kind: "unfinished", marker } satisfies EventMessage }));
    for (const { outgoing, error } of await sendAll(deps.queues.events, messages)) sweep.fail(outgoing.key, error);
    found.swept += moved.length;
  });
};

/** Queues messages for a shard's escalation steps that are due before the next sweep. */
const sweepSteps = async (deps: SweepDeps, sweep: Sweep, shard: string): Promise<void> => {
  const { found } = sweep;
  const now = deps.now();
  const stuckAfterMs = MARKER_STUCK_TRIES * MARKER_BACKOFF_MAX_MS;
  const upTo = now + STEP_LOOKAHEAD_MS;
  const postpone = (item: DueItem<Marker>) => postponeItem(deps, item, computeDueTimeOfUnreadableItem(deps.now()));
  await processDueItems(deps, sweep, { list: listDueSteps, shard, upTo, postpone }, async (markers) => {
    for (const { item } of markers) {
      found.oldestSince = Math.min(found.oldestSince, item.due);
      if (now - item.due > stuckAfterMs) found.stuck += 1;
    }
    const messages = markers.map(({ key, item: marker }) => ({
      key,
      message: { marker } satisfies EscalationMessage,
      delayMs: computeDelayUntil(marker.due, deps.now()) ?? 0,
    }));
    for (const { outgoing, error } of await sendAll(deps.queues.escalations, messages)) sweep.fail(outgoing.key, error);
    found.swept += markers.length;
  });
};

/** Starts the workers of a shard's delivery queues that are due before the next sweep. */
const sweepQueues = async (deps: SweepDeps, sweep: Sweep, shard: string): Promise<void> => {
  const upTo = deps.now() + STEP_LOOKAHEAD_MS;
  const postpone = (item: DueItem<DueQueue>) => postponeItem(deps, item, computeDueTimeOfUnreadableItem(deps.now()));
  await processDueItems(deps, sweep, { list: listDueQueues, shard, upTo, postpone }, async (lines) => {
    const messages = lines.map(({ key, item: { ws, id, due } }) => ({
      key,
      message: { kind: "line", ws, id, due } satisfies WebhookMessage,
      delayMs: computeDelayUntil(due, deps.now()) ?? 0,
    }));
    for (const { outgoing, error } of await sendAll(deps.queues.webhooks, messages)) sweep.fail(outgoing.key, error);
  });
};

/** Lists the event numbers from `from` to `to` (inclusive) that are not in `stored`, in ascending order. */
const listMissingNumbers = (from: number, to: number, stored: ReadonlySet<number>): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((number) => !stored.has(number));

/** Marks numbers in `range` as lost that neither `events` nor a consistent read contains. Unmarks numbers whose events arrive. */
const markLostNumbers = async (
  deps: SweepDeps,
  ws: WorkspaceId,
  range: { from: number; to: number },
  events: readonly Pick<StoredEvent, "seq">[],
): Promise<void> => {
  const maybe = listMissingNumbers(range.from, range.to, new Set(events.map(({ seq }) => seq)));
  const [from, to] = [maybe[0], maybe.at(-1)];
  if (from === undefined || to === undefined) return;
  const missing = listMissingNumbers(from, to, await listStoredNumbers(deps, ws, { from, to }));
  if (missing.length === 0) return;
  await markLost(deps, ws, missing);
  const came = await listStoredNumbers(deps, ws, { from, to });
  for (const number of missing) if (came.has(number)) await unmarkLost(deps, ws, number);
};

/** How many events in the list of open events one audit checks, to remove ended events; the next audit checks other events. */
const OPEN_CHECKED = 100;

/** `waits`: whether the statistics of some open events are incomplete. `open`: the numbers of counted events that remain open. */
type Numbers = { active: boolean; waits: boolean; open: readonly number[] };

/**
 * Finds event numbers without an event, and counts events for the statistics. Checks only numbers from before an earlier audit,
 * whose requests are over. Returns undefined at the time `until`, or after a concurrent audit; a later sweep continues the audit.
 */
const auditNumbers = async (
  deps: SweepDeps,
  ws: WorkspaceId,
  control: Control,
  until: number,
): Promise<Numbers | undefined> => {
  const { seq, retention } = control;
  const seen = await readAuditProgress(deps, ws);
  const { pending } = seen;
  let { checked } = seen;
  const active = seq > checked;
  const storeProgress = (next: Audited) => storeAuditProgress(deps, ws, { checked, pending, at: seen.at }, next);
  if (deps.now() - seen.at >= IN_FLIGHT_MS) {
    const edge = checked < pending ? await readEdge(deps, ws, control) : 0;
    while (checked < pending) {
      if (deps.now() >= until) return undefined;
      const to = Math.min(pending, checked + AUDIT_CHUNK);
      // Numbers past retention are not checked: their events are missing because they were deleted.
      const range = { from: Math.max(checked, edge) + 1, to };
      const events = await listEventsBetween(deps, ws, range);
      await markLostNumbers(deps, ws, range, events);
      await countStatistics(deps, ws, { events, upTo: to, keptDays: retention.days });
      if (!(await storeProgress({ checked: to, pending, at: seen.at }))) return undefined;
      checked = to;
    }
    if (active && !(await storeProgress({ checked, pending: seq, at: deps.now() }))) return undefined;
  }
  const { waits, open } = await countStatistics(deps, ws, { events: [], upTo: checked, keptDays: retention.days });
  return { active, waits, open };
};

/** Stores the last event number past retention (the edge), so that reads need not compute it. */
const updateRetentionEdge = async (deps: SweepDeps, ws: WorkspaceId, control: Control): Promise<void> => {
  const edge = await findNewRetentionEdge(deps, ws, control);
  if (edge !== undefined) await setRetentionEdge(deps, ws, edge);
};

/** Audits a workspace and schedules its next audit. If a part fails, runs the other parts, then throws the part's error. */
const auditWorkspace = async (deps: SweepDeps, audit: Audit, until: number): Promise<void> => {
  const { ws } = audit;
  const control = await readControl(deps, ws);
  if (control === undefined) return removeAudit(deps, audit);
  const failed: unknown[] = [];
  /** Returns the result of `work`; if `work` fails, adds the error to `failed` and returns undefined. */
  const tryTask = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      failed.push(error);
      return undefined;
    }
  };
  await tryTask(() => notifyOfUsage(deps, ws, control));
  await tryTask(() => setLastNumber(deps, ws, formatUtcDay(deps.now()), control.seq));
  await tryTask(() => updateRetentionEdge(deps, ws, control));
  await tryTask(() => rescheduleProbes(deps, ws, control));
  const numbers = await tryTask(() => auditNumbers(deps, ws, control, until));
  if (numbers === undefined && failed.length === 0) return;
  const { active, waits, open } = numbers ?? { active: true, waits: true, open: [] };
  await tryTask(() => closeLastMonth(deps, ws));
  const more = await tryTask(() => endOldEvents(deps, ws, until));
  const intervalMs = active || waits || more === true ? AUDIT_INTERVAL_MS : AUDIT_IDLE_INTERVAL_MS;
  await tryTask(() => unlistEnded(deps, ws, rotateItems(open, OPEN_CHECKED, Math.floor(deps.now() / intervalMs))));
  if (failed.length === 1) throw failed[0];
  if (failed.length > 1) throw new AggregateError(failed, failed.map(String).join("; "));
  // The new due time is at least one interval later, even if the clock was set back, because an audit's due time is its key.
  const rounds = Math.max(1, Math.floor((deps.now() - audit.due) / intervalMs) + 1);
  await scheduleAudit(deps, { ws, due: audit.due + rounds * intervalMs });
  await removeAudit(deps, audit);
};

/** Returns when a failed audit is due again: whole hours later, so that concurrent sweeps store one audit, not two. */
const computeRetryAt = ({ key }: DueItem<Audit>, now: number): number => {
  const due = parseDueTime(key);
  const hours = Math.max(1, Math.floor((now - due) / AUDIT_INTERVAL_MS) + 1);
  return Number.isNaN(due) ? now + AUDIT_INTERVAL_MS : due + hours * AUDIT_INTERVAL_MS;
};

/** The maximum number of audits per shard and sweep. */
const SWEEP_AUDITS = 1_000;
const AUDITED_SHARDS_AT_ONCE = 4;
/** The time limit for one shard's audits in a sweep; the next sweep continues with the remaining audits. */
const AUDITED_SHARD_MS = 10 * SECOND_MS;
const AUDIT_TURN_MS = 5 * SECOND_MS;

const sweepAudits = async (deps: SweepDeps, sweep: Sweep, shard: string): Promise<void> => {
  const now = deps.now();
  const until = Math.min(sweep.until, now + AUDITED_SHARD_MS);
  const due = await listDueAudits(deps, shard, now, SWEEP_AUDITS);
  // Each sweep begins with a different audit, so that slow audits do not always delay the same workspaces.
  const first = Math.floor(now / MINUTE_MS) % Math.max(1, due.length);
  for (const audit of [...due.slice(first), ...due.slice(0, first)]) {
    if (deps.now() >= until) return;
    try {
      if (audit.kind === "unreadable") throw audit.error;
      await auditWorkspace(deps, audit.item, Math.min(until, deps.now() + AUDIT_TURN_MS));
    } catch (error) {
      await postponeFailed(sweep, audit.key, error, () => postponeItem(deps, audit, computeRetryAt(audit, deps.now())));
    }
  }
};

/** Stores the sweep's start. Returns the end of the sweeper's last outage (gap), if any. Logs an outage that ends now. */
const storeStartAndReadGap = async (deps: SweepDeps): Promise<number | undefined> => {
  const { back, isBack } = await storeSweepStart(deps);
  if (isBack) deps.log.warn("sweeper.resumed");
  return back;
};

const logFailedItems = ({ log }: SweepDeps, sweep: Sweep): void => {
  const failed = sweep.takeFailed();
  // A metric is not sent when it is zero, because hours without a value cost nothing.
  if (failed > 0) log.metric(metrics.sweeperFailed, failed);
};

const logSweepMetrics = ({ now, log }: SweepDeps, { found }: Sweep): void => {
  log.metric(metrics.oldestMarkerAgeSeconds, Math.max(0, now() - found.oldestSince) / SECOND_MS);
  log.metric(metrics.stuckMarkers, found.stuck);
  log.metric(metrics.sweeperRan, 1);
  log.info("sweeper.ran", { swept: found.swept });
};

/**
 * Runs a sweep. All kinds of work run concurrently with their own limits, so a backlog of one kind does not stop others. If a
 * list cannot be read, processes the other lists and then throws. Ends soon after `until` (ms); the next sweep continues.
 */
export const runSweep = async (deps: SweepDeps, until: number): Promise<void> => {
  const sweep = createSweep(deps, until);
  const gapEnd = storeStartAndReadGap(deps);
  const auditing = processConcurrently(shards, AUDITED_SHARDS_AT_ONCE, (shard) => sweepAudits(deps, sweep, shard));
  const urgent = await Promise.allSettled([
    ...shards.flatMap((shard) => [sweepEvents(deps, sweep, shard), sweepSteps(deps, sweep, shard)]),
    ...oneShard.map((shard) => sweepQueues(deps, sweep, shard)),
    sweepWatches(deps, sweep, deps.now() + STEP_LOOKAHEAD_MS),
    ...oneShard.map((shard) => processSilenceEnds(deps, sweep, shard)),
    ...oneShard.map((shard) => runDueChecks(deps, sweep, shard)),
    ...oneShard.map((shard) => sendCoverNotices(deps, sweep, shard)),
    sweepDeletions(deps, sweep),
    ...heartbeatShards.map(async (shard) => checkHeartbeats(deps, sweep, shard, await gapEnd)),
  ]);
  // The metrics are logged before the audits end, because audits may use up the remaining time.
  logSweepMetrics(deps, sweep);
  logFailedItems(deps, sweep);
  const audits = await auditing;
  logFailedItems(deps, sweep);
  const failed = [...urgent, ...audits].filter((one) => one.status === "rejected");
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(({ reason }): unknown => reason),
      "parts of the sweep failed",
    );
};
