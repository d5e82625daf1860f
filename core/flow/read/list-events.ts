import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { judgeOutcome, toEventListItem, type EventListItem, type EventPage } from "../../domain/event/event-view.ts";
import type { Outcome } from "../../domain/event/event-view.ts";
import { EVENTS_SEARCHED_MAX, SITE_LIST_DEPTH_MAX } from "../../domain/basics/limits.ts";
import type { Priority } from "../../domain/basics/priority.ts";
import { refuseField } from "../../domain/basics/refusal.ts";
import { readSite } from "../../domain/event/event.ts";
import { isAcknowledgedOrFinal, type EventState } from "../../domain/event/lifecycle.ts";
import { sumCounts, TOP_LEVEL, type LostCounts, type ReadLostCounts } from "../../domain/event/lost-numbers.ts";
import { readSequencePage, countShownEvents, type Sequence } from "../../domain/event/number-page.ts";
import { getCurrentPriority } from "../../domain/event/alert.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { matchesEventKey } from "../../domain/rules/matching/index.ts";
import { readControl } from "../../store/events/control.ts";
import { listEventsBetween, readEventsNumbered } from "../../store/events/events.ts";
import { listOpenEvents, filterOpenNumbers, type OpenEvent } from "../../store/events/open-events.ts";
import { readEdge, readLostCounts } from "../../store/events/sequence.ts";
import { readSitePage } from "../../store/events/sites.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { listByUrgency } from "./list-by-urgency.ts";
import { readWrittenViews } from "./read-event.ts";

/** `below`: the page has only lower event numbers; in a site's list, lower positions. `total`: as counted for the first page. */
export type EventPosition = { page: number; below: number; total: number };
type PageRequest = { page: number; limit: number; from?: EventPosition | undefined };
export type ListedEvents = EventPage & { next: EventPosition | undefined };

/** `from`, `to`: inclusive, in milliseconds. `eventKey`: a pattern, as in a rule. `title`: a part of the title, in any case. */
export type EventFilter = {
  title?: string | undefined;
  state?: EventState | undefined;
  outcome?: Outcome | undefined;
  eventKey?: string | undefined;
  priority?: Priority | undefined;
  site?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** `urgency`: the most urgent first; only for open events that are listed by page number. By default, the newest come first. */
  order?: "urgency" | undefined;
  /** The person for whose acknowledgement the listed events wait. The filter is used only with `order`. */
  user?: string | undefined;
};

type Search<Rest extends readonly unknown[] = []> = (
  deps: TimedDeps,
  ws: WorkspaceId,
  filter: EventFilter,
  request: PageRequest,
  ...rest: Rest
) => Promise<ListedEvents>;

/** Returns a function that returns an event's state. Reads only once which of the events are open. */
const readEventStates = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  events: readonly StoredEvent[],
): Promise<(event: StoredEvent) => EventState> => {
  const seqs = events.filter(({ life }) => life.needsAck && !isAcknowledgedOrFinal(life)).map(({ seq }) => seq);
  const open = await filterOpenNumbers(deps, ws, seqs);
  return ({ seq, life }) => {
    if (life.resolved !== undefined) return "resolved";
    if (life.expired !== undefined) return "expired";
    if (!life.needsAck) return life.heldBy !== undefined && life.acknowledged !== undefined ? "acknowledged" : "none";
    return open.has(seq) ? "open" : "acknowledged";
  };
};

const readItems = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  events: readonly StoredEvent[],
): Promise<EventListItem[]> => {
  const stateOf = await readEventStates(deps, ws, events);
  return events.map((event) => toEventListItem(event, stateOf(event)));
};

/** Creates the function that reads each node of the tree of lost event numbers at most once. `top`: the tree's top node. */
const createCountsReader = (deps: TimedDeps, ws: WorkspaceId, top: LostCounts): ReadLostCounts => {
  const read = new Map<string, Promise<LostCounts>>();
  return (level, node) => {
    if (level === TOP_LEVEL) return Promise.resolve(top);
    const name = `${level} ${node}`;
    const counts = read.get(name) ?? readLostCounts(deps, ws, level, node);
    read.set(name, counts);
    return counts;
  };
};

/** Builds the requested page. `below`: the event number below which the next page begins; undefined on the last page. */
const toPage = (
  { page, limit }: PageRequest,
  total: number,
  items: EventListItem[],
  below: number | undefined,
): ListedEvents => ({
  total,
  page,
  limit,
  items,
  next: below === undefined ? undefined : { page: page + 1, below, total },
});

/** Returns the numbers of the newest event (`last`) and of the last event past retention (`edge`). */
const readSequence = async (deps: TimedDeps, ws: WorkspaceId): Promise<Omit<Sequence, "lost">> => {
  const control = await readControl(deps, ws);
  if (control === undefined) return { last: 0, edge: 0 };
  return { last: control.seq, edge: await readEdge(deps, ws, control) };
};

/** Lists one page of events, the newest first. Every page costs the same number of reads. */
export const listEvents = async (deps: TimedDeps, ws: WorkspaceId, request: PageRequest): Promise<ListedEvents> => {
  const [{ last, edge }, top] = await Promise.all([readSequence(deps, ws), readLostCounts(deps, ws, TOP_LEVEL, 0)]);
  const sequence: Sequence = { last, edge, lost: sumCounts(top) };
  const read = createCountsReader(deps, ws, top);
  const { page, limit, from } = request;
  if (from !== undefined) {
    const [total, found] = await Promise.all([
      countShownEvents(sequence, read),
      listEventsBetween(deps, ws, { from: edge + 1, to: from.below - 1, limit: limit + 1 }),
    ]);
    const events = found.slice(0, limit);
    return toPage(request, total, await readItems(deps, ws, events), findNextPageBound(events, found.length > limit));
  }
  const { total, range } = await readSequencePage(sequence, request, read);
  const events = range === undefined ? [] : await listEventsBetween(deps, ws, range);
  return toPage(request, total, await readItems(deps, ws, events), findNextPageBound(events, page * limit < total));
};

/** Lists one page of a site's events, the newest first. Throws Refusal `invalid_input` for a page number that is too high. */
export const listEventsOfSite = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  site: string,
  request: PageRequest,
): Promise<ListedEvents> => {
  if (request.from === undefined && request.page * request.limit > SITE_LIST_DEPTH_MAX)
    throw refuseField(
      "page",
      "too_large",
      `Page numbers cover only the newest ${SITE_LIST_DEPTH_MAX} events of a site. Follow the Link headers instead.`,
    );
  const { edge } = await readSequence(deps, ws);
  const below = request.from?.below;
  const { total, seqs, first, oldest } = await readSitePage(deps, ws, site, { ...request, below, edge });
  const events = await readEventsNumbered(deps, ws, seqs);
  return toPage(request, total, await readItems(deps, ws, events), first === oldest ? undefined : first);
};

/** Returns the event number below which the next page begins; undefined if this is the last page. */
const findNextPageBound = (events: readonly { seq: number }[], hasMore: boolean): number | undefined =>
  hasMore ? events.at(-1)?.seq : undefined;

const takePage = <Item>(items: readonly Item[], { page, limit }: PageRequest): Item[] =>
  items.slice((page - 1) * limit, page * limit);

/** Returns whether the event matches the filter, except the filter's state, outcome and site. */
const matchesFilter = (
  event: Pick<OpenEvent, "receivedAt" | "content"> & Pick<StoredEvent, "repeats">,
  filter: EventFilter,
): boolean =>
  (filter.eventKey === undefined || matchesEventKey(filter.eventKey, event.content.eventKey)) &&
  (filter.title === undefined || event.content.title.toLowerCase().includes(filter.title.toLowerCase())) &&
  (filter.priority === undefined || getCurrentPriority(event) === filter.priority) &&
  (filter.from === undefined || event.receivedAt >= filter.from) &&
  (filter.to === undefined || event.receivedAt <= filter.to);

const toOpenItem = (event: OpenEvent): EventListItem => toEventListItem(event, "open");

/** Lists open events with numbers lower than `below`. `total`: the number of matches, for the answer. */
const listOpenAfterCursor: Search<[EventPosition]> = async (deps, ws, filter, request, { below, total }) => {
  const shown: OpenEvent[] = [];
  let to = below - 1;
  for (let searched = 0; searched < EVENTS_SEARCHED_MAX && to > 0; searched += request.limit) {
    const rows = await listOpenEvents(deps, ws, { to, limit: request.limit + 1 });
    const fitting = rows.slice(0, request.limit).filter((event) => matchesFilter(event, filter));
    const room = request.limit - shown.length;
    shown.push(...fitting.slice(0, room));
    const isFull = fitting.length > room;
    to = isFull ? (shown.at(-1)?.seq ?? 1) - 1 : rows.length > request.limit ? (rows.at(-1)?.seq ?? 0) : 0;
    if (isFull || shown.length === request.limit) break;
  }
  return toPage(request, total, shown.map(toOpenItem), to > 0 ? to + 1 : undefined);
};

/** Lists open events. With a page number, reads only the newest open events, and `total` counts the matches among these. */
const listOpenPage: Search = async (deps, ws, filter, request) => {
  if (request.from !== undefined) return listOpenAfterCursor(deps, ws, filter, request, request.from);
  // A cursor is a position by age, so an order by urgency has only page numbers.
  if (filter.order === "urgency") {
    const page = await listByUrgency(
      deps,
      ws,
      { fits: (row) => matchesFilter(row, filter), user: filter.user },
      request,
    );
    return { ...page, next: undefined };
  }
  const rows = await listOpenEvents(deps, ws, { limit: EVENTS_SEARCHED_MAX + 1 });
  const read = rows.slice(0, EVENTS_SEARCHED_MAX);
  const found = read.filter((event) => matchesFilter(event, filter));
  const shown = takePage(found, request);
  const next = findNextPageBound(shown, request.page * request.limit < found.length);
  const unread = rows.length > read.length ? read.at(-1)?.seq : undefined;
  return toPage(request, found.length, shown.map(toOpenItem), next ?? unread);
};

const READ_AT_ONCE = 10;

const readEventOutcome = async (deps: TimedDeps, event: StoredEvent): Promise<Outcome> =>
  judgeOutcome(event.plan, await readWrittenViews(deps, event));

const SEARCHED_PER_READ = 100;

/** Returns the events that match the filter (`found`), and a function that returns an event's state (`stateOf`). */
const filterEventsWithStates = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  events: readonly StoredEvent[],
  filter: EventFilter,
) => {
  const { state, outcome, site } = filter;
  const near = events.filter(
    (event) => matchesFilter(event, filter) && (site === undefined || readSite(event.content.data)?.site === site),
  );
  const stateOf = await readEventStates(deps, ws, near);
  const inState = state === undefined ? near : near.filter((event) => stateOf(event) === state);
  const outcomes =
    outcome === undefined ? [] : await mapLimit(inState, READ_AT_ONCE, (event) => readEventOutcome(deps, event));
  const found = outcome === undefined ? inState : inState.filter((_, index) => outcomes[index] === outcome);
  return { found, stateOf };
};

/** Searches events with numbers lower than `below`. `total`: the number of matches, for the answer. */
const searchAfterCursor: Search<[EventPosition]> = async (deps, ws, filter, request, { below, total }) => {
  const items: EventListItem[] = [];
  const { edge } = await readSequence(deps, ws);
  let to = below - 1;
  for (let searched = 0; searched < EVENTS_SEARCHED_MAX && to > edge; searched += SEARCHED_PER_READ) {
    if (items.length === request.limit) break;
    const events = await listEventsBetween(deps, ws, { from: edge + 1, to, limit: SEARCHED_PER_READ });
    const { found, stateOf } = await filterEventsWithStates(deps, ws, events, filter);
    for (const event of found) {
      if (items.length === request.limit) return toPage(request, total, items, to + 1);
      items.push(toEventListItem(event, stateOf(event)));
      to = event.seq - 1;
    }
    to = events.length < SEARCHED_PER_READ ? 0 : (events.at(-1)?.seq ?? 1) - 1;
  }
  return toPage(request, total, items, to > edge ? to + 1 : undefined);
};

/** Searches all events after a cursor or, with a page number, only the newest events, of which `total` counts the matches. */
export const searchEvents: Search = async (deps, ws, filter, request) => {
  const { state, outcome, site } = filter;
  if (state === "open" && outcome === undefined && site === undefined) return listOpenPage(deps, ws, filter, request);
  if (request.from !== undefined) return searchAfterCursor(deps, ws, filter, request, request.from);
  const { last, edge } = await readSequence(deps, ws);
  const oldest = Math.max(edge + 1, last - EVENTS_SEARCHED_MAX + 1);
  const newest = await listEventsBetween(deps, ws, { from: oldest, to: last });
  const { found, stateOf } = await filterEventsWithStates(deps, ws, newest, filter);
  const shown = takePage(found, request);
  const items = shown.map((event) => toEventListItem(event, stateOf(event)));
  const next = findNextPageBound(shown, request.page * request.limit < found.length);
  return toPage(request, found.length, items, next ?? (oldest > edge + 1 ? oldest : undefined));
};
