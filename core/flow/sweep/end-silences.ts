import type { Deps } from "../../deps.ts";
import { EVENT_MARKER_DUE_MS, HELD_HOURS, HELD_NOTIFIED_MAX } from "../../domain/basics/limits.ts";
import type { Marker } from "../../domain/event/marker.ts";
import { compileSilence } from "../../domain/rules/silence.ts";
import type { EventMessage } from "../../queue/messages.ts";
import { sendAll } from "../../queue/send.ts";
import { raiseRulesVersion } from "../../store/events/control.ts";
import type { Readable } from "../../store/due-lister.ts";
import {
  listDueEnds,
  putSilenceEnd,
  readHeldEvents,
  removeSilenceEnd,
  replaceSilenceEnd,
  type SilenceEnd,
} from "../../store/events/held-events.ts";
import { putMarker } from "../../store/events/markers.ts";
import { readSilence } from "../../store/rules/silences.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { processEachDueItem, type Sweep } from "./due-items.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/basics/units.ts";

export type EndDeps = Pick<Deps, "table" | "now" | "log"> & { queues: Pick<Deps["queues"], "events"> };

/** If a sweep dies, the time after which a later sweep retries the silence's end. */
const AGAIN_MS = MINUTE_MS;
const AT_ONCE = 10;

/** Returns whether a silence is still active at its planned end, because it was changed. Stores an active silence's new end. */
const storeNewEndIfActive = async (deps: EndDeps, end: SilenceEnd): Promise<boolean> => {
  if (end.because !== "time") return false;
  const silence = await readSilence(deps, end.ws, end.silence);
  if (silence === undefined) return false;
  const { active, until } = compileSilence(silence)(deps.now());
  if (active && until < Infinity) await putSilenceEnd(deps, { ...end, due: until, since: until });
  return active;
};

/** Queues the events that a silence held until its end. Keeps the stored end for a retry until every event has a marker. */
const releaseHeldEvents = async (deps: EndDeps, sweep: Sweep, { key, item: end }: Readable<SilenceEnd>) => {
  const { ws, silence } = end;
  const now = deps.now();
  const again = { ...end, due: Math.max(now, end.due) + AGAIN_MS };
  await replaceSilenceEnd(deps, end, again);
  // The request that changed the silence may have died before it raised the rules' version: workers would use the old silence.
  if (end.because === "request") await raiseRulesVersion(deps, ws);
  if (await storeNewEndIfActive(deps, end)) return removeSilenceEnd(deps, again);
  const since = end.since - HELD_HOURS * HOUR_MS;
  const eventIds = await readHeldEvents(deps, ws, silence, { since, limit: HELD_NOTIFIED_MAX });
  const due = now + EVENT_MARKER_DUE_MS;
  const markers = eventIds.map((eventId): Marker => ({ ws, eventId, due, since: now, tries: 0 }));
  await mapLimit(markers, AT_ONCE, (marker) => putMarker(deps, marker));
  await removeSilenceEnd(deps, again);
  const messages = markers.map((marker) => ({ message: { kind: "unfinished", marker } satisfies EventMessage }));
  for (const { error } of await sendAll(deps.queues.events, messages)) sweep.fail(key, error);
  deps.log.info("silence.ended", { workspaceId: ws, silenceId: silence, events: eventIds.length });
};

export const processSilenceEnds = async (deps: EndDeps, sweep: Sweep, shard: string): Promise<void> => {
  const postpone = ({ item }: Readable<SilenceEnd>, due: number) => replaceSilenceEnd(deps, item, { ...item, due });
  await processEachDueItem(deps, sweep, { list: listDueEnds, shard, pauseMs: AGAIN_MS, postpone }, async (due) => {
    sweep.found.oldestSince = Math.min(sweep.found.oldestSince, due.item.since);
    await releaseHeldEvents(deps, sweep, due);
  });
};
