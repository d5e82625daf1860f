import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { PastEvent } from "../../domain/planning/history.ts";
import { readPastEvents } from "../../store/events/events.ts";

const NUMBERS_AT_ONCE = 500;

type WalkResult = { last: PastEvent | undefined; more: boolean; readUnits: number };

/**
 * Calls `visit` with the events numbered `to` down to `from`. Stops at an event that arrived before `since` (milliseconds), or at
 * a limit of time or reads (`most`). Returns the last visited event. `more`: whether a limit left events out.
 */
export const readEventsBackwards = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  range: { from: number; to: number; since: number; most: { ms: number; readUnits: number } },
  visit: (event: PastEvent) => void,
): Promise<WalkResult> => {
  const began = deps.now();
  const walked: WalkResult = { last: undefined, more: false, readUnits: 0 };
  for (let { to } = range; to >= range.from;) {
    const page = await readPastEvents(deps, ws, { from: range.from, to, limit: NUMBERS_AT_ONCE });
    walked.readUnits += page.readUnits;
    for (const [index, event] of page.events.entries()) {
      if (event.receivedAt < range.since) return walked;
      visit(event);
      walked.last = event;
      const enough = deps.now() - began > range.most.ms || walked.readUnits >= range.most.readUnits;
      const isLast = index === page.events.length - 1;
      if (enough && (!isLast || page.next !== undefined)) return { ...walked, more: true };
    }
    if (page.next === undefined) return walked;
    to = page.next;
  }
  return walked;
};
