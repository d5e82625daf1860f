import { useEffect, useState } from "preact/hooks";
import type { PageContext } from "../app/page.tsx";
import type { Answers } from "../app/types.ts";
import { texts } from "../texts.ts";
import { Ago } from "./ago.tsx";
import { useAction } from "./doing.ts";
import { Skeleton, ActionFailure } from "./states.tsx";

type ListedEvent = Answers["EventPage"]["items"][number];
type FirstEvent = { id: string; title: string; receivedAt: string };

const SHOWN = 20;
/** The number of events in one request: the API's maximum. */
const PAGE = 100;

type FoundMembers = { items: readonly ListedEvent[]; next: number | undefined };

/** Lists the other events of a group of events, newest first. A button continues the search in older events. */
export const GroupMembers = ({ first, api }: { first: FirstEvent } & Pick<PageContext, "api">) => {
  // The end of the search is fixed, because new events must not shift the pages.
  const [to] = useState(() => new Date().toISOString());
  const [{ items, next }, setFound] = useState<FoundMembers>({ items: [], next: 1 });
  const { busy, failure, run } = useAction(async () => {
    let [found, page]: [readonly ListedEvent[], number | undefined] = [items, next];
    while (page !== undefined && found.length < items.length + SHOWN) {
      const query = { outcome: "grouped", from: first.receivedAt, to, limit: PAGE, page };
      const read = await api("events/list-events", { query });
      found = [...found, ...read.items.filter(({ groupedInto }) => groupedInto === first.id)];
      page = page * PAGE < read.total ? page + 1 : undefined;
    }
    setFound({ items: found, next: page });
    return undefined;
  });
  useEffect(() => void run(), []);
  return (
    <div class="group" role="region" aria-label={texts.group.of(first.title)}>
      {items.length > 0 && (
        <ul class="rows">
          {items.map(({ id, title, eventKey, receivedAt }) => (
            <li key={id}>
              <a href={`/events/${id}`}>{title}</a>
              <code>{eventKey}</code>
              <span class="soft">
                <Ago at={receivedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {busy && items.length === 0 && <Skeleton />}
      <ActionFailure failure={failure} />
      {!busy && next === undefined && items.length === 0 && <p class="soft">{texts.group.none}</p>}
      {next !== undefined && (items.length > 0 || failure !== undefined) && (
        <p>
          <button type="button" aria-busy={busy} onClick={() => void run()}>
            {failure === undefined ? texts.group.more : texts.tryAgain}
          </button>
        </p>
      )}
    </div>
  );
};
