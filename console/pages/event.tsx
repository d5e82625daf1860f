import { useState } from "preact/hooks";
import type { Api } from "../app/api.ts";
import { exactly } from "../app/clock.ts";
import { acknowledge } from "../app/outbox.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { Form, TextField } from "../parts/form.tsx";
import { PriorityMark, StateMark, StatusMark } from "../parts/marks.tsx";
import { TraceList } from "../parts/trace.tsx";
import { texts } from "../texts.ts";

type Event = Answers["Event"];
type Notification = Answers["Notification"];
type Explanation = Answers["EventExplanation"];
type Data = { event: Event; members: Answers["Member"][]; why: Explanation | undefined };

type Moment = { at: string; key: string; text: string; bad?: boolean };

const momentsOf = ({
  id,
  createdAt,
  sentAt,
  acknowledgedAt,
  acknowledgedBy,
  status,
  failedReason,
  user,
  rule,
  escalationStep,
}: Notification) => {
  const who = user.name === "" ? user.id : user.name;
  const moments: Moment[] = [
    { at: createdAt, key: `${id} 1`, text: texts.event.called(who, rule.name, escalationStep) },
    ...(sentAt === null ? [] : [{ at: sentAt, key: `${id} 2`, text: texts.event.sent(who) }]),
    ...(acknowledgedAt === null
      ? []
      : [{ at: acknowledgedAt, key: `${id} 3`, text: texts.event.acknowledged(acknowledgedBy?.name ?? who) }]),
  ];
  if (status === "FAILED")
    moments.push({ at: createdAt, key: `${id} 4`, text: texts.event.failed(who, failedReason ?? ""), bad: true });
  return moments;
};

/** What people did about the event as a whole. */
const deedsOf = ({ acknowledgedAt, acknowledgedBy, resolvedAt, resolvedBy, note, notifications }: Event): Moment[] => {
  const told = notifications.some((one) => one.acknowledgedAt === acknowledgedAt);
  return [
    ...(acknowledgedAt === null || told
      ? []
      : [{ at: acknowledgedAt, key: "acknowledged", text: texts.event.acknowledged(acknowledgedBy?.name ?? "") }]),
    ...(resolvedAt === null
      ? []
      : [{ at: resolvedAt, key: "resolved", text: texts.event.resolved(resolvedBy?.name ?? "", note) }]),
  ];
};

/** Everything known to have happened, in order of time; at the same time, in order of cause. */
const storyOf = (event: Event): Moment[] => {
  const later = [...event.notifications.toReversed().flatMap(momentsOf), ...deedsOf(event)].toSorted(
    (one, other) => Date.parse(one.at) - Date.parse(other.at),
  );
  const [first] = later;
  return [
    { at: event.receivedAt, key: "received", text: texts.event.received },
    ...event.matchedRules.map(({ id, name, version }) => ({
      at: first?.at ?? event.receivedAt,
      key: id,
      text: texts.event.matched(name, version),
    })),
    ...later,
  ];
};

/** Minutes, seconds and milliseconds matter here; the day is shown once above. */
const clockTime = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});

const Story = ({ event }: { event: Event }) => (
  <ol class="story">
    {storyOf(event).map(({ at, key, text, bad = false }) => (
      <li key={key} class={bad ? "bad" : undefined}>
        <time class="mono" dateTime={at} title={exactly(at)}>
          {clockTime.format(new Date(at))}
        </time>
        <span>{text}</span>
      </li>
    ))}
  </ol>
);

/** `data` as rows: a dotted path, as rules write it, and its value. */
const leavesOf = (data: Readonly<Record<string, unknown>>, path = ""): [path: string, value: string][] =>
  Object.entries(data).flatMap(([key, value]): [string, string][] => {
    const inner = path === "" ? key : `${path}.${key}`;
    const isGroup = (one: unknown): one is Record<string, unknown> => typeof one === "object" && one !== null;
    return isGroup(value) ? leavesOf(value, inner) : [[inner, String(value)]];
  });

const Details = ({ data }: { data: NonNullable<Event["data"]> }) => (
  <>
    <h2 id="details">{texts.event.details}</h2>
    <dl class="pairs" aria-labelledby="details">
      {leavesOf(data).map(([path, value]) => (
        <div key={path}>
          <dt>
            <code>{path}</code>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </>
);

const Explained = ({ why }: { why: Explanation }) => (
  <div class="note" role="region" aria-label={texts.event.explained(why.user.name ?? why.user.id)}>
    <p>
      <strong>{why.summary}</strong>
    </p>
    {why.rules.map((rule) => (
      <div key={rule.id}>
        <p>
          <a href={`/rules/${rule.id}`}>{rule.name}</a>: {rule.message}
        </p>
        {rule.trace !== null && <TraceList trace={rule.trace} />}
      </div>
    ))}
    {why.notes.map((note) => (
      <p key={note} class="soft">
        {note}
      </p>
    ))}
  </div>
);

const People = ({ event, members, why }: Data) => {
  const told = new Map(event.notifications.map((notification) => [notification.user.id, notification]));
  const gone = event.notifications
    .map(({ user }) => ({ userId: user.id, name: user.name }))
    .filter(({ userId }) => members.every((member) => member.userId !== userId));
  return (
    <ul class="rows">
      {[...members, ...gone]
        .toSorted((one, other) => Number(told.has(other.userId)) - Number(told.has(one.userId)))
        .map(({ userId, name }) => {
          const notification = told.get(userId);
          const isOpen = why?.user.id === userId;
          const question = notification === undefined ? texts.event.whyNot : texts.event.why;
          return (
            <li key={userId}>
              <strong>{name === "" ? userId : name}</strong>
              {notification === undefined ? (
                <span class="soft">{texts.event.notTold}</span>
              ) : (
                <StatusMark value={notification.status} />
              )}
              <button
                type="button"
                aria-expanded={isOpen}
                aria-label={`${question} ${name}`}
                onClick={() => setQuery({ why: isOpen ? undefined : userId })}
              >
                {question}
              </button>
              {isOpen && <Explained why={why} />}
            </li>
          );
        })}
    </ul>
  );
};

const EventActions = ({ data: { event }, context: { api, workspaceId }, refresh }: ViewProps<Data>) => {
  const run = async (): Promise<string> => {
    const sent = await acknowledge(workspaceId, [event.id]);
    await refresh();
    return sent === 1 ? texts.inbox.acknowledged(1) : texts.inbox.kept(1);
  };
  const resolve = async (): Promise<string> => {
    await api("events/resolve-event", { path: { eventId: event.id }, body: {} });
    await refresh();
    return texts.event.isResolved;
  };
  return (
    <p class="buttons">
      {event.state === "open" && (
        <Action look="main" action={run} keyHint="a">
          {texts.inbox.acknowledge}
        </Action>
      )}
      {event.state !== "resolved" && <Action action={resolve}>{texts.event.resolve}</Action>}
      <a class="button" href={`/rules/new?event=${event.id}`}>
        {texts.event.replay}
      </a>
    </p>
  );
};

/** Resolving with a note for those who come after. */
const ResolveWithNote = ({
  event,
  api,
  refresh,
}: { event: Event } & Pick<ViewProps<Data>, "refresh"> & { api: Api }) => {
  const [note, setNote] = useState("");
  if (event.state === "resolved") return null;
  const send = async (): Promise<string> => {
    await api("events/resolve-event", { path: { eventId: event.id }, body: { note } });
    await refresh();
    return texts.event.isResolved;
  };
  return (
    <details>
      <summary>{texts.event.withNote}</summary>
      <Form send={send} submit={texts.event.resolve} fields={["note"]}>
        <TextField label={texts.event.note} name="note" value={note} onValue={setNote} />
      </Form>
    </details>
  );
};

const EventView = ({ data, context: { api }, refresh }: ViewProps<Data>) => {
  const { event } = data;
  return (
    <>
      <p class="facts">
        <StateMark value={event.state} />
        <PriorityMark value={event.priority} />
        <code>{event.eventKey}</code>
        <Ago at={event.receivedAt} />
        <span>{texts.event.outcomes[event.outcome]}</span>
        <code class="soft">{event.id}</code>
      </p>
      <p class="push-text">{event.body}</p>
      {event.detail !== null && <p class="push-text">{event.detail}</p>}
      {event.url !== null && (
        <p>
          <a href={event.url} rel="noreferrer noopener" target="_blank">
            {event.url}
          </a>
        </p>
      )}
      {event.data !== null && Object.keys(event.data).length > 0 && <Details data={event.data} />}
      <h2 id="story">{texts.event.story}</h2>
      <section aria-labelledby="story">
        <p class="soft small">{exactly(event.receivedAt)}</p>
        <Story event={event} />
        {event.matchedRules.length === 0 && event.matched && <p>{texts.event.noRule}</p>}
        <ResolveWithNote event={event} api={api} refresh={refresh} />
      </section>
      <h2>{texts.event.people}</h2>
      <People {...data} />
    </>
  );
};

export const page = definePage<Data>({
  heading: texts.pages.event,
  headingOf: ({ event }) => event.title,
  load: async ({ api, params, query }) => {
    const eventId = params["id"] ?? "";
    const asked = query().get("why");
    const [event, members, why] = await Promise.all([
      api("events/get-event", { path: { eventId } }),
      api("members/list-members", {}),
      asked === null ? undefined : api("events/explain-event", { path: { eventId }, query: { userId: asked } }),
    ]);
    return { event, members, why };
  },
  everySeconds: 5,
  Actions: EventActions,
  View: EventView,
});
