import { dayAndTime, now } from "../../app/clock.ts";
import { dayText, midnights } from "../../app/dates.ts";
import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts/on-call.ts";
import { check, type ScheduleDraft } from "./draft.ts";
import { hoursAgo } from "./span.ts";
import { clockChanges, keepingTurns, type OnCallSchedule, shiftsOf } from "./shifts.ts";
import { Timeline } from "./timeline.tsx";

type PreviewProps = {
  draft: ScheduleDraft;
  /** The current schedule, whose rotations continue; undefined: there is none. */
  previous: Answers["OnCallSchedule"] | undefined;
  members: readonly Answers["ListedMember"][];
};

const DAYS_SHOWN = 14;
/** Long enough to include both clock changes of a year from any day. */
const CLOCK_DAYS = 200;

const Result = ({ schedule, previous, members }: Omit<PreviewProps, "draft"> & { schedule: OnCallSchedule }) => {
  const from = hoursAgo();
  const days = midnights(dayText(from), DAYS_SHOWN);
  const shifts = shiftsOf(schedule, previous?.overrides ?? [], from, days.at(-1) ?? 0);
  const gaps = shifts.filter(({ userIds, end }) => userIds.length === 0 && end > now.value);
  const nameOf = (id: string): string => members.find(({ userId }) => userId === id)?.name ?? id;
  return (
    <>
      <Timeline
        label={texts.schedule.result}
        shifts={shifts}
        from={from}
        days={days}
        nameOf={nameOf}
        placeOf={(id) => members.findIndex(({ userId }) => userId === id)}
      />
      <h3>{texts.schedule.gaps}</h3>
      {gaps.length === 0 ? (
        <p>{texts.schedule.noGaps}</p>
      ) : (
        <ul>
          {gaps.map(({ start, end }) => (
            <li key={start} class="status-failed">
              {texts.span(dayAndTime(start), dayAndTime(end))}
            </li>
          ))}
        </ul>
      )}
      <h3>{texts.schedule.clocks}</h3>
      <ul>
        {clockChanges(schedule, now.value, CLOCK_DAYS).map(({ at, byMinutes, userIds }) => (
          <li key={at}>{texts.schedule.clockChange(dayAndTime(at), byMinutes, userIds.map(nameOf))}</li>
        ))}
      </ul>
      <p class="soft">{texts.schedule.clocksRule(schedule.timeZone)}</p>
    </>
  );
};

/** Who would be on call under the draft, by the code that decides whom events wake. */
export const Preview = ({ draft, previous, members }: PreviewProps) => {
  const checked = check(draft);
  return (
    <section class="panel" aria-label={texts.schedule.result} aria-live="polite">
      <h2>{texts.schedule.result}</h2>
      {checked.kind === "bad" ? (
        checked.faults.map(({ field, message }) => <p key={`${field} ${message}`}>{message}</p>)
      ) : (
        <Result
          schedule={previous === undefined ? checked.schedule : keepingTurns(previous, checked.schedule, now.value)}
          previous={previous}
          members={members}
        />
      )}
    </section>
  );
};
