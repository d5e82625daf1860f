import { useEffect } from "preact/hooks";
import { definePage, type PageContext, type StatusText, type ViewProps } from "../app/page.tsx";
import { loadPart } from "../app/part.ts";
import { forgetClosedEvents, pressAcknowledge } from "../app/pressed.ts";
import { setQuery } from "../app/router.ts";
import { setOpenCount } from "../app/waiting.ts";
import { Acknowledge } from "../parts/acknowledge.tsx";
import { Ago } from "../parts/ago.tsx";
import { CheckField } from "../parts/form.tsx";
import { GroupButton, isGroupOpen } from "../parts/group.tsx";
import { NewItemsNotice } from "../parts/held-items.tsx";
import { LazyPart } from "../parts/later.tsx";
import { PriorityMark } from "../parts/marks.tsx";
import { DutyShifts } from "../parts/on-duty.tsx";
import { Empty } from "../parts/states.tsx";
import { useSteadyList } from "../parts/use-steady.ts";
import { TimeLeft } from "../parts/time-left.tsx";
import { texts } from "../texts.ts";
import { formatNumber } from "../texts/numbers.ts";
import { readDuty } from "./inbox/duty.ts";
import type * as GuideModule from "./inbox/guide.tsx";
import { endGuide, readGuideState } from "./inbox/guided.ts";
import { AcknowledgeAll } from "./inbox/acknowledge-all.tsx";
import { CARDS_MAX, groupByRule, type OpenEvent } from "./inbox/groups.ts";
import { type OpenList, readOpenPage } from "./inbox/open.ts";
import { GroupRow } from "./inbox/rows.tsx";

type Data = OpenList & {
  duty: Awaited<ReturnType<typeof readDuty>>;
  /** The guide's code is loaded only when needed, because most people never see the guide. */
  guide: { Guide: (typeof GuideModule)["Guide"]; progress: GuideModule.Progress; sent: boolean } | undefined;
};

/** Returns whether the inbox shows everybody's open events. */
const isShared = (query: URLSearchParams): boolean => query.get("all") === "1";

const NextEscalation = ({
  next: { at, targets },
}: {
  next: NonNullable<NonNullable<OpenEvent["card"]>["escalation"]>;
}) => {
  const [before, after] = texts.inbox.escalates(targets);
  return (
    <>
      {before} <TimeLeft at={at} />
      {after !== "" && ` ${after}`}
    </>
  );
};

type ItemProps = Pick<PageContext, "api"> & {
  item: OpenEvent;
  shared: boolean;
  run: (events: readonly OpenEvent[]) => Promise<StatusText>;
};

const EventCard = ({ item, shared, run, api }: ItemProps) => {
  const { id, title, eventKey, priority, at, rules, card } = item;
  return (
    <article aria-labelledby={id} tabIndex={-1} data-row class={`alert alert-${priority.toLowerCase()}`}>
      <h2 id={id} dir="auto">
        <a href={`/events/${id}`}>{title}</a>
      </h2>
      <p class="push" dir="auto">
        {card?.body}
      </p>
      <p class="facts">
        {card !== null && card.grouped > 0 && <GroupButton first={item} count={card.grouped} />}
        <PriorityMark value={priority} />
        <Ago at={at} />
        <code>{eventKey}</code>
        {rules.length > 0 && <span class="soft">{texts.inbox.because(rules.map(({ name }) => name).join(", "))}</span>}
        {shared && card !== null && card.recipients.length > 0 && <span>{texts.inbox.names(card.recipients)}</span>}
        {card !== null && card.site !== null && <span>{card.site}</span>}
      </p>
      <div class="act">
        <p class="ahead small">
          {card !== null && card.escalation !== null && <NextEscalation next={card.escalation} />}
        </p>
        <p class="buttons">
          <Acknowledge eventIds={[id]} describedBy={id} run={() => run([item])} />
        </p>
      </div>
      {isGroupOpen(id) && (
        <LazyPart load={() => import("../parts/group-members.tsx")}>
          {({ GroupMembers }) => <GroupMembers first={{ id, title, receivedAt: at }} api={api} />}
        </LazyPart>
      )}
    </article>
  );
};

/** Returns a function that acknowledges events and returns a message about the outcome. */
const createAcknowledge =
  ({ context: { workspaceId }, refresh }: Pick<ViewProps<Data>, "context" | "refresh">) =>
  async (events: readonly OpenEvent[]): Promise<StatusText> => {
    try {
      const ids = events.map(({ id }) => id);
      return await pressAcknowledge(workspaceId, ids);
    } finally {
      // The refresh is not awaited, because the service has already confirmed the acknowledgement.
      void refresh();
    }
  };

const InboxActions = (props: ViewProps<Data>) => {
  const { data, context } = props;
  const { open, total, urgencies } = data;
  const shared = isShared(context.query());
  return (
    <div class="inbox-head">
      {total > 0 && (
        <p class="totals number">
          <span>{texts.inbox.open(total)}</span>
          {(["URGENT", "HIGH"] as const).map(
            (priority) =>
              urgencies[priority] > 0 && (
                <span key={priority} class={`priority-${priority.toLowerCase()}`}>
                  {formatNumber(urgencies[priority])} {texts.priority[priority].toLowerCase()}
                </span>
              ),
          )}
          {open.length < total && (
            <a href="/events?state=open" class="soft">
              {texts.inbox.shown(open.length, total)}
            </a>
          )}
        </p>
      )}
      <CheckField
        role="switch"
        label={texts.inbox.everyones}
        checked={shared}
        onChecked={(checked) => setQuery({ all: checked ? "1" : undefined })}
      />
      {total > 1 && <AcknowledgeAll list={data} isShared={shared} api={context.api} run={createAcknowledge(props)} />}
      <DutyShifts shifts={data.duty} />
    </div>
  );
};

const InboxView = (props: ViewProps<Data>) => {
  const { data, context, refresh } = props;
  const { guide } = data;
  const { api, workspaceId, query } = context;
  const shared = isShared(query());
  const { items, heldCount, show } = useSteadyList(data.open, `${workspaceId} ${shared}`);
  useEffect(() => {
    if (!shared) setOpenCount(workspaceId, data);
  }, [data.open, shared]);
  useEffect(() => forgetClosedEvents(data.open.map(({ id }) => id)), [data.open]);
  const run = createAcknowledge(props);
  return (
    <>
      {guide !== undefined && <guide.Guide {...guide} {...context} refresh={refresh} />}
      <NewItemsNotice count={heldCount} show={show} />
      {items.length === 0 && guide === undefined && (
        <Empty next={<a href="/events">{texts.inbox.toEvents}</a>}>
          {shared ? texts.inbox.emptyShared : texts.inbox.empty}
        </Empty>
      )}
      {items.length > CARDS_MAX
        ? groupByRule(items).map((group) => <GroupRow key={group.key} group={group} run={run} />)
        : items.map((item) => <EventCard key={item.id} item={item} shared={shared} run={run} api={api} />)}
    </>
  );
};

/** Loads the guide, but only if the workspace has no event, or if the guide has sent its event and has not ended. */
const readGuide = async ({ api, workspaceId }: PageContext): Promise<Data["guide"]> => {
  const state = readGuideState(workspaceId);
  if (state === "ended") return undefined;
  if (state === undefined) {
    const { total } = await api("events/list-events", { query: { limit: 1 } });
    // A workspace with an event no longer needs the guide.
    if (total > 0) return endGuide(workspaceId);
  }
  const { Guide, readSetupProgress } = await loadPart(() => import("./inbox/guide.tsx"), "guide");
  return { Guide, progress: await readSetupProgress(api), sent: state === "sent" };
};

export const page = definePage<Data>({
  heading: texts.pages.inbox,
  load: async (context) => {
    const [open, guide, duty] = await Promise.all([
      readOpenPage(context.api, isShared(context.query())),
      readGuide(context),
      readDuty(context),
    ]);
    return { ...open, guide, duty };
  },
  everySeconds: 6,
  Actions: InboxActions,
  View: InboxView,
});
