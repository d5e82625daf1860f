import { exactly } from "../app/clock.ts";
import { acknowledge } from "../app/outbox.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { PriorityMark, StatusMark } from "../parts/marks.tsx";
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
    ...(acknowledgedAt === null ? [] : [{ at: acknowledgedAt, key: `${id} 3`, text: texts.event.acknowledged(who) }]),
  ];
  if (status === "FAILED")
    moments.push({ at: createdAt, key: `${id} 4`, text: texts.event.failed(who, failedReason ?? ""), bad: true });
  return moments;
};

/** Everything that is known to have happened, in the order of time; of one time, in the order of cause. */
const storyOf = (event: Event): Moment[] => {
  const later = event.notifications
    .toReversed()
    .flatMap(momentsOf)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
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

/** Minutes, seconds and milliseconds matter here; the day is told once above. */
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

/** `data` as rows: a dotted path, as rules name it, and its value. */
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

/** Of the event, what this person can still acknowledge: what was sent to him, or else what nobody has taken on. */
const openOf = ({ notifications }: Event, me: string): Notification[] => {
  const taken = notifications.some(({ status }) => status === "ACKNOWLEDGED");
  const open = notifications.filter(({ requiresAck, status }) => requiresAck && status !== "ACKNOWLEDGED");
  const mine = open.filter(({ user }) => user.id === me);
  return mine.length > 0 || taken ? mine : open.slice(0, 1);
};

const EventActions = ({ data: { event }, context: { workspaceId, me }, refresh }: ViewProps<Data>) => {
  const open = openOf(event, me);
  const run = async (): Promise<string> => {
    let sent = true;
    for (const { id } of open) sent = (await acknowledge(workspaceId, id)) && sent;
    await refresh();
    return sent ? texts.inbox.acknowledged(open.length) : texts.inbox.kept(open.length);
  };
  return (
    <p class="buttons">
      {open.length > 0 && (
        <Action look="main" action={run} keyHint="a">
          {texts.inbox.acknowledge}
        </Action>
      )}
      <a class="button" href={`/rules/new?event=${event.id}`}>
        {texts.event.replay}
      </a>
    </p>
  );
};

const EventView = ({ data }: ViewProps<Data>) => {
  const { event } = data;
  return (
    <>
      <p class="facts">
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
