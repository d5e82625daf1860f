import { useState } from "preact/hooks";
import { dayAndTime } from "../app/clock.ts";
import { type First, type Firsts, readFirsts } from "../app/grouped.ts";
import { acknowledge } from "../app/outbox.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { here, setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { SelectField, TextField } from "../parts/form.tsx";
import { GroupButton, GroupMembers, isGroupOpen } from "../parts/group.tsx";
import { Held } from "../parts/held.tsx";
import { PriorityMark, StateMark } from "../parts/marks.tsx";
import { Empty } from "../parts/states.tsx";
import { useSteady } from "../parts/steady.ts";
import { texts } from "../texts.ts";
import { patternsOf } from "./rule/patterns.ts";

type Item = Answers["EventPage"]["items"][number];
type Data = { events: Answers["EventPage"]; sites: Answers["Site"][]; types: Answers["EventType"][]; firsts: Firsts };

/**
 * One row for a group: an event that rang nobody stands behind the one that did, which takes the place of the newest of
 * them. Without that one at hand, the newest stands for all.
 */
const foldGroups = (items: readonly Item[], firsts: Firsts): Item[] => {
  const byId = new Map(items.map((item) => [item.id, item]));
  const heads = new Map<string, Item>();
  for (const item of items) {
    const head = item.groupedInto ?? item.id;
    if (!heads.has(head)) heads.set(head, byId.get(head) ?? firsts.get(head) ?? item);
  }
  return [...heads.values()];
};

const states = [
  ["", texts.events.anyState],
  ["open", texts.states.open],
  ["acknowledged", texts.states.acknowledged],
  ["resolved", texts.states.resolved],
  ["expired", texts.states.expired],
] as const;

/** A complete event key or pattern, which the API takes. Anything shorter filters this page by how keys begin. */
const PATTERN = /^(?:\*|[a-z0-9_]+\.(?:\*|[a-z0-9_]+))$/;

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

const Filters = ({ data: { sites, types }, context: { query } }: ViewProps<Data>) => {
  const asked = (name: string): string => query().get(name) ?? "";
  const siteOptions = [["", texts.events.allSites], ...sites.map((one) => [one.site, one.name] as const)] as const;
  return (
    <search class="filters">
      <TextField
        label={texts.events.search}
        name="search"
        type="search"
        value={asked("search")}
        onValue={(search) => setQuery({ search })}
      />
      <SelectField
        label={texts.events.state}
        name="state"
        value={asked("state")}
        options={states}
        onValue={(state) => setQuery({ state, page: undefined })}
      />
      <TextField
        label={texts.rule.eventKey}
        name="eventKey"
        value={asked("eventKey")}
        options={patternsOf(types)}
        onValue={(eventKey) => setQuery({ eventKey, page: undefined })}
      />
      <SelectField
        label={texts.events.site}
        name="site"
        value={asked("site")}
        options={siteOptions}
        onValue={(site) => setQuery({ site, page: undefined })}
      />
    </search>
  );
};

type RowProps = Pick<ViewProps<Data>["context"], "api"> & {
  event: Item;
  firsts: Firsts;
  chosen: boolean;
  onChosen: (chosen: boolean) => void;
};

const GroupOf = ({ into, first }: { into: string; first: First | undefined }) => (
  <span class="soft">
    {texts.group.in} <a href={`/events/${into}`}>{first?.title ?? texts.group.itsGroup}</a>
  </span>
);

const Row = ({ event, firsts, chosen, onChosen, api }: RowProps) => {
  const first = firsts.get(event.id);
  return (
    <li>
      {event.state === "open" && (
        <input
          type="checkbox"
          aria-label={texts.events.choose(event.title)}
          checked={chosen}
          onChange={({ currentTarget }) => onChosen(currentTarget.checked)}
        />
      )}
      <a href={`/events/${event.id}`} data-row>
        {event.title}
      </a>
      {first !== undefined && first.grouped > 0 && <GroupButton first={first} count={first.grouped} />}
      {event.groupedInto !== null && <GroupOf into={event.groupedInto} first={firsts.get(event.groupedInto)} />}
      <StateMark value={event.state} />
      <PriorityMark value={event.priority} />
      <code>{event.eventKey}</code>
      <span class="soft number">{texts.events.told(event._count.notifications)}</span>
      <span class="soft" title={dayAndTime(event.receivedAt)}>
        <Ago at={event.receivedAt} />
      </span>
      {first !== undefined && isGroupOpen(event.id) && <GroupMembers first={first} api={api} />}
    </li>
  );
};

const NothingFound = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty>
    {isFiltered ? (
      texts.events.noneFound
    ) : (
      <>
        <p>{texts.events.empty}</p>
        <p>
          <a href="/keys">{texts.events.toKeys}</a>
        </p>
      </>
    )}
  </Empty>
);

const FILTERS = ["search", "state", "eventKey", "site"] as const;

const EventsView = (props: ViewProps<Data>) => {
  const { data, context, refresh } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const asked = (name: string): string => context.query().get(name) ?? "";
  const wanted = asked("search").toLowerCase();
  const begun = PATTERN.test(asked("eventKey")) ? "" : asked("eventKey");
  const found = data.events.items.filter(
    ({ title, eventKey }) => title.toLowerCase().includes(wanted) && eventKey.startsWith(begun),
  );
  const rows = asked("outcome") === "grouped" ? found : foldGroups(found, data.firsts);
  const question = [data.events.page, ...FILTERS.map(asked)].join(" ");
  const { items, held, show } = useSteady(rows, question);
  const open = items.filter(({ id, state }) => state === "open" && chosen.has(id)).map(({ id }) => id);
  const run = async (): Promise<string> => {
    const sent = await acknowledge(context.workspaceId, open);
    setChosen(new Set());
    await refresh();
    return sent === open.length ? texts.events.acknowledged(sent) : texts.inbox.kept(open.length - sent);
  };
  const choose = (id: string, isIn: boolean): void =>
    setChosen(new Set(isIn ? [...chosen, id] : [...chosen].filter((one) => one !== id)));
  return (
    <>
      <Filters {...props} />
      <Held count={held} show={show} />
      {open.length > 0 && (
        <p class="chosen">
          <Action look="main" action={run}>
            {texts.events.acknowledge(open.length)}
          </Action>
        </p>
      )}
      {items.length === 0 ? (
        <NothingFound isFiltered={data.events.total > 0 || FILTERS.some((name) => asked(name) !== "")} />
      ) : (
        <ul class="rows">
          {items.map((event) => (
            <Row
              key={event.id}
              event={event}
              firsts={data.firsts}
              api={context.api}
              chosen={chosen.has(event.id)}
              onChosen={(isIn) => choose(event.id, isIn)}
            />
          ))}
        </ul>
      )}
      <Pages events={data.events} />
    </>
  );
};

export const page = definePage<Data>({
  heading: texts.pages.events,
  load: async ({ api, workspaceId, query }) => {
    const ask = (name: string): string | undefined => query().get(name) ?? undefined;
    const typed = ask("eventKey");
    const eventKey = typed !== undefined && PATTERN.test(typed) ? typed : undefined;
    const [events, sites, types] = await Promise.all([
      api("events/list-events", { query: { page: ask("page"), site: ask("site"), state: ask("state"), eventKey } }),
      api("sites/list-sites", {}),
      api("event-types/list-event-types", {}),
    ]);
    const seen = events.items.map(({ id, eventKey, _count }) => ({ id, eventKey, told: _count.notifications }));
    const into = events.items.flatMap(({ groupedInto }) => groupedInto ?? []);
    return { events, sites, types, firsts: await readFirsts({ api, workspaceId }, seen, into) };
  },
  everySeconds: 10,
  View: EventsView,
});
