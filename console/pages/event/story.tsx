import { exactly } from "../../app/clock.ts";
import type { Answers } from "../../app/types.ts";
import { locale } from "../../app/language.ts";
import { Until } from "../../parts/until.tsx";
import { texts } from "../../page-texts/events.ts";
import type { Ahead } from "./ahead.tsx";
import { MINUTE_MS, SECOND_MS } from "../../../core/domain/basics/units.ts";

type Event = Answers["Event"];
type Notification = Answers["Notification"];

/** What kind of thing happened: each has a mark of its own. */
type Look = "came" | "matched" | "called" | "sent" | "taken" | "over" | "noted" | "bad";
type Moment = { at: string; key: string; text: string; look: Look };

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
  added,
}: Notification) => {
  const who = user.name === "" ? user.id : user.name;
  const moments: Moment[] = [
    {
      at: createdAt,
      key: `${id} 1`,
      look: "called",
      text:
        added === null
          ? texts.event.called(who, rule.name, escalationStep)
          : texts.event.added[added.because](who, added.by?.name || texts.event.somebody, added.note),
    },
    ...(sentAt === null
      ? []
      : [{ at: sentAt, key: `${id} 2`, look: "sent", text: texts.event.sent(who) } satisfies Moment]),
    ...(acknowledgedAt === null
      ? []
      : [
          {
            at: acknowledgedAt,
            key: `${id} 3`,
            look: "taken",
            text: texts.event.acknowledged(acknowledgedBy?.name || who),
          } satisfies Moment,
        ]),
  ];
  if (status === "FAILED")
    moments.push({ at: createdAt, key: `${id} 4`, look: "bad", text: texts.event.failed(who, failedReason ?? "") });
  return moments;
};

/** Whether nothing can change the event's state any more. */
export const isFinal = ({ state }: Event): boolean => state === "resolved" || state === "expired";

/** What people did about the event as a whole, or failed to do. */
const actionsOf = (event: Event): Moment[] => {
  const { acknowledgedAt, acknowledgedBy, resolvedAt, resolvedBy, note, expiredAt, notifications } = event;
  const notified = notifications.some((one) => one.acknowledgedAt === acknowledgedAt);
  const actions: Moment[] = [];
  if (acknowledgedAt !== null && !notified) {
    const text = texts.event.acknowledged(acknowledgedBy?.name || texts.event.somebody);
    actions.push({ at: acknowledgedAt, key: "acknowledged", look: "taken", text });
  }
  if (resolvedAt !== null) {
    const text = texts.event.resolved(resolvedBy?.name || texts.event.somebody, note);
    actions.push({ at: resolvedAt, key: "resolved", look: "over", text });
  }
  if (expiredAt !== null) actions.push({ at: expiredAt, key: "expired", look: "bad", text: texts.event.expired });
  return actions;
};

/** Everything known to have happened, in order of time; at the same time, in order of cause. */
const timelineOf = (event: Event): Moment[] => {
  const noted = event.notes.map(({ id, createdAt, by, text }): Moment => ({
    at: createdAt,
    key: id,
    look: "noted",
    text: texts.event.noted(by.name || texts.event.somebody, text),
  }));
  const repeated: Moment[] =
    event.repeatedAt === null
      ? []
      : [{ at: event.repeatedAt, key: "repeated", look: "came", text: texts.event.repeats(event.repeats) }];
  const later = [
    ...event.notifications.toReversed().flatMap(momentsOf),
    ...actionsOf(event),
    ...noted,
    ...repeated,
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const [first] = later;
  return [
    { at: event.receivedAt, key: "received", look: "came", text: texts.event.received },
    ...event.matchedRules.map(({ id, name, version }): Moment => ({
      at: first?.at ?? event.receivedAt,
      key: id,
      look: "matched",
      text: texts.event.matched(name, version),
    })),
    ...later,
  ];
};

/** Minutes, seconds and milliseconds matter here; the day is shown once above. */
const clockTime = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});

/** A pause worth telling, between two moments. */
const PAUSE_MS = MINUTE_MS;

/** How long it was quiet before a moment; undefined where that says nothing. */
const pauseBefore = (moments: readonly Moment[], index: number): string | undefined => {
  const before = moments[index - 1];
  const ms = Date.parse(moments[index]?.at ?? "") - Date.parse(before?.at ?? "");
  return ms >= PAUSE_MS ? texts.duration(Math.round(ms / SECOND_MS)) : undefined;
};

/** The steps that come unless somebody acknowledges, on the same line as what happened. */
const Coming = ({ ahead }: { ahead: Ahead }) => (
  <>
    <li class="is-now">
      <span class="soft">{texts.event.now}</span>
    </li>
    {ahead.map(({ at, step, steps, round, policy, targets }) => (
      <li key={`${policy.id} ${step}`} class="coming">
        <Until at={at} />
        <span>
          {texts.event.thenTold(
            targets.map(({ id, name }) => name ?? id),
            step,
            steps,
            round,
          )}{" "}
          <a href={`/escalation/${policy.id}`}>{policy.name}</a>
        </span>
      </li>
    ))}
  </>
);

export const Timeline = ({ event, ahead }: { event: Event; ahead: Ahead }) => {
  const moments = timelineOf(event);
  return (
    <ol class="story">
      {moments.map(({ at, key, text, look }, index) => {
        const pause = pauseBefore(moments, index);
        return (
          <li key={key} class={pause === undefined ? look : `${look} paused`}>
            {pause !== undefined && <span class="pause">{texts.event.later(pause)}</span>}
            <time class="mono" dateTime={at} title={exactly(at)}>
              {clockTime.format(new Date(at))}
            </time>
            <span>{text}</span>
          </li>
        );
      })}
      {ahead.length > 0 && <Coming ahead={ahead} />}
    </ol>
  );
};
