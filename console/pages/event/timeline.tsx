import { formatExactTime, now } from "../../app/clock.ts";
import type { Answers } from "../../app/types.ts";
import { locale } from "../../app/language.ts";
import { TimeLeft } from "../../parts/time-left.tsx";
import { texts } from "../../page-texts/events.ts";
import type { UpcomingSteps } from "./progress.ts";
import { type TimelineEntry, listComingPages, buildTimeline } from "./timeline-entries.ts";
import { MINUTE_MS, SECOND_MS } from "../../../core/domain/basics/units.ts";

/** Formats an entry's time of day. The day is shown once, above its entries. */
const clockTime = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});

/** The shortest pause between two entries that is shown. */
const PAUSE_MS = MINUTE_MS;

/** Returns the pause before an entry as text; undefined if the pause is too short. */
const describePauseBefore = (entries: readonly TimelineEntry[], index: number): string | undefined => {
  const before = entries[index - 1];
  const ms = Date.parse(entries[index]?.at ?? "") - Date.parse(before?.at ?? "");
  return ms >= PAUSE_MS ? texts.duration(Math.round(ms / SECOND_MS)) : undefined;
};

const ComingSteps = ({ upcoming, pages }: { upcoming: UpcomingSteps; pages: ReturnType<typeof listComingPages> }) => (
  <>
    <li class="is-now">
      <span class="soft">{texts.event.now}</span>
    </li>
    {pages.map(({ at, text }) => (
      <li key={`${at} ${text}`} class="coming">
        <TimeLeft at={at} />
        <span>{text}</span>
      </li>
    ))}
    {upcoming.map(({ at, step, steps, round, policy, targets }) => (
      <li key={`${policy.id} ${step}`} class="coming">
        <TimeLeft at={at} />
        <span>
          {texts.event.thenTold(targets.map(({ id, name }) => name ?? id))}{" "}
          <a href={`/escalation/${policy.id}`}>{policy.name}</a> {texts.event.stepOf({ step, steps, round })}
        </span>
      </li>
    ))}
  </>
);

export const Timeline = ({ event, upcoming }: { event: Answers["Event"]; upcoming: UpcomingSteps }) => {
  const entries = buildTimeline(event, now.value);
  const pages = listComingPages(event, now.value);
  return (
    <ol class="story">
      {entries.map(({ at, key, text, look }, index) => {
        const pause = describePauseBefore(entries, index);
        return (
          <li key={key} class={pause === undefined ? look : `${look} paused`}>
            {pause !== undefined && <span class="pause">{texts.event.later(pause)}</span>}
            <time class="mono" dateTime={at} title={formatExactTime(at)}>
              {clockTime.format(new Date(at))}
            </time>
            <span>{text}</span>
          </li>
        );
      })}
      {upcoming.length + pages.length > 0 && <ComingSteps upcoming={upcoming} pages={pages} />}
    </ol>
  );
};
