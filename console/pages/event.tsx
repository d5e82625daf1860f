import { useEffect, useState } from "preact/hooks";
import type { Api } from "../app/api.ts";
import { exactly } from "../app/clock.ts";
import { type First, readFirsts } from "../app/grouped.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { listPeople } from "../app/people.ts";
import { keepPressed, pressAcknowledge } from "../app/pressed.ts";
import { setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Acknowledge } from "../parts/acknowledge.tsx";
import { Ago } from "../parts/ago.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Form, TextField } from "../parts/form.tsx";
import { PriorityMark, StateMark, StatusMark } from "../parts/marks.tsx";
import { Reason } from "../parts/needs.tsx";
import { TraceList } from "../parts/trace.tsx";
import { texts } from "../page-texts/events.ts";
import { AheadLine, type Progress, readProgress } from "./event/ahead.tsx";
import { isPanelOpen, OpenPanel, Snooze, Notify } from "./event/in-hand.tsx";
import { InGroup } from "./event/in-group.tsx";
import { isFinal, Timeline } from "./event/story.tsx";

type Event = Answers["Event"];
type Explanation = Answers["EventExplanation"];
type Data = Progress & {
  event: Event;
  members: Answers["Member"][];
  /** Whom one can tell, while one is asked. */
  groups: Answers["Group"][];
  why: Explanation | undefined;
  /** The event that rang in its place. */
  first: First | undefined;
};

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

type ExplainedRule = Explanation["rules"][number];
/** Whether a rule is about the event at all: those for other event keys are many, and say little. */
const isNear = ({ reason }: ExplainedRule): boolean => reason !== "event_key_differs";

const OtherKeys = ({ rules }: { rules: readonly ExplainedRule[] }) =>
  rules.length === 0 ? null : (
    <details>
      <summary>{texts.event.otherKeys(rules.length)}</summary>
      <ul class="rows">
        {rules.map(({ id, name }) => (
          <li key={id}>
            <a href={`/rules/${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </details>
  );

const Explained = ({ why }: { why: Explanation }) => (
  <div class="note" role="region" aria-label={texts.event.explained(why.user.name ?? why.user.id)}>
    <p>
      <strong>{why.summary}</strong>
    </p>
    {why.rules.filter(isNear).map((rule) => (
      <div key={rule.id}>
        <p>
          {rule.id === "service" ? rule.name : <a href={`/rules/${rule.id}`}>{rule.name}</a>}: {rule.message}
        </p>
        {rule.trace !== null && <TraceList trace={rule.trace} />}
      </div>
    ))}
    <OtherKeys rules={why.rules.filter((rule) => !isNear(rule))} />
    {why.notes.map((note) => (
      <p key={note} class="soft">
        {note}
      </p>
    ))}
  </div>
);

const People = ({ event, members, why }: Pick<Data, "event" | "members" | "why">) => {
  const byUser = new Map(event.notifications.map((notification) => [notification.user.id, notification]));
  const gone = event.notifications
    .map(({ user }) => ({ userId: user.id, name: user.name }))
    .filter(({ userId }) => members.every((member) => member.userId !== userId));
  return (
    <ul class="rows">
      {[...members, ...gone]
        .toSorted((one, other) => Number(byUser.has(other.userId)) - Number(byUser.has(one.userId)))
        .map(({ userId, name }) => {
          const notification = byUser.get(userId);
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

/** Whether somebody is to take care of it, or does. */
const isInHand = ({ state }: Event): boolean => state === "open" || state === "acknowledged";

const EventActions = ({ data: { event }, context: { api, workspaceId }, refresh }: ViewProps<Data>) => {
  const run = async (): Promise<string> => {
    try {
      return await pressAcknowledge(workspaceId, [event.id]);
    } finally {
      void refresh();
    }
  };
  useEffect(() => keepPressed(event.state === "open" ? [event.id] : []), [event.state]);
  const resolve = async (): Promise<string> => {
    await api("events/resolve-event", { path: { eventId: event.id }, body: {} });
    await refresh();
    return texts.event.isResolved;
  };
  const escalate = async (): Promise<string> => {
    await api("events/escalate-event", { path: { eventId: event.id }, body: {} });
    await refresh();
    return texts.event.isEscalated;
  };
  return (
    <p class="buttons">
      {event.state === "open" && <Acknowledge eventId={event.id} run={run} />}
      {!isFinal(event) && (
        <Confirm
          text={texts.event.resolve}
          look="plain"
          role="responder"
          question={texts.event.askResolve}
          action={resolve}
        />
      )}
      {isInHand(event) && (
        <>
          <OpenPanel panel="snooze" />
          <Confirm
            text={texts.event.escalate}
            look="plain"
            role="responder"
            question={texts.event.askEscalate}
            action={escalate}
          />
          <OpenPanel panel="tell" />
        </>
      )}
      <a class="button" href={`/rules/new?event=${event.id}`}>
        {texts.event.replay}
      </a>
      <a class="button" href={`/what-if?event=${event.id}`}>
        {texts.pages.whatIf}
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
  if (isFinal(event)) return null;
  const send = async (): Promise<string> => {
    await api("events/resolve-event", { path: { eventId: event.id }, body: { note } });
    await refresh();
    return texts.event.isResolved;
  };
  return (
    <details>
      <summary>{texts.event.withNote}</summary>
      <Form role="responder" send={send} submit={texts.event.resolve} fields={["note"]}>
        <TextField label={texts.event.note} name="note" value={note} onValue={setNote} />
      </Form>
    </details>
  );
};

const WriteNote = ({ event, api, refresh }: { event: Event } & Pick<ViewProps<Data>, "refresh"> & { api: Api }) => {
  const [text, setText] = useState("");
  const send = async (): Promise<string> => {
    await api("events/note-event", { path: { eventId: event.id }, body: { text } });
    setText("");
    await refresh();
    return texts.event.isNoted;
  };
  return (
    <details>
      <summary>{texts.event.writeNote}</summary>
      <Form role="responder" send={send} submit={texts.event.addNote} fields={["text"]}>
        <TextField label={texts.event.note} name="text" value={text} onValue={setText} />
      </Form>
    </details>
  );
};

const EventView = ({ data, context: { api }, refresh }: ViewProps<Data>) => {
  const { event } = data;
  return (
    <>
      {!isFinal(event) && <Reason role="responder" what={texts.roles.handling} />}
      {isInHand(event) && (
        <>
          <Snooze event={event} api={api} refresh={refresh} />
          <Notify event={event} members={data.members} groups={data.groups} api={api} refresh={refresh} />
        </>
      )}
      <p class="facts">
        <StateMark value={event.state} />
        <PriorityMark value={event.priority} />
        <code>{event.eventKey}</code>
        <Ago at={event.receivedAt} />
        <span>{texts.event.outcomes[event.outcome]}</span>
        {event.acknowledgedUntil !== null && (
          <span>
            {texts.event.until} <Ago at={event.acknowledgedUntil} />
          </span>
        )}
        <code class="soft">{event.id}</code>
      </p>
      <AheadLine ahead={data.ahead} />
      <p class="push-text">{event.body}</p>
      {event.detail !== null && <p class="push-text">{event.detail}</p>}
      {event.links.map(({ label, url }) => (
        <p key={url}>
          <a href={url} rel="noreferrer noopener" target="_blank">
            {label ?? url}
          </a>
        </p>
      ))}
      {event.url !== null && event.links.every(({ url }) => url !== event.url) && <p>{event.url}</p>}
      {event.flapping !== null && (
        <p>{texts.event.flapping(exactly(event.flapping.until), event.flapping.recipients)}</p>
      )}
      <InGroup {...data} api={api} />
      {event.data !== null && Object.keys(event.data).length > 0 && <Details data={event.data} />}
      <h2 id="story">{texts.event.story}</h2>
      <section aria-labelledby="story">
        <p class="soft small">{exactly(event.receivedAt)}</p>
        <Timeline event={event} ahead={data.ahead} />
        {event.matchedRules.length === 0 && event.matched && (
          <p>
            {event.notice === null ? texts.event.noRule : texts.event.notice[event.notice.to](event.notice.because)}
          </p>
        )}
        <WriteNote event={event} api={api} refresh={refresh} />
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
  load: async (context) => {
    const { api, params, query } = context;
    const eventId = params["id"] ?? "";
    const asked = query().get("why");
    const [event, { ahead, inGroups }, members, groups, why] = await Promise.all([
      api("events/get-event", { path: { eventId } }),
      readProgress(context, eventId),
      listPeople(api),
      isPanelOpen("tell") ? api("groups/list-groups", {}) : [],
      asked === null ? undefined : api("events/explain-event", { path: { eventId }, query: { userId: asked } }),
    ]);
    const { groupedInto: into } = event;
    const first = into === null ? undefined : (await readFirsts(context, [], [into])).get(into);
    return { event, ahead: event.state === "open" ? ahead : [], inGroups, members, groups, why, first };
  },
  everySeconds: 5,
  Actions: EventActions,
  View: EventView,
});
