import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { fromIso, toIso } from "../../domain/basics/time.ts";
import { toIncumbentViews } from "../../domain/event/incumbent.ts";
import { compareShadow, type ShadowComparison } from "../../domain/planning/compare-shadow.ts";
import { isInShadow } from "../../domain/workspace/control.ts";
import { readControl } from "../../store/events/control.ts";
import { listEventsBetween } from "../../store/events/events.ts";
import { readEdge } from "../../store/events/sequence.ts";
import { loadPeople } from "../../store/people/people.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";
import { readShadowPages } from "./read-event.ts";

const NUMBERS_SEARCHED_PER_PAGE = 200;

type Page = Omit<ShadowComparison, "nextCursor"> & { next: number | undefined };

/** Returns a page of the last shadow's events, newest first. With `below`, returns only events with lower numbers. */
export const readShadow = async (deps: TimedDeps, ws: WorkspaceId, below: number | undefined): Promise<Page> => {
  const [workspace, control] = await Promise.all([readWorkspace(deps, ws), readControl(deps, ws)]);
  const { shadow } = workspace ?? {};
  if (shadow === undefined || control === undefined)
    return { since: null, until: null, active: false, items: [], next: undefined };
  const edge = await readEdge(deps, ws, control);
  const to = (below ?? control.seq + 1) - 1;
  const from = Math.max(edge + 1, to - NUMBERS_SEARCHED_PER_PAGE + 1);
  const since = fromIso(shadow.since) ?? 0;
  const [found, people] = await Promise.all([listEventsBetween(deps, ws, { from, to }), loadPeople(deps, ws)]);
  const items: ShadowComparison["items"] = [];
  for (const event of found) {
    const { plan, content, eventId, receivedAt } = event;
    if (receivedAt < since || plan === undefined) continue;
    const view = await readShadowPages(deps, { ...event, plan }, people);
    if (view === null) continue;
    const { eventKey, title } = content;
    const own = { id: eventId, eventKey, title, receivedAt: toIso(receivedAt) };
    const compared = compareShadow(view, event.incumbent ?? [], people.members, event.life.resolved?.at);
    items.push({ ...own, ...view, incumbent: toIncumbentViews(event), people: compared });
  }
  const isEnd = from <= edge + 1 || found.some(({ receivedAt }) => receivedAt < since);
  return {
    ...shadow,
    active: isInShadow({ shadowUntil: fromIso(shadow.until) }, deps.now()),
    items,
    next: isEnd ? undefined : from,
  };
};
