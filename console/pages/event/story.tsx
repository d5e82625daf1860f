import { exactly } from "../../app/clock.ts";
import type { Answers } from "../../app/types.ts";
import { locale } from "../../app/language.ts";
import { texts } from "../../page-texts.ts";

type Event = Answers["Event"];
type Notification = Answers["Notification"];

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
  added,
}: Notification) => {
  const who = user.name === "" ? user.id : user.name;
  const moments: Moment[] = [
    {
      at: createdAt,
      key: `${id} 1`,
      text:
        added === null
          ? texts.event.called(who, rule.name, escalationStep)
          : texts.event.added[added.because](who, added.by?.name ?? texts.event.somebody, added.note),
    },
    ...(sentAt === null ? [] : [{ at: sentAt, key: `${id} 2`, text: texts.event.sent(who) }]),
    ...(acknowledgedAt === null
      ? []
      : [{ at: acknowledgedAt, key: `${id} 3`, text: texts.event.acknowledged(acknowledgedBy?.name ?? who) }]),
  ];
  if (status === "FAILED")
    moments.push({ at: createdAt, key: `${id} 4`, text: texts.event.failed(who, failedReason ?? ""), bad: true });
  return moments;
};

/** Whether nothing can change the event's state any more. */
export const isFinal = ({ state }: Event): boolean => state === "resolved" || state === "expired";

/** What people did about the event as a whole, or failed to do. */
const deedsOf = (event: Event): Moment[] => {
  const { acknowledgedAt, acknowledgedBy, resolvedAt, resolvedBy, note, expiredAt, notifications } = event;
  const told = notifications.some((one) => one.acknowledgedAt === acknowledgedAt);
  return [
    ...(acknowledgedAt === null || told
      ? []
      : [{ at: acknowledgedAt, key: "acknowledged", text: texts.event.acknowledged(acknowledgedBy?.name ?? "") }]),
    ...(resolvedAt === null
      ? []
      : [{ at: resolvedAt, key: "resolved", text: texts.event.resolved(resolvedBy?.name ?? "", note) }]),
    ...(expiredAt === null ? [] : [{ at: expiredAt, key: "expired", text: texts.event.expired }]),
  ];
};

/** Everything known to have happened, in order of time; at the same time, in order of cause. */
const storyOf = (event: Event): Moment[] => {
  const noted = event.notes.map(({ id, createdAt, by, text }) => ({
    at: createdAt,
    key: id,
    text: texts.event.noted(by.name, text),
  }));
  const later = [...event.notifications.toReversed().flatMap(momentsOf), ...deedsOf(event), ...noted].toSorted(
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
const clockTime = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});

export const Story = ({ event }: { event: Event }) => (
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
