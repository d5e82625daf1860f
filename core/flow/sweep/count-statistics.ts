import type { TimedDeps } from "../../deps.ts";
import { isActorId, parseEventId, type WorkspaceId } from "../../domain/basics/ids.ts";
import { AUDIT_INTERVAL_MS, HELD_HOURS } from "../../domain/basics/limits.ts";
import { isHeldByGroup } from "../../domain/delivery/delivery-plan.ts";
import { isAcknowledgedOrFinal } from "../../domain/event/lifecycle.ts";
import type { PlannedEvent, StoredEvent } from "../../domain/event/stored-event.ts";
import { fromIso } from "../../domain/basics/time.ts";
import type { People } from "../../domain/people/people.ts";
import {
  sumStatisticsAdditions,
  listStatisticsAdditions,
  type Addition,
  type StatisticsEvent,
  type CountedNotification,
  listPageAdditions,
} from "../../domain/statistics/statistics.ts";
import { loadPeople } from "../../store/people/people.ts";
import { readEventsNumbered } from "../../store/events/events.ts";
import { filterOpenNumbers } from "../../store/events/open-events.ts";
import { readPlannedRules } from "../../store/events/plans.ts";
import {
  addToStatistics,
  beginCountRun,
  removeCountMark,
  endCountRun,
  listCountMarks,
  readCountProgress,
  type Progress,
  type WaitingEvent,
} from "../../store/events/statistics.ts";
import { rotateItems, mapLimit } from "../../domain/basics/in-turns.ts";
import { readFiredSteps, readWrittenViews } from "../read/read-event.ts";
import { DAY_MS, HOUR_MS } from "../../domain/basics/units.ts";

/** After this time without an acknowledgement, an event counts as never acknowledged. */
const WAITS_MS = 7 * DAY_MS;
/** The maximum number of open events that later runs check again; older events count as never acknowledged. */
const WAITING_KEPT = 20_000;
/** How long the statistics wait for a marked resolution: a request may fail after it stores the mark and before it resolves. */
const RESOLVING_MS = HOUR_MS;
const AT_ONCE = 10;

/** Returns whether a held event may still notify people: it is not acknowledged, over or too old. */
const mayStillNotify = ({ life, receivedAt }: StoredEvent, now: number): boolean =>
  life.heldBy !== undefined && !isAcknowledgedOrFinal(life) && now - receivedAt <= HELD_HOURS * HOUR_MS;

const isPlanned = (event: StoredEvent): event is PlannedEvent => event.plan !== undefined;

/**
 * Returns an event's notifications for the statistics (`notifiedByRule`), and its number of fired escalation steps and additions
 * (`fired`). Marks notifications as new that an earlier run, whose `fired` and `isCounted` are passed, did not count.
 */
const readNotifications = async (
  deps: TimedDeps,
  event: PlannedEvent,
  { fired, isCounted }: Pick<WaitingEvent, "fired" | "isCounted">,
) => {
  const rules = await readPlannedRules(deps, event);
  const firings = event.life.needsAck ? await readFiredSteps(deps, event) : [];
  const known = firings.toSorted((one, other) => one.at - other.at);
  const notifiedByRule = rules.map(({ rule, priority, requiresAck, recipients }, number): CountedNotification => {
    const bySteps = known.flatMap(({ rule: of, at, recipients: some }, index) =>
      of === number ? some.map((recipient) => ({ recipient, at, isNew: index >= fired })) : [],
    );
    const notified = event.plan.shadow === undefined ? recipients : [];
    return {
      rule: { id: rule.id, name: rule.name },
      priority,
      asks: requiresAck && event.life.needsAck,
      saved:
        event.plan.groups?.find((one) => one.rule === number && isHeldByGroup(one))?.recipients ??
        event.plan.flapping?.held?.[number] ??
        0,
      told: [...notified.map((recipient) => ({ recipient, at: event.plan.at, isNew: !isCounted })), ...bySteps],
    };
  });
  return { notifiedByRule, fired: known.length };
};

/** Returns the time of the first acknowledgement, even if that acknowledgement has ended. */
const readAcknowledgementTime = async (deps: TimedDeps, event: PlannedEvent): Promise<number | undefined> => {
  const { needsAck, acknowledged, term, chain, reopened } = event.life;
  if (!needsAck) return undefined;
  const views = acknowledged === undefined || reopened !== undefined ? await readWrittenViews(deps, event) : [];
  const own = views.map(({ requiresAck, acknowledgedAt }) => (requiresAck ? fromIso(acknowledgedAt ?? "") : undefined));
  const times = [acknowledged?.at, term?.since, chain, reopened?.at, ...own].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
};

const readEventsByIds = (
  deps: TimedDeps,
  ws: WorkspaceId,
  ids: readonly (string | undefined)[],
): Promise<StoredEvent[]> => {
  const seqs = ids.flatMap((id) => (id === undefined ? [] : (parseEventId(id)?.seq ?? [])));
  return seqs.length === 0 ? Promise.resolve([]) : readEventsNumbered(deps, ws, [...new Set(seqs)]);
};

const listAdditionsToStatistics = (people: People, event: StatisticsEvent): Addition[] => [
  ...listStatisticsAdditions(people, event),
  ...listPageAdditions(people, event),
];

/** Returns what an event's end adds to the statistics, if the event was counted before its end. */
const readEndAdditions = async (deps: TimedDeps, people: People, event: StoredEvent): Promise<Addition[]> => {
  const { receivedAt, life } = event;
  const { notifiedByRule } = isPlanned(event)
    ? await readNotifications(deps, event, { fired: Infinity, isCounted: true })
    : { notifiedByRule: [] };
  return listAdditionsToStatistics(people, {
    receivedAt,
    knownFrom: receivedAt,
    isNew: false,
    needsAck: life.needsAck,
    notifiedByRule,
    acknowledgedAt: undefined,
    resolvedAt: life.resolved?.at,
  });
};

/**
 * Returns what an event adds to the statistics since an earlier run counted it (`before`). `waiting`: the data with which a later
 * run checks the event again; undefined if no later check is needed. Resolutions that `readEndAdditions` counts are left out.
 */
const countEvent = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  people: People,
  event: StoredEvent,
  { before, isOpen }: { before: WaitingEvent; isOpen: boolean },
): Promise<{ additions: Addition[]; waiting: WaitingEvent | undefined }> => {
  const isLate = deps.now() - event.receivedAt > WAITS_MS;
  if (!isPlanned(event)) return { additions: [], waiting: isLate ? undefined : before };
  // The event's recipients are not known until its silence or flapping ends.
  if (mayStillNotify(event, deps.now())) return { additions: [], waiting: before };
  const { notifiedByRule, fired } = await readNotifications(deps, event, before);
  const { receivedAt, life } = event;
  const [by] = isOpen ? [] : await readEventsByIds(deps, ws, [life.resolved?.id]);
  const isOtherwiseCounted = by === undefined || by.ends === event.eventId;
  const additions = listAdditionsToStatistics(people, {
    receivedAt,
    knownFrom: event.plan.after === undefined && event.plan.flapping === undefined ? receivedAt : event.plan.at,
    isNew: !before.isCounted,
    needsAck: life.needsAck,
    notifiedByRule,
    acknowledgedAt: isOpen ? undefined : await readAcknowledgementTime(deps, event),
    resolvedAt: isOtherwiseCounted ? undefined : life.resolved?.at,
  });
  const waits = isOpen && !isLate;
  return { additions, waiting: waits ? { ...before, fired, isCounted: true } : undefined };
};

/** Adds a counting run's pending numbers to the statistics, then removes them from the run's record. */
const applyPendingRun = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { run, pending }: Pick<Progress, "run" | "pending">,
  keptDays: number,
): Promise<void> => {
  if (pending === undefined) return;
  await mapLimit(pending.additions, AT_ONCE, (addition) => addToStatistics(deps, ws, run, addition, keptDays));
  await mapLimit(pending.resolved, AT_ONCE, (seq) => removeCountMark(deps, ws, seq));
  await endCountRun(deps, ws, run);
};

const toSeqs = (events: readonly { seq: number }[]): number[] => events.map(({ seq }) => seq);

/** The maximum number of open events that one run checks; later runs check the remaining events. */
const ASKED_AT_ONCE = 1_000;

/** Returns the open events that this run checks (`asked`), and the remaining events that are not too old (`unasked`). */
const chooseEventsToCheck = (waiting: readonly WaitingEvent[], now: number) => {
  const asked = new Set(rotateItems(waiting, ASKED_AT_ONCE, Math.floor(now / AUDIT_INTERVAL_MS)));
  return { asked: [...asked], unasked: waiting.filter((one) => !asked.has(one) && now - one.at <= WAITS_MS) };
};

/** Reads the events that were resolved by one of the events `ending`. */
const readEndedEvents = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  ending: readonly StoredEvent[],
): Promise<StoredEvent[]> => {
  const named = await readEventsByIds(
    deps,
    ws,
    ending.map(({ ends }) => ends),
  );
  return named.filter((event) =>
    ending.some((one) => one.ends === event.eventId && one.eventId === event.life.resolved?.id),
  );
};

/** Counts events for the statistics. `waits`: events must be checked again. `open`: earlier events that remain open. */
export const countStatistics = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { events, upTo, keptDays }: { events: readonly StoredEvent[]; upTo: number; keptDays: number },
): Promise<{ waits: boolean; open: number[] }> => {
  const progress = await readCountProgress(deps, ws);
  await applyPendingRun(deps, ws, progress, keptDays);
  const fresh = events.filter(({ seq }) => seq > progress.upTo);
  const toCount = await listCountMarks(deps, ws);
  if (fresh.length + progress.waiting.length + toCount.length === 0) return { waits: false, open: [] };
  const { asked, unasked } = chooseEventsToCheck(progress.waiting, deps.now());
  const open = await filterOpenNumbers(deps, ws, toSeqs([...asked, ...fresh.filter(({ life }) => life.needsAck)]));
  for (const { seq } of unasked) open.add(seq);
  const still = progress.waiting.filter(({ seq, at }) => open.has(seq) && deps.now() - at <= WAITS_MS);
  const known = new Map(progress.waiting.filter((one) => !still.includes(one)).map((one) => [one.seq, one]));
  const [people, ended, resolving, byThese] = await Promise.all([
    loadPeople(deps, ws),
    readEventsNumbered(deps, ws, [...known.keys()]),
    readEventsNumbered(deps, ws, toSeqs(toCount)),
    readEndedEvents(deps, ws, fresh),
  ]);
  const looks = await mapLimit([...ended, ...fresh], AT_ONCE, (event) => {
    const { seq, receivedAt: at } = event;
    const before = known.get(seq) ?? { seq, at, fired: 0, isCounted: false };
    return countEvent(deps, ws, people, event, { before, isOpen: open.has(seq) });
  });
  const byPerson = resolving.filter(({ life }) => isActorId(life.resolved?.id ?? ""));
  const ends = await mapLimit([...byPerson, ...byThese], AT_ONCE, (event) => readEndAdditions(deps, people, event));
  const isCountedOrExpired = ({ seq, at }: { seq: number; at: number }): boolean =>
    deps.now() - at > RESOLVING_MS || byPerson.some((event) => event.seq === seq);
  const waiting = [...still, ...looks.flatMap((one) => one.waiting ?? [])].slice(-WAITING_KEPT);
  const pending = {
    additions: sumStatisticsAdditions([...looks.flatMap(({ additions }) => additions), ...ends.flat()]),
    resolved: toSeqs(toCount.filter(isCountedOrExpired)),
  };
  const next = { upTo: Math.max(upTo, progress.upTo), waiting, pending };
  if (await beginCountRun(deps, ws, progress, next))
    await applyPendingRun(deps, ws, { run: progress.run + 1, pending }, keptDays);
  return { waits: waiting.length > 0, open: toSeqs(still) };
};
