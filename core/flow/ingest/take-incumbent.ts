import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { INCUMBENTS_MAX, INCUMBENT_EVENTS_SEARCHED_MAX } from "../../domain/basics/limits.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/basics/units.ts";
import { isSameReportedAction } from "../../domain/event/incumbent.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import type { IncumbentMessage } from "../../domain/sources/incumbent.ts";
import { readControl } from "../../store/events/control.ts";
import { listEventsBetween } from "../../store/events/events.ts";
import { addIncumbent } from "../../store/events/progress.ts";

/** The maximum time between the arrivals of an alert at the old service and at this service, including clock differences. */
const APART_MS = 5 * MINUTE_MS;
/** The maximum age of the event to which a message of the old service belongs. */
const REACH_MS = 2 * DAY_MS;

const normalizeText = (text: string | undefined): string => (text ?? "").trim().toLowerCase();

/** Returns a shadow's newest event with the message's key, or else its newest event with the message's title. */
const findEventOfMessage = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { keys, title, at = deps.now() }: IncumbentMessage,
): Promise<StoredEvent | undefined> => {
  const control = await readControl(deps, ws);
  if (control?.shadowUntil === undefined || control.shadowUntil <= at - REACH_MS) return undefined;
  const { seq } = control;
  const events = await listEventsBetween(deps, ws, {
    from: Math.max(1, seq - INCUMBENT_EVENTS_SEARCHED_MAX + 1),
    to: seq,
  });
  const near = events.filter(
    ({ shadow, receivedAt }) => shadow === true && receivedAt <= at + APART_MS && receivedAt > at - REACH_MS,
  );
  return (
    near.find(({ content: { dedupeKey } }) => dedupeKey !== undefined && keys.includes(dedupeKey)) ??
    near.find(({ content }) => title !== undefined && normalizeText(content.title) === normalizeText(title))
  );
};

/** Stores the old service's message with the shadow's event of the same alert; undefined if no such event exists. Idempotent. */
export const storeIncumbentMessage = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  message: IncumbentMessage,
): Promise<StoredEvent | undefined> => {
  const event = await findEventOfMessage(deps, ws, message);
  if (event === undefined) return undefined;
  const { keys: _keys, title: _title, at = deps.now(), ...said } = message;
  const one = { ...said, at };
  for (let known: StoredEvent | undefined = event; known !== undefined;) {
    const { incumbent = [] } = known;
    if (incumbent.length >= INCUMBENTS_MAX || incumbent.some((other) => isSameReportedAction(one, other))) return known;
    const changed = await addIncumbent(deps, ws, event.eventId, one, incumbent.length);
    if (changed?.kind === "done") return changed.event;
    known = changed?.event;
  }
  return undefined;
};
