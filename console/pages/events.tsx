import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatLongDay } from "../app/clock.ts";
import { createTimedCache } from "../app/timed-cache.ts";
import { type FirstEvent, type Firsts, readFirstEvents } from "../app/grouped.ts";
import { formatMinute, toTimestamp } from "../app/dates.ts";
import { acknowledgeOrKeep } from "../app/outbox.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { setQuery, createUrlWithQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { SelectField, TextField } from "../parts/form.tsx";
import { GroupButton, isGroupOpen } from "../parts/group.tsx";
import { GroupMembers } from "../parts/group-members.tsx";
import { NewItemsNotice } from "../parts/held-items.tsx";
import { PriorityMark, StateMark } from "../parts/marks.tsx";
import { narrow } from "../parts/narrow.ts";
import { priorityOptions } from "../parts/priorities.ts";
import { Empty } from "../parts/states.tsx";
import { useSteadyList } from "../parts/use-steady.ts";
import { texts } from "../page-texts/events.ts";
import { FilterChips } from "./events/chips.tsx";
import { foldGroups } from "./events/fold-groups.ts";
import { parsePattern } from "./events/kinds.ts";
import { suggestPatterns } from "./rule/patterns.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

type ListedEvent = Answers["EventPage"]["items"][number];
type Data = { events: Answers["EventPage"]; sites: Answers["Site"][]; types: Answers["EventType"][]; firsts: Firsts };

const states = [
  ["", texts.events.anyState],
  ["open", texts.states.open],
  ["acknowledged", texts.states.acknowledged],
  ["resolved", texts.states.resolved],
  ["expired", texts.states.expired],
] as const;

const priorities = [["", texts.events.anyPriority], ...priorityOptions.toReversed()] as const;
const outcomes = [["", texts.events.anyOutcome] as const, ...Object.entries(texts.event.outcomes)] as const;

const FILTERS = ["title", "state", "eventKey", "site", "priority", "outcome", "from", "to"] as const;
type Filter = (typeof FILTERS)[number];
/** Filters that are shown on request. */
const RARE = ["priority", "outcome", "from", "to"] as const;

const formatPageHref = (page: number): string => createUrlWithQuery({ page: String(page) });

const PageLinks = ({ events: { page, limit, total } }: Pick<Data, "events">) => {
  const last = Math.max(1, Math.ceil(total / limit));
  if (last === 1) return null;
  return (
    <nav class="bar" aria-label={texts.events.pages}>
      {page > 1 ? <a href={formatPageHref(page - 1)}>{texts.events.newer}</a> : <span />}
      <span class="soft number">{texts.events.pageOf(page, last, total)}</span>
      {page < last ? <a href={formatPageHref(page + 1)}>{texts.events.older}</a> : <span />}
    </nav>
  );
};

const PAUSE_MS = 250;

/** Returns a search field's properties. Calls `search` when the reader has stopped typing. `urlText`: the search in the URL. */
const useDebounced = (
  urlText: string,
  search: (typed: string) => void,
): { value: string; onValue: (typed: string) => void } => {
  const [typed, setTyped] = useState(urlText);
  const timer = useRef<number>(undefined);
  useEffect(() => {
    // While the search timer runs, the typed text is newer than the text in the URL.
    if (timer.current === undefined) setTyped(urlText);
  }, [urlText]);
  return {
    value: typed,
    onValue: (next) => {
      setTyped(next);
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        timer.current = undefined;
        search(next);
      }, PAUSE_MS);
    },
  };
};

/** Shows filters; on a phone only after a press, unless `isOpen`. */
const CollapsibleFilters = ({ isOpen, children }: { isOpen: boolean; children: ComponentChildren }) =>
  narrow.value ? (
    <details class="more-filters" open={isOpen}>
      <summary>{texts.events.filter}</summary>
      <div class="filters">{children}</div>
    </details>
  ) : (
    children
  );

const Filters = ({ data: { sites, types, events }, context: { query } }: ViewProps<Data>) => {
  const readParameter = (name: Filter): string => query().get(name) ?? "";
  const createFilterProps = (name: Filter) => ({
    name,
    value: readParameter(name),
    onValue: (value: string): void => setQuery({ [name]: value, page: undefined }),
  });
  const createTimeFilterProps = (name: Filter) => ({
    name,
    type: "datetime-local" as const,
    value: readParameter(name) === "" ? "" : formatMinute(Date.parse(readParameter(name))),
    onValue: (typed: string): void => setQuery({ [name]: typed && toTimestamp(typed), page: undefined }),
  });
  const title = useDebounced(readParameter("title"), (typed) => setQuery({ title: typed, page: undefined }));
  const eventKey = useDebounced(readParameter("eventKey"), (typed) => setQuery({ eventKey: typed, page: undefined }));
  const siteOptions = [["", texts.events.allSites], ...sites.map((one) => [one.site, one.name] as const)] as const;
  const isAnyFilterSet = (filters: readonly Filter[]): boolean => filters.some((name) => readParameter(name) !== "");
  return (
    <search class="filters">
      <TextField label={texts.events.search} name="title" type="search" {...title} />
      <CollapsibleFilters isOpen={isAnyFilterSet(FILTERS.filter((name) => name !== "title"))}>
        <SelectField label={texts.events.state} options={states} {...createFilterProps("state")} />
        <TextField label={texts.eventKey} name="eventKey" options={suggestPatterns(types)} {...eventKey} />
        <SelectField label={texts.events.site} options={siteOptions} {...createFilterProps("site")} />
        <FilterChips types={types} query={query()} />
        <details class="more-filters" open={isAnyFilterSet(RARE)}>
          <summary>{texts.events.moreFilters}</summary>
          <div class="filters">
            <SelectField label={texts.events.priority} options={priorities} {...createFilterProps("priority")} />
            <SelectField label={texts.events.outcome} options={outcomes} {...createFilterProps("outcome")} />
            <TextField label={texts.events.from} {...createTimeFilterProps("from")} />
            <TextField label={texts.events.to} {...createTimeFilterProps("to")} />
          </div>
        </details>
      </CollapsibleFilters>
      {isAnyFilterSet(FILTERS) && (
        <p class="found">
          <span class="soft number" role="status">
            {texts.events.found(events.total)}
          </span>
          <button
            type="button"
            onClick={() => setQuery(Object.fromEntries([...FILTERS, "page"].map((name) => [name, undefined])))}
          >
            {texts.events.clear}
          </button>
        </p>
      )}
    </search>
  );
};

type RowProps = Pick<ViewProps<Data>["context"], "api"> & {
  event: ListedEvent;
  firsts: Firsts;
  chosen: boolean;
  onChosen: (chosen: boolean) => void;
};

const GroupCell = ({ into, first }: { into: string; first: FirstEvent | undefined }) => (
  <span class="soft">
    {texts.group.in} <a href={`/events/${into}`}>{first?.title ?? texts.group.itsGroup}</a>
  </span>
);

const EventRow = ({ event, firsts, chosen, onChosen, api }: RowProps) => {
  const first = firsts.get(event.id);
  return (
    <li>
      <span>
        {event.state === "open" && (
          <input
            type="checkbox"
            aria-label={texts.events.choose(event.title)}
            checked={chosen}
            onChange={({ currentTarget }) => onChosen(currentTarget.checked)}
          />
        )}
      </span>
      <span class="row-title">
        <a href={`/events/${event.id}`} data-row>
          {event.title}
        </a>
        {first !== undefined && first.grouped > 0 && <GroupButton first={first} count={first.grouped} />}
        {event.groupedInto !== null && <GroupCell into={event.groupedInto} first={firsts.get(event.groupedInto)} />}
      </span>
      <span class="row-state">
        <StateMark value={event.state} />
      </span>
      <span class="row-priority">
        <PriorityMark value={event.priority} />
      </span>
      <code>{event.eventKey}</code>
      <span class="soft number">{texts.events.told(event._count.notifications)}</span>
      <span class="soft row-time">
        <Ago at={event.receivedAt} />
      </span>
      {first !== undefined && isGroupOpen(event.id) && <GroupMembers first={first} api={api} />}
    </li>
  );
};

const { head } = texts.events;
const heads = [texts.events.state, texts.events.priority, head.title, texts.eventKey, head.notified, head.received];

const formatReceivedDay = ({ receivedAt }: ListedEvent): string => formatLongDay(receivedAt);

const NothingFound = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty>{texts.events.noneFound}</Empty>
  ) : (
    <Empty next={<a href="/keys">{texts.events.toKeys}</a>}>{texts.events.empty}</Empty>
  );

const EventsView = (props: ViewProps<Data>) => {
  const { data, context, refresh } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const readParameter = (name: string): string => context.query().get(name) ?? "";
  const begun = parsePattern(readParameter("eventKey")) === undefined ? readParameter("eventKey") : "";
  const found = data.events.items.filter(({ eventKey }) => eventKey.startsWith(begun));
  const rows = readParameter("outcome") === "grouped" ? found : foldGroups(found, data.firsts);
  const question = [data.events.page, ...FILTERS.map(readParameter)].join(" ");
  const { items, heldCount, show } = useSteadyList(rows, question);
  const open = items.filter(({ id, state }) => state === "open" && chosen.has(id)).map(({ id }) => id);
  const acknowledgeChosen = async (): Promise<StatusText> => {
    const sent = await acknowledgeOrKeep(context.workspaceId, open);
    setChosen(new Set());
    await refresh();
    return sent === open.length ? texts.events.acknowledged(sent) : texts.inbox.kept(open.length - sent);
  };
  const chooseEvent = (id: string, isChosen: boolean): void =>
    setChosen(new Set(isChosen ? [...chosen, id] : [...chosen].filter((one) => one !== id)));
  return (
    <>
      <Filters {...props} />
      <NewItemsNotice count={heldCount} show={show} />
      {open.length > 0 && (
        <p class="chosen">
          <Action look="main" action={acknowledgeChosen}>
            {texts.events.acknowledge(open.length)}
          </Action>
        </p>
      )}
      {items.length === 0 ? (
        <NothingFound isFiltered={data.events.total > 0 || FILTERS.some((name) => readParameter(name) !== "")} />
      ) : (
        <ul class="rows table table-events">
          <li class="heads" aria-hidden="true">
            <span />
            {heads.map((head) => (
              <span key={head}>{head}</span>
            ))}
          </li>
          {[...Map.groupBy(items, formatReceivedDay)].map(([day, some]) => (
            <Fragment key={day}>
              <li class="day">{day}</li>
              {some.map((event) => (
                <EventRow
                  key={event.id}
                  event={event}
                  firsts={data.firsts}
                  api={context.api}
                  chosen={chosen.has(event.id)}
                  onChosen={(isIn) => chooseEvent(event.id, isIn)}
                />
              ))}
            </Fragment>
          ))}
        </ul>
      )}
      <PageLinks events={data.events} />
    </>
  );
};

/** Sites are cached, because they rarely change and the page is read every few seconds. */
const freshSites = createTimedCache<Data["sites"]>(MINUTE_MS);
const freshTypes = createTimedCache<Data["types"]>(MINUTE_MS);

export const page = definePage<Data>({
  heading: texts.pages.events,
  load: async ({ api, workspaceId, query }) => {
    const readQueryValue = (name: string): string | undefined => query().get(name) ?? undefined;
    const names = ["page", "title", "site", "state", "priority", "outcome", "from", "to"];
    const asked = Object.fromEntries(names.map((name) => [name, readQueryValue(name)]));
    const eventKey = parsePattern(readQueryValue("eventKey") ?? "");
    const [events, sites, types] = await Promise.all([
      api("events/list-events", { query: { ...asked, eventKey } }),
      freshSites(workspaceId, () => api("sites/list-sites", {})),
      freshTypes(workspaceId, () => api("event-types/list-event-types", {})),
    ]);
    const seen = events.items.map(({ id, eventKey, _count }) => ({ id, eventKey, told: _count.notifications }));
    const into = events.items.flatMap(({ groupedInto }) => groupedInto ?? []);
    return { events, sites, types, firsts: await readFirstEvents({ api, workspaceId }, seen, into) };
  },
  everySeconds: 20,
  View: EventsView,
});
