import type { Deps } from "../deps.ts";
import { outcomeOf, toEventListItem, type EventListItem, type EventPage } from "../domain/event/event-view.ts";
import type { Outcome } from "../domain/event/event-view.ts";
import { EVENTS_SEARCHED_MAX, SITE_LIST_DEPTH_MAX } from "../domain/basics/limits.ts";
import type { Priority } from "../domain/basics/priority.ts";
import { invalid } from "../domain/basics/refusal.ts";
import { toNotificationView } from "../domain/delivery/notification-view.ts";
import { siteOf } from "../domain/event/event.ts";
import { isOver, type EventState } from "../domain/event/life.ts";
import { sumOf, TOP_LEVEL, type LostCounts, type ReadLostCounts } from "../domain/event/lost-numbers.ts";
import { pageOfNumbers } from "../domain/event/number-page.ts";
import type { StoredEvent } from "../domain/event/stored-event.ts";
import { keyMatches } from "../domain/rules/matching/index.ts";
import { readControl } from "../store/control.ts";
import { listEventsBetween, readEventsNumbered } from "../store/events.ts";
import { listOpenEvents, type OpenEvent } from "../store/open-events.ts";
import { readLostCounts } from "../store/sequence.ts";
import { pageOfSite } from "../store/sites.ts";
import { inTurns } from "./in-turns.ts";
import { readPacksOf } from "./read-event.ts";

type ListDeps = Pick<Deps, "table">;
type Wanted = { page: number; limit: number };

/** What an event must be to be listed; times in milliseconds, both included; `eventKey` is a pattern, as a rule's. */
export type EventFilter = {
  state?: EventState | undefined;
  outcome?: Outcome | undefined;
  eventKey?: string | undefined;
  priority?: Priority | undefined;
  site?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
};

/** The states of some events, by what is kept with them and what is listed as open. */
const statesOf = async (
  deps: ListDeps,
  ws: string,
  events: readonly StoredEvent[],
): Promise<(event: StoredEvent) => EventState> => {
  const seqs = events.filter(({ life }) => life.needsAck && !isOver(life)).map(({ seq }) => seq);
  const range = { from: Math.min(...seqs), to: Math.max(...seqs) };
  const open = new Set(seqs.length === 0 ? [] : (await listOpenEvents(deps, ws, range)).map(({ seq }) => seq));
  return ({ seq, life }) => {
    if (life.resolved !== undefined) return "resolved";
    if (!life.needsAck) return "none";
    return open.has(seq) ? "open" : "acknowledged";
  };
};

const toItems = async (deps: ListDeps, ws: string, events: readonly StoredEvent[]): Promise<EventListItem[]> => {
  const stateOf = await statesOf(deps, ws, events);
  return events.map((event) => toEventListItem(event, stateOf(event)));
};

/** Reads each node of the tree of lost numbers once; the top was read before. */
const countsReader = (deps: ListDeps, ws: string, top: LostCounts): ReadLostCounts => {
  const read = new Map<string, Promise<LostCounts>>();
  return (level, node) => {
    if (level === TOP_LEVEL) return Promise.resolve(top);
    const name = `${level} ${node}`;
    const counts = read.get(name) ?? readLostCounts(deps, ws, level, node);
    read.set(name, counts);
    return counts;
  };
};

/** One page of a workspace's events, the newest first. It costs the same on every page, and nothing past the end. */
export const listEvents = async (deps: ListDeps, ws: string, wanted: Wanted): Promise<EventPage> => {
  const [control, top] = await Promise.all([readControl(deps, ws), readLostCounts(deps, ws, TOP_LEVEL, 0)]);
  const { total, range } = await pageOfNumbers(control?.seq ?? 0, sumOf(top), wanted, countsReader(deps, ws, top));
  const events = range === undefined ? [] : await listEventsBetween(deps, ws, range);
  return { total, ...wanted, items: await toItems(deps, ws, events) };
};

/** The same of the events that are registered to a site. */
export const listEventsOfSite = async (
  deps: ListDeps,
  ws: string,
  site: string,
  wanted: Wanted,
): Promise<EventPage> => {
  if (wanted.page * wanted.limit > SITE_LIST_DEPTH_MAX)
    throw invalid([
      {
        field: "page",
        code: "too_large",
        message: `The list of a site reaches back at most ${SITE_LIST_DEPTH_MAX} events.`,
      },
    ]);
  const { total, seqs } = await pageOfSite(deps, ws, site, wanted);
  const events = await readEventsNumbered(deps, ws, seqs);
  return { total, ...wanted, items: await toItems(deps, ws, events) };
};

const pageOf = <Item>(items: readonly Item[], { page, limit }: Wanted): Item[] =>
  items.slice((page - 1) * limit, page * limit);

const fits = (event: Pick<OpenEvent, "receivedAt" | "content">, filter: EventFilter): boolean =>
  (filter.eventKey === undefined || keyMatches(filter.eventKey, event.content.eventKey)) &&
  (filter.priority === undefined || event.content.priority === filter.priority) &&
  (filter.from === undefined || event.receivedAt >= filter.from) &&
  (filter.to === undefined || event.receivedAt <= filter.to);

/** What is open, read from its own list: it costs what is open, however many events there are. */
const listOpen = async (deps: ListDeps, ws: string, filter: EventFilter, wanted: Wanted): Promise<EventPage> => {
  const open = (await listOpenEvents(deps, ws)).filter((event) => fits(event, filter));
  return { total: open.length, ...wanted, items: pageOf(open, wanted).map((event) => toEventListItem(event, "open")) };
};

/** Events whose notifications are read side by side. */
const READ_AT_ONCE = 10;

const readOutcome = async (deps: ListDeps, event: StoredEvent): Promise<Outcome> => {
  const packs = await readPacksOf(deps, event);
  const views = packs.flatMap((pack) => pack.recipients.map((recipient) => toNotificationView(pack, recipient)));
  return outcomeOf(event.plan?.matched, event.plan?.silence !== undefined, views);
};

/** The events that fit a filter, among the newest as many as are searched; `total` counts those that fit. */
export const searchEvents = async (
  deps: ListDeps,
  ws: string,
  filter: EventFilter,
  wanted: Wanted,
): Promise<EventPage> => {
  const { state, outcome, site } = filter;
  if (state === "open" && outcome === undefined && site === undefined) return listOpen(deps, ws, filter, wanted);
  const last = (await readControl(deps, ws))?.seq ?? 0;
  const newest = await listEventsBetween(deps, ws, { from: Math.max(1, last - EVENTS_SEARCHED_MAX + 1), to: last });
  const near = newest.filter(
    (event) => fits(event, filter) && (site === undefined || siteOf(event.content.data)?.site === site),
  );
  const stateOf = await statesOf(deps, ws, near);
  const inState = state === undefined ? near : near.filter((event) => stateOf(event) === state);
  const outcomes =
    outcome === undefined ? [] : await inTurns(inState, READ_AT_ONCE, (event) => readOutcome(deps, event));
  const found = outcome === undefined ? inState : inState.filter((_, index) => outcomes[index] === outcome);
  const items = pageOf(found, wanted).map((event) => toEventListItem(event, stateOf(event)));
  return { total: found.length, ...wanted, items };
};
