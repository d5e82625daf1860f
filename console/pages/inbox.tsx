import { useEffect } from "preact/hooks";
import { unsentIds } from "../app/outbox.ts";
import type { First } from "../app/grouped.ts";
import { definePage, type PageContext, type ViewProps } from "../app/page.tsx";
import { loadPart } from "../app/part.ts";
import { keepPressed, pressAcknowledge, pressed } from "../app/pressed.ts";
import { setQuery } from "../app/router.ts";
import { setWaiting } from "../app/waiting.ts";
import { Acknowledge } from "../parts/acknowledge.tsx";
import { Ago } from "../parts/ago.tsx";
import { CheckField } from "../parts/form.tsx";
import { GroupButton, GroupMembers, isGroupOpen, useFirsts } from "../parts/group.tsx";
import { Held } from "../parts/held.tsx";
import { PriorityMark, StatusMark } from "../parts/marks.tsx";
import { Duty } from "../parts/on-duty.tsx";
import { Empty } from "../parts/states.tsx";
import { useSteady } from "../parts/steady.ts";
import { Until } from "../parts/until.tsx";
import { texts } from "../texts.ts";
import { readDuty } from "./inbox/duty.ts";
import type * as GuideModule from "./inbox/guide.tsx";
import { endGuide, guideState } from "./inbox/guided.ts";
import { AcknowledgeAll } from "./inbox/acknowledge-all.tsx";
import { type Card, useCards } from "./inbox/cards.ts";
import { type Open, type OpenList, readEveryones, readMine } from "./inbox/open.ts";

type Data = OpenList & {
  duty: Awaited<ReturnType<typeof readDuty>>;
  /** Loaded only when needed: most people never see it. */
  guide: { Guide: (typeof GuideModule)["Guide"]; progress: GuideModule.Progress; sent: boolean } | undefined;
};

const isShared = (query: URLSearchParams): boolean => query.get("all") === "1";

/** Whom the event goes to next, and in what time. */
const Escalates = ({ next: { at, targets } }: { next: NonNullable<Card["next"]> }) => {
  const names = targets.flatMap(({ name }) => (name === null || name === "" ? [] : [name]));
  const [before, after] = texts.inbox.escalates(names);
  return (
    <>
      {before} <Until at={at} />
      {after !== "" && ` ${after}`}
    </>
  );
};

type ItemProps = Pick<PageContext, "api"> & {
  item: Open;
  /** Undefined until it is read. */
  card: Card | undefined;
  shared: boolean;
  /** Where events came after it and rang nobody. */
  first: First | undefined;
  run: (some: readonly Open[]) => Promise<string>;
};

const Item = ({ item, card, shared, first, run, api }: ItemProps) => {
  const { id, title, eventKey, priority, at, rules, names, told, escalationStep, status } = item;
  return (
    <article aria-labelledby={id} tabIndex={-1} data-row class={`alert alert-${priority.toLowerCase()}`}>
      <h2 id={id}>
        <a href={`/events/${id}`}>{title}</a>
      </h2>
      <p class="push">{card?.body}</p>
      <p class="facts">
        {first !== undefined && first.grouped > 0 && <GroupButton first={first} count={first.grouped} />}
        <PriorityMark value={priority} />
        <Ago at={at} />
        <code>{eventKey}</code>
        {rules.length > 0 && <span class="soft">{texts.inbox.because(rules.join(", "), escalationStep)}</span>}
        {shared && <span>{names.length === 0 ? texts.inbox.told(told) : names.join(", ")}</span>}
        {!shared && status !== undefined && <StatusMark value={status} />}
        {/* It is read later than the rest, and nothing may move then. */}
        {card?.site !== undefined && <span>{card.site}</span>}
      </p>
      <div class="act">
        <p class="ahead small">{card?.next !== undefined && <Escalates next={card.next} />}</p>
        <p class="buttons">
          <Acknowledge eventId={id} run={() => run([item])} />
        </p>
      </div>
      {first !== undefined && isGroupOpen(id) && <GroupMembers first={first} api={api} />}
    </article>
  );
};

const More = ({ data: { more }, shared }: { data: Data; shared: boolean }) => {
  if (more === 0) return null;
  return (
    <p class="soft">
      {shared ? texts.inbox.more(more) : texts.inbox.moreOfMine} <a href="/events?state=open">{texts.inbox.toEvents}</a>
    </p>
  );
};

const InboxView = ({ data, context, refresh }: ViewProps<Data>) => {
  const { guide } = data;
  const { api, workspaceId, query } = context;
  const shared = isShared(query());
  const { items, held, show } = useSteady(data.open, `${workspaceId} ${shared}`);
  const firsts = useFirsts(context, data.open);
  const cards = useCards(context, data.open);
  useEffect(() => {
    if (!shared) setWaiting(workspaceId, data.open);
  }, [data.open, shared]);
  useEffect(() => keepPressed(data.open.map(({ id }) => id)), [data.open]);
  const run = async (some: readonly Open[]): Promise<string> => {
    try {
      const ids = some.map(({ id }) => id);
      return await pressAcknowledge(workspaceId, ids);
    } finally {
      // How it stands is shown when it is there; the press has its answer already.
      void refresh();
    }
  };
  const open = items.filter(({ id }) => !pressed.value.has(id) && !unsentIds.value.has(id));
  return (
    <>
      <Duty shifts={data.duty} />
      {guide !== undefined && <guide.Guide {...guide} {...context} refresh={refresh} />}
      <div class="bar">
        <CheckField
          role="switch"
          label={texts.inbox.everyones}
          checked={shared}
          onChecked={(checked) => setQuery({ all: checked ? "1" : undefined })}
        />
        {open.length > 1 && <AcknowledgeAll open={open} api={api} run={run} />}
      </div>
      <Held count={held} show={show} />
      {items.length === 0 && guide === undefined && (
        <Empty next={<a href="/events">{texts.inbox.toEvents}</a>}>
          {shared ? texts.inbox.emptyShared : texts.inbox.empty}
        </Empty>
      )}
      {items.map((item) => (
        <Item
          key={item.id}
          item={item}
          card={cards.get(item.id)}
          shared={shared}
          first={firsts.get(item.id)}
          run={run}
          api={api}
        />
      ))}
      <More data={data} shared={shared} />
    </>
  );
};

/** The guide, if the workspace has had no event yet, or is on its way to the first acknowledgement. */
const readGuide = async ({ api, workspaceId }: PageContext): Promise<Data["guide"]> => {
  const state = guideState(workspaceId);
  if (state === "ended") return undefined;
  if (state === undefined) {
    const { total } = await api("events/list-events", { query: { limit: 1 } });
    // From then on there is an event, so this need not be asked again.
    if (total > 0) return endGuide(workspaceId);
  }
  const { Guide, readProgress } = await loadPart(() => import("./inbox/guide.tsx"), "guide");
  return { Guide, progress: await readProgress(api), sent: state === "sent" };
};

export const page = definePage<Data>({
  heading: texts.pages.inbox,
  load: async (context) => {
    const [open, guide, duty] = await Promise.all([
      isShared(context.query()) ? readEveryones(context.api) : readMine(context.api),
      readGuide(context),
      readDuty(context),
    ]);
    return { ...open, guide, duty };
  },
  everySeconds: 5,
  View: InboxView,
});
