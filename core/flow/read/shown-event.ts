import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { isEventOver } from "../../domain/event/lifecycle.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { mayBePastRetention } from "../../domain/workspace/retention.ts";
import { readControl } from "../../store/events/control.ts";
import { readEvent } from "../../store/events/events.ts";
import { readEdge } from "../../store/events/sequence.ts";

/** Returns the last event number that is past retention, or 0. */
export const readRetentionEdge = async (deps: TimedDeps, ws: WorkspaceId): Promise<number> => {
  const control = await readControl(deps, ws, { consistent: false });
  return control === undefined ? 0 : readEdge(deps, ws, control);
};

/** Returns whether an event is within retention, or still open after a snooze. For an event of the last month, reads nothing. */
export const isShown = async (deps: TimedDeps, event: StoredEvent): Promise<boolean> => {
  if (!mayBePastRetention(event.receivedAt, deps.now())) return true;
  // The retention edge is an event number, but probes have their own numbers, so probes are shown for the shortest retention.
  if (event.content.probe !== undefined) return false;
  const { term, reopened } = event.life;
  // The end of a long snooze may page a person again, and this person must see the event.
  if ((term !== undefined || reopened !== undefined) && !isEventOver(event.life)) return true;
  return event.seq > (await readRetentionEdge(deps, event.workspaceId));
};

/** Reads an event. Returns undefined if the event does not exist or is past retention. */
export const readShownEvent = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  eventId: string,
): Promise<StoredEvent | undefined> => {
  const event = await readEvent(deps, ws, eventId);
  return event !== undefined && (await isShown(deps, event)) ? event : undefined;
};
