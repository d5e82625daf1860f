import { signal } from "@preact/signals";
import { acknowledge, unsentIds } from "../app/outbox.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { CheckField } from "../parts/form.tsx";
import { Held } from "../parts/held.tsx";
import { PriorityMark, StatusMark } from "../parts/marks.tsx";
import { Empty } from "../parts/states.tsx";
import { useSteady } from "../parts/steady.ts";
import { texts } from "../texts.ts";

type Notification = Answers["Notification"];

/** Events pressed just now: they look done before the answer is there, and come back where it is a refusal. */
const pressed = signal<ReadonlySet<string>>(new Set());
const press = (ids: readonly string[]): void => {
  pressed.value = new Set([...pressed.value, ...ids]);
};
const release = (ids: readonly string[]): void => {
  pressed.value = new Set([...pressed.value].filter((id) => !ids.includes(id)));
};

const acknowledgeAll = async (workspaceId: string, notifications: readonly Notification[]): Promise<string> => {
  const ids = [...new Set(notifications.map(({ event }) => event.id))];
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

const Item = ({
  notification,
  shared,
  run,
}: {
  notification: Notification;
  shared: boolean;
  run: (some: readonly Notification[]) => Promise<string>;
}) => {
  const { id, event, user, rule, priority, status, createdAt, escalationStep } = notification;
  const isPressed = pressed.value.has(event.id);
  return (
    <article aria-labelledby={id} tabIndex={-1} data-row class="alert">
      <h2 id={id}>
        <a href={`/events/${event.id}`}>{event.title}</a>
      </h2>
      <p class="facts">
        <PriorityMark value={priority} />
        <Ago at={createdAt} />
        <code>{event.eventKey}</code>
        <span class="soft">{texts.inbox.because(rule.name, escalationStep)}</span>
        {shared && <span>{user.name}</span>}
        <StatusMark value={status} />
      </p>
      <p class="buttons">
        {isPressed ? (
          <strong class={unsentIds.value.has(event.id) ? "wrong" : "status-acknowledged"}>
            {unsentIds.value.has(event.id) ? texts.inbox.notSent : texts.status.ACKNOWLEDGED}
          </strong>
        ) : (
          <Action look="main" keyHint="a" action={() => run([notification])}>
            {texts.inbox.acknowledge}
          </Action>
        )}
      </p>
    </article>
  );
};

const InboxView = ({ data, context: { workspaceId, query }, refresh }: ViewProps<Notification[]>) => {
  const shared = isShared(query());
  const { items, held, show } = useSteady(data, `${workspaceId} ${shared}`);
  const run = async (some: readonly Notification[]): Promise<string> => {
    const done = await acknowledgeAll(workspaceId, some);
    await refresh();
    return done;
  };
  const open = items.filter(({ event }) => !pressed.value.has(event.id));
  return (
    <>
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
      {items.length === 0 ? (
        <Empty>
          <p>{shared ? texts.inbox.emptyShared : texts.inbox.empty}</p>
          <p>
            <a href="/events">{texts.inbox.toEvents}</a>
          </p>
        </Empty>
      ) : (
        items.map((notification) => (
          <Item key={notification.id} notification={notification} shared={shared} run={run} />
        ))
      )}
    </>
  );
};

/** As many as the API gives at once. */
const NOTIFICATIONS_MAX = 200;
const EVENTS_MAX = 100;

/** Whether an event is among those that are open; of one older than those that were listed nobody knows, and it stays. */
const isOpenIn = ({ items, total }: Answers["EventPage"]): ((notification: Notification) => boolean) => {
  const ids = new Set(items.map(({ id }) => id));
  const oldest = items.at(-1)?.receivedAt ?? "";
  return ({ event, createdAt }) => ids.has(event.id) || (total > items.length && createdAt < oldest);
};

export const page = definePage<Notification[]>({
  heading: texts.pages.inbox,
  load: async ({ api, me, query }) => {
    const [all, open] = await Promise.all([
      api("notifications/list-notifications", { query: { limit: NOTIFICATIONS_MAX } }),
      api("events/list-events", { query: { state: "open", limit: EVENTS_MAX } }),
    ]);
    const isOpen = isOpenIn(open);
    const shared = isShared(query());
    return all.filter(
      (one) => one.requiresAck && one.status !== "ACKNOWLEDGED" && isOpen(one) && (shared || one.user.id === me),
    );
  },
  everySeconds: 5,
  View: InboxView,
});
