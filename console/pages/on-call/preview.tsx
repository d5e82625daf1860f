import { DAY_MS } from "../../../core/domain/basics/units.ts";
import type { DutyGroup } from "../../../core/domain/on-call/index.ts";
import { listDutyChanges } from "../../../core/domain/on-call/duty-moves.ts";
import { compareNights, NIGHTS_WEEKS } from "../../../core/domain/on-call/nights.ts";
import { formatDayAndTime, now } from "../../app/clock.ts";
import { formatDay, listMidnights } from "../../app/dates.ts";
import { describeDutyChange } from "../../app/duty.ts";
import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts/preview.ts";
import { checkDraft, type ScheduleDraft } from "./draft.ts";
import { computeTimelineStart } from "./timeline-start.ts";
import { listClockChanges, keepTurns, type OnCallSchedule, listShiftsBetween } from "./shifts.ts";
import { Timeline } from "./timeline.tsx";

type PreviewProps = {
  draft: ScheduleDraft;
  /** The current schedule, whose rotations the draft continues. */
  previous: Answers["OnCallSchedule"] | undefined;
  members: readonly Answers["ListedMember"][];
};

const DAYS_SHOWN = 14;
/** The number of days that are searched for the next clock change, more than half a year. */
const CLOCK_DAYS = 200;

const CHANGES_SHOWN = 8;

type ChangesProps = { before: DutyGroup; after: DutyGroup; nameOf: (id: string) => string };

const ShiftChanges = ({ before, after, nameOf }: ChangesProps) => {
  const { changes, more } = listDutyChanges(before, after, now.value, now.value + DAYS_SHOWN * DAY_MS);
  const left = more + Math.max(0, changes.length - CHANGES_SHOWN);
  return (
    <>
      <h3>{texts.preview.changes}</h3>
      {changes.length === 0 ? (
        <p>{texts.preview.noChanges}</p>
      ) : (
        <ul>
          {changes.slice(0, CHANGES_SHOWN).map((change) => (
            <li key={change.start}>{describeDutyChange(change, nameOf)}</li>
          ))}
          {left > 0 && <li>{texts.preview.moreChanges(left)}</li>}
        </ul>
      )}
    </>
  );
};

const NightChanges = ({ before, after, nameOf }: ChangesProps) => {
  const changes = compareNights(before, after, now.value);
  return (
    <>
      <h3>{texts.preview.nights(NIGHTS_WEEKS)}</h3>
      {changes.length === 0 ? (
        <p>{texts.preview.sameNights}</p>
      ) : (
        <ul>
          {changes.map(({ userId, before: was, after: is }) => (
            <li key={userId}>{texts.preview.nightsOf(nameOf(userId), was, is)}</li>
          ))}
        </ul>
      )}
    </>
  );
};

const PreviewResult = ({ schedule, previous, members }: Omit<PreviewProps, "draft"> & { schedule: OnCallSchedule }) => {
  const from = computeTimelineStart();
  const days = listMidnights(formatDay(from), DAYS_SHOWN);
  const shifts = listShiftsBetween(schedule, previous?.overrides ?? [], from, days.at(-1) ?? 0);
  const gaps = shifts.filter(({ userIds, end }) => userIds.length === 0 && end > now.value);
  const overrides = (previous?.overrides ?? []).filter(({ covers }) => covers);
  const before = { schedule: previous ?? { ...schedule, layers: [] }, overrides };
  const after = { schedule, overrides };
  const nameOf = (id: string): string => members.find(({ userId }) => userId === id)?.name ?? id;
  return (
    <>
      <Timeline
        label={texts.preview.result}
        shifts={shifts}
        from={from}
        days={days}
        nameOf={nameOf}
        colourOf={(id) => members.findIndex(({ userId }) => userId === id)}
      />
      {previous !== undefined && <ShiftChanges before={before} after={after} nameOf={nameOf} />}
      <NightChanges before={before} after={after} nameOf={nameOf} />
      <h3>{texts.preview.gaps}</h3>
      {gaps.length === 0 ? (
        <p>{texts.preview.noGaps}</p>
      ) : (
        <ul>
          {gaps.map(({ start, end }) => (
            <li key={start} class="status-failed">
              {texts.span(formatDayAndTime(start), formatDayAndTime(end))}
            </li>
          ))}
        </ul>
      )}
      <h3>{texts.preview.clocks}</h3>
      <ul>
        {listClockChanges(schedule, now.value, CLOCK_DAYS).map(({ at, byMinutes, userIds }) => (
          <li key={at}>{texts.preview.clockChange(formatDayAndTime(at), byMinutes, userIds.map(nameOf))}</li>
        ))}
      </ul>
      <p class="soft">{texts.preview.clocksRule(schedule.timeZone)}</p>
    </>
  );
};

/** Shows the draft's shifts and changes, computed by the service's code. */
export const Preview = ({ draft, previous, members }: PreviewProps) => {
  const checked = checkDraft(draft);
  return (
    <section class="panel" aria-label={texts.preview.result} aria-live="polite">
      <h2>{texts.preview.result}</h2>
      {checked.kind === "bad" ? (
        checked.faults.map(({ field, message }) => <p key={`${field} ${message}`}>{message}</p>)
      ) : (
        <PreviewResult
          schedule={previous === undefined ? checked.schedule : keepTurns(previous, checked.schedule, now.value)}
          previous={previous}
          members={members}
        />
      )}
    </section>
  );
};
