import { useState } from "preact/hooks";
import { GROUP, here, setQuery } from "../../app/router.ts";
import { Acknowledge } from "../../parts/acknowledge.tsx";
import { Ago } from "../../parts/ago.tsx";
import { PriorityMark } from "../../parts/marks.tsx";
import { narrow } from "../../parts/narrow.ts";
import { formatNumber } from "../../texts/numbers.ts";
import { texts } from "../../texts.ts";
import type { EventGroup, OpenEvent } from "./groups.ts";

type RunAction = (events: readonly OpenEvent[]) => Promise<string>;

const EventRow = ({ item, run }: { item: OpenEvent; run: RunAction }) => (
  <article aria-labelledby={item.id} tabIndex={-1} data-row class={`alert-row alert-${item.priority.toLowerCase()}`}>
    <PriorityMark value={item.priority} />
    <h2 id={item.id} dir="auto">
      <a href={`/events/${item.id}`}>{item.title}</a>
    </h2>
    <span class="soft small">
      <Ago at={item.at} />
    </span>
    <Acknowledge eventIds={[item.id]} describedBy={item.id} run={() => run([item])} />
  </article>
);

/** The maximum number of rows at first, which "Show more" doubles. On a slow phone, more rows take over 100 ms to draw. */
const ROWS_MAX = 20;

const EventRows = ({ events, run }: { events: readonly OpenEvent[]; run: RunAction }) => {
  const [max, setMax] = useState(ROWS_MAX);
  return (
    <>
      {events.slice(0, max).map((item) => (
        <EventRow key={item.id} item={item} run={run} />
      ))}
      {events.length > max && (
        <p>
          <button type="button" onClick={() => setMax(max * 2)}>
            {texts.group.more}
          </button>
        </p>
      )}
    </>
  );
};

/** Shows a group of events. One button expands the row, and another button acknowledges its events. */
export const GroupRow = ({ group: { key, name, events }, run }: { group: EventGroup; run: RunAction }) => {
  const [first] = events;
  if (events.length === 1) return <EventRow item={first} run={run} />;
  const isOpen = here.value.searchParams.get(GROUP) === key;
  return (
    <>
      <article aria-labelledby={key} tabIndex={-1} data-row class={`alert-row alert-${first.priority.toLowerCase()}`}>
        <PriorityMark value={first.priority} />
        <h2>
          <button
            type="button"
            class="quiet"
            aria-expanded={isOpen}
            onClick={() => setQuery({ [GROUP]: isOpen ? undefined : key })}
          >
            <span id={key} dir="auto">
              {name}
            </span>
            <span class="count rare-count">{formatNumber(events.length)}</span>
          </button>
        </h2>
        <span class="soft small">
          {!narrow.value && texts.inbox.newest} <Ago at={first.at} />
        </span>
        <Acknowledge eventIds={events.map(({ id }) => id)} describedBy={key} run={() => run(events)} />
      </article>
      {isOpen && (
        <div class="group" role="region" aria-label={texts.group.of(name)}>
          <EventRows events={events} run={run} />
        </div>
      )}
    </>
  );
};
