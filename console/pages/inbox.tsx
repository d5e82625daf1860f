import { signal } from "@preact/signals";
import { acknowledge, unsentIds } from "../app/outbox.ts";
import { definePage, type PageContext, type ViewProps } from "../app/page.tsx";
import { setQuery } from "../app/router.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { CheckField } from "../parts/form.tsx";
import { Held } from "../parts/held.tsx";
import { PriorityMark, StatusMark } from "../parts/marks.tsx";
import { Empty } from "../parts/states.tsx";
import { useSteady } from "../parts/steady.ts";
import { texts } from "../texts.ts";
import type * as GuideModule from "./inbox/guide.tsx";
import { endGuide, guideState } from "./inbox/guided.ts";
import { type Open, readOpen } from "./inbox/open.ts";

type Data = {
  open: Open[];
  /** Loaded only when needed: most people never see it. */
  guide: { Guide: (typeof GuideModule)["Guide"]; progress: GuideModule.Progress; sent: boolean } | undefined;
};

/** Events acknowledged just now: they look done before the answer is there, and come back if it is a refusal. */
const pressed = signal<ReadonlySet<string>>(new Set());
const press = (ids: readonly string[]): void => {
  pressed.value = new Set([...pressed.value, ...ids]);
};
const release = (ids: readonly string[]): void => {
  pressed.value = new Set([...pressed.value].filter((id) => !ids.includes(id)));
};

const acknowledgeAll = async (workspaceId: string, some: readonly Open[]): Promise<string> => {
  const ids = some.map(({ id }) => id);
  press(ids);
  try {
    const sent = await acknowledge(workspaceId, ids);
    return sent === ids.length ? texts.inbox.acknowledged(sent) : texts.inbox.kept(ids.length - sent);
  } catch (error) {
    release(ids);
    throw error;
  }
};

const isShared = (query: URLSearchParams): boolean => query.get("all") === "1";

type ItemProps = { item: Open; shared: boolean; run: (some: readonly Open[]) => Promise<string> };

const Item = ({ item, shared, run }: ItemProps) => {
  const { id, names, rules } = item;
  const { event, priority, status, createdAt, escalationStep } = item.first;
  const isUnsent = unsentIds.value.has(id);
  return (
    <article aria-labelledby={id} tabIndex={-1} data-row class="alert">
      <h2 id={id}>
        <a href={`/events/${id}`}>{event.title}</a>
      </h2>
      <p class="facts">
        <PriorityMark value={priority} />
        <Ago at={createdAt} />
        <code>{event.eventKey}</code>
        <span class="soft">{texts.inbox.because(rules.join(", "), escalationStep)}</span>
        {shared ? <span>{names.join(", ")}</span> : <StatusMark value={status} />}
      </p>
      <p class="buttons">
        {pressed.value.has(id) || isUnsent ? (
          <strong class={isUnsent ? "wrong" : "status-acknowledged"}>
            {isUnsent ? texts.inbox.notSent : texts.status.ACKNOWLEDGED}
          </strong>
        ) : (
          <Action look="main" keyHint="a" action={() => run([item])}>
            {texts.inbox.acknowledge}
          </Action>
        )}
      </p>
    </article>
  );
};

const InboxView = ({ data, context, refresh }: ViewProps<Data>) => {
  const { guide } = data;
  const { workspaceId, query } = context;
  const shared = isShared(query());
  const { items, held, show } = useSteady(data.open, `${workspaceId} ${shared}`);
  const run = async (some: readonly Open[]): Promise<string> => {
    const done = await acknowledgeAll(workspaceId, some);
    await refresh();
    return done;
  };
  const open = items.filter(({ id }) => !pressed.value.has(id));
  return (
    <>
      {guide !== undefined && <guide.Guide {...guide} {...context} refresh={refresh} />}
      <div class="bar">
        <CheckField
          role="switch"
          label={texts.inbox.everyones}
          checked={shared}
          onChecked={(checked) => setQuery({ all: checked ? "1" : undefined })}
        />
        {open.length > 1 && <Action action={() => run(open)}>{texts.inbox.acknowledgeAll}</Action>}
      </div>
      <Held count={held} show={show} />
      {items.length === 0 && guide === undefined && (
        <Empty>
          <p>{shared ? texts.inbox.emptyShared : texts.inbox.empty}</p>
          <p>
            <a href="/events">{texts.inbox.toEvents}</a>
          </p>
        </Empty>
      )}
      {items.map((item) => (
        <Item key={item.id} item={item} shared={shared} run={run} />
      ))}
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
  const { Guide, readProgress } = await import("./inbox/guide.tsx");
  return { Guide, progress: await readProgress(api), sent: state === "sent" };
};

export const page = definePage<Data>({
  heading: texts.pages.inbox,
  load: async (context) => {
    const [open, guide] = await Promise.all([
      readOpen(context.api, isShared(context.query()) ? "everyones" : "mine"),
      readGuide(context),
    ]);
    return { open, guide };
  },
  everySeconds: 5,
  View: InboxView,
});
