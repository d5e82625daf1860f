import { dayAndTime } from "../app/clock.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { here, setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Ago } from "../parts/ago.tsx";
import { SelectField, TextField } from "../parts/form.tsx";
import { Held } from "../parts/held.tsx";
import { PriorityMark } from "../parts/marks.tsx";
import { Empty } from "../parts/states.tsx";
import { useSteady } from "../parts/steady.ts";
import { texts } from "../texts.ts";

type Data = { events: Answers["EventPage"]; sites: Answers["Site"][] };

const withPage = (page: number): string => {
  const url = new URL(here.value);
  url.searchParams.set("page", String(page));
  return url.href;
};

const Pages = ({ events: { page, limit, total } }: Pick<Data, "events">) => {
  const last = Math.max(1, Math.ceil(total / limit));
  if (last === 1) return null;
  return (
    <nav class="bar" aria-label={texts.events.pages}>
      {page > 1 ? <a href={withPage(page - 1)}>{texts.events.newer}</a> : <span />}
      <span class="soft number">{texts.events.pageOf(page, last, total)}</span>
      {page < last ? <a href={withPage(page + 1)}>{texts.events.older}</a> : <span />}
    </nav>
  );
};

const EventsView = ({ data: { events, sites }, context: { query } }: ViewProps<Data>) => {
  const search = query().get("search") ?? "";
  const site = query().get("site") ?? "";
  const wanted = search.toLowerCase();
  const found = events.items.filter(({ title }) => title.toLowerCase().includes(wanted));
  const { items, held, show } = useSteady(found, `${events.page} ${site} ${search}`);
  const siteOptions = [["", texts.events.allSites], ...sites.map((one) => [one.site, one.name] as const)] as const;
  return (
    <>
      <search class="filters">
        <TextField
          label={texts.events.search}
          name="search"
          type="search"
          value={search}
          onValue={(value) => setQuery({ search: value })}
        />
        <SelectField
          label={texts.events.site}
          name="site"
          value={site}
          options={siteOptions}
          onValue={(value) => setQuery({ site: value, page: undefined })}
        />
      </search>
      <Held count={held} show={show} />
      {items.length === 0 ? (
        <Empty>
          {events.total === 0 && site === "" ? (
            <>
              <p>{texts.events.empty}</p>
              <p>
                <a href="/keys">{texts.events.toKeys}</a>
              </p>
            </>
          ) : (
            texts.events.noneFound
          )}
        </Empty>
      ) : (
        <ul class="rows">
          {items.map((event) => (
            <li key={event.id}>
              <a href={`/events/${event.id}`} data-row>
                {event.title}
              </a>
              <PriorityMark value={event.priority} />
              <code>{event.eventKey}</code>
              <span class="soft number">{texts.events.told(event._count.notifications)}</span>
              <span class="soft" title={dayAndTime(event.receivedAt)}>
                <Ago at={event.receivedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Pages events={events} />
    </>
  );
};

export const page = definePage<Data>({
  heading: texts.pages.events,
  load: async ({ api, query }) => {
    const ask = (name: string): string | undefined => query().get(name) ?? undefined;
    const [events, sites] = await Promise.all([
      api("events/list-events", { query: { page: ask("page"), site: ask("site") } }),
      api("sites/list-sites", {}),
    ]);
    return { events, sites };
  },
  everySeconds: 10,
  View: EventsView,
});
