import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Api } from "../app/api.ts";
import { formatClockTime, formatExactTime, now } from "../app/clock.ts";
import { createTimedCache } from "../app/timed-cache.ts";
import { type FirstEvent, readFirstEvents } from "../app/grouped.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { listHumanMembers } from "../app/people.ts";
import { forgetClosedEvents, pressAcknowledge } from "../app/pressed.ts";
import type { Answers } from "../app/types.ts";
import { Acknowledge } from "../parts/acknowledge.tsx";
import { Ago } from "../parts/ago.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { Form, TextField } from "../parts/form.tsx";
import { PriorityMark, StateMark } from "../parts/marks.tsx";
import { LazyPart } from "../parts/later.tsx";
import { Menu } from "../parts/menu.tsx";
import { MissingRole } from "../parts/needs.tsx";
import { WhoIsOnCall } from "../parts/who-is-on-call.tsx";
import { texts } from "../page-texts/events.ts";
import { NextEscalation } from "./event/next-escalation.tsx";
import { isPanelOpen, OpenPanel, Snooze, Notify } from "./event/respond.tsx";
import { InGroup } from "./event/in-group.tsx";
import { toMarkdown } from "./event/markdown.ts";
import { Recipients } from "./event/recipients.tsx";
import { flattenData } from "./event/flatten-data.ts";
import { isResolvedOrExpired } from "./event/timeline-entries.ts";
import { isOpenOrAcknowledged, listOfferedActions } from "./event/offered.ts";
import { type EventProgress, readProgress } from "./event/progress.ts";
import { Timeline } from "./event/timeline.tsx";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

type Event = Answers["Event"];
type Explanation = Answers["EventExplanation"];
type Data = EventProgress & {
  event: Event;
  members: Answers["ListedMember"][];
  groups: Answers["Group"][];
  why: Explanation | undefined;
  /** The event of the same group that notified people instead of this event. */
  first: FirstEvent | undefined;
};

const EventData = ({ data }: { data: NonNullable<Event["data"]> }) => (
  <>
    <h2 id="details">{texts.event.details}</h2>
    <dl class="pairs" aria-labelledby="details">
      {flattenData(data).map(([path, value]) => (
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

const EventActions = ({ data: { event }, context: { api, workspaceId }, refresh }: ViewProps<Data>) => {
  const acknowledgeEvent = async (): Promise<StatusText> => {
    try {
      return await pressAcknowledge(workspaceId, [event.id]);
    } finally {
      void refresh();
    }
  };
  useEffect(() => forgetClosedEvents(event.state === "open" ? [event.id] : []), [event.state]);
  const resolveEvent = async (): Promise<StatusText> => {
    await api("events/resolve-event", { path: { eventId: event.id }, body: {} });
    await refresh();
    return texts.event.isResolved;
  };
  const escalateEvent = async (): Promise<StatusText> => {
    await api("events/escalate-event", { path: { eventId: event.id }, body: {} });
    await refresh();
    return texts.event.isEscalated;
  };
  const offered = listOfferedActions(event);
  const markdown = toMarkdown(event, `${location.origin}/events/${event.id}`, now.value);
  return (
    <div class="buttons acts">
      {offered.includes("acknowledge") && <Acknowledge eventIds={[event.id]} run={acknowledgeEvent} />}
      {offered.includes("resolve") && (
        <Confirm
          text={texts.event.resolve}
          look="plain"
          role="responder"
          question={texts.event.askResolve}
          action={resolveEvent}
        />
      )}
      {offered.includes("snooze") && <OpenPanel panel="snooze" />}
      <Menu look="menu" summary={texts.more}>
        <div class="menu-items">
          {offered.includes("escalate") && (
            <>
              <Confirm
                text={texts.event.escalate}
                look="plain"
                role="responder"
                question={texts.event.askEscalate}
                action={escalateEvent}
              />
              <OpenPanel panel="tell" />
            </>
          )}
          <a class="button" href={`/rules/new?event=${event.id}`}>
            {texts.event.replay}
          </a>
          <a class="button" href={`/simulator?event=${event.id}`}>
            {texts.pages.simulator}
          </a>
          <a class="button" href={`/silences/new?event=${event.id}`}>
            {texts.event.silence}
          </a>
          <a
            class="button"
            download={`${event.id}.md`}
            href={`data:text/markdown;charset=utf-8,${encodeURIComponent(markdown)}`}
          >
            {texts.event.export}
          </a>
        </div>
      </Menu>
    </div>
  );
};

const ResolveWithNote = ({
  event,
  api,
  refresh,
}: { event: Event } & Pick<ViewProps<Data>, "refresh"> & { api: Api }) => {
  const [note, setNote] = useState("");
  if (isResolvedOrExpired(event)) return null;
  const resolveWithNote = async (): Promise<StatusText> => {
    await api("events/resolve-event", { path: { eventId: event.id }, body: { note } });
    await refresh();
    return texts.event.isResolved;
  };
  return (
    <details>
      <summary>{texts.event.withNote}</summary>
      <Form role="responder" send={resolveWithNote} submit={texts.event.resolve} fields={["note"]}>
        <TextField label={texts.event.note} name="note" value={note} onValue={setNote} />
      </Form>
    </details>
  );
};

const WriteNote = ({ event, api, refresh }: { event: Event } & Pick<ViewProps<Data>, "refresh"> & { api: Api }) => {
  const [text, setText] = useState("");
  const writeNote = async (): Promise<StatusText> => {
    await api("events/note-event", { path: { eventId: event.id }, body: { text } });
    setText("");
    await refresh();
    return texts.event.isNoted;
  };
  return (
    <details>
      <summary>{texts.event.writeNote}</summary>
      <Form role="responder" send={writeNote} submit={texts.event.addNote} fields={["text"]}>
        <TextField label={texts.event.note} name="text" value={text} onValue={setText} />
      </Form>
    </details>
  );
};

/** Returns the URL's host, which is the label of a link without a label. */
const formatLinkLabel = (url: string): string => URL.parse(url)?.host || url;

const EventFacts = ({ data: { event, upcoming, onCall } }: { data: Data }) => {
  const links = [...event.links];
  if (event.url !== null && links.every(({ url }) => url !== event.url)) links.push({ url: event.url, label: null });
  const renderRow = (name: string, value: ComponentChildren) => (
    <div key={name}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <aside class="event-facts">
      <p class="facts">
        <StateMark value={event.state} />
        <PriorityMark value={event.priority} />
        <Ago at={event.receivedAt} />
        {event.probe === null && <span>{texts.event.outcomes[event.outcome]}</span>}
      </p>
      {event.acknowledgedUntil !== null && (
        <p>
          {texts.event.until} <Ago at={event.acknowledgedUntil} />
        </p>
      )}
      <NextEscalation upcoming={upcoming} />
      <dl class="pairs">
        {event.matchedRules.length > 0 &&
          renderRow(
            texts.event.rules(event.matchedRules.length),
            event.matchedRules.slice(0, RULES_MAX).map(({ id, name }) => (
              <a key={id} href={`/rules/${id}`} dir="auto">
                {name}
              </a>
            )),
          )}
        {onCall.map(({ groupName, onCall: some, next }) =>
          renderRow(
            texts.event.onCall(groupName),
            <>
              <WhoIsOnCall onCall={some} nobody={texts.event.nobodyOnCall} />
              {next !== null && (
                <span class="soft">{texts.event.onCallUntil(formatClockTime(Date.parse(next.at)))}</span>
              )}
            </>,
          ),
        )}
        {renderRow(texts.eventKey, <code>{event.eventKey}</code>)}
        {links.length > 0 &&
          renderRow(
            texts.event.links,
            links.map(({ label, url }) => (
              <a key={url} href={url} title={url} rel="noreferrer noopener" target="_blank">
                {label ?? formatLinkLabel(url)}
              </a>
            )),
          )}
        {renderRow(
          texts.event.id,
          <>
            <code>{event.id}</code> <CopyButton text={event.id} label={texts.copyOf(texts.event.id)} />
          </>,
        )}
      </dl>
    </aside>
  );
};
/** The maximum number of rules that are listed beside the timeline, which shows all rules. */
const RULES_MAX = 5;

const EventView = ({ data, context: { api }, refresh }: ViewProps<Data>) => {
  const { event } = data;
  return (
    <>
      {!isResolvedOrExpired(event) && <MissingRole role="responder" action={texts.roles.handling} />}
      {isOpenOrAcknowledged(event) && (
        <>
          <Snooze event={event} api={api} refresh={refresh} />
          <Notify event={event} members={data.members} groups={data.groups} api={api} refresh={refresh} />
        </>
      )}
      <div class="event">
        <EventFacts data={data} />
        <div>
          <p class="push-text lead" dir="auto">
            {event.body}
          </p>
          {event.detail !== null && (
            <p class="push-text" dir="auto">
              {event.detail}
            </p>
          )}
          {event.flapping !== null && (
            <p>{texts.event.flapping(formatExactTime(event.flapping.until), event.flapping.recipients)}</p>
          )}
          <InGroup {...data} api={api} />
          <h2 id="story">{texts.event.story}</h2>
          <section aria-labelledby="story">
            <p class="soft small">{formatExactTime(event.receivedAt)}</p>
            <Timeline event={event} upcoming={data.upcoming} />
            {event.probe !== null && (
              <LazyPart load={() => import("./rule/probe-panel.tsx")} textsName="rules">
                {({ ProbedRule }) => <ProbedRule event={event} api={api} />}
              </LazyPart>
            )}
            {event.matchedRules.length === 0 && event.matched && event.probe === null && (
              <p>
                {event.notice === null ? texts.event.noRule : texts.event.notice[event.notice.to](event.notice.because)}
              </p>
            )}
            <WriteNote event={event} api={api} refresh={refresh} />
            <ResolveWithNote event={event} api={api} refresh={refresh} />
          </section>
          {event.probe === null && (
            <>
              <h2>{texts.event.people}</h2>
              <Recipients {...data} />
            </>
          )}
          {event.data !== null && Object.keys(event.data).length > 0 && <EventData data={event.data} />}
        </div>
      </div>
    </>
  );
};

/** The state of the event when it was last read. If the state has changed, the next steps are read again. */
let seen = "";
/** Members are cached, because they rarely change and the page is read every few seconds. */
const freshMembers = createTimedCache<Answers["ListedMember"][]>(MINUTE_MS);

export const page = definePage<Data>({
  heading: texts.pages.event,
  headingOf: ({ event }) => event.title,
  load: async (context) => {
    const { api, params, query } = context;
    const eventId = params["id"] ?? "";
    const asked = query().get("why");
    const [event, progress, members, groups, why] = await Promise.all([
      api("events/get-event", { path: { eventId } }),
      readProgress(context, eventId, seen),
      freshMembers(context.workspaceId, () => listHumanMembers(api)),
      isPanelOpen("tell") ? api("groups/list-groups", {}) : [],
      asked === null ? undefined : api("events/explain-event", { path: { eventId }, query: { userId: asked } }),
    ]);
    seen = `${event.state} ${event.notifications.length}`;
    const { groupedInto: into } = event;
    const first = into === null ? undefined : (await readFirstEvents(context, [], [into])).get(into);
    const isOpen = event.state === "open";
    const onCall = isOpenOrAcknowledged(event) ? progress.onCall : [];
    return { ...progress, event, onCall, upcoming: isOpen ? progress.upcoming : [], members, groups, why, first };
  },
  everySeconds: 10,
  Actions: EventActions,
  View: EventView,
});
