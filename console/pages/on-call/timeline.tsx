import { COLOURS, formatInitials } from "../../parts/discs.tsx";
import { useState } from "preact/hooks";
import { formatDayAndTime, formatLongDay, now, formatTimeOfDay } from "../../app/clock.ts";
import { narrow } from "../../parts/narrow.ts";
import { locale } from "../../app/language.ts";
import { texts } from "../../page-texts/on-call.ts";
import type { Shift } from "./shifts.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

type TimelineProps = {
  label: string;
  shifts: readonly Shift[];
  /** In milliseconds. */
  from: number;
  /** Midnights in milliseconds, from the last midnight before the start to the end of the last day. */
  days: readonly number[];
  nameOf: (userId: string) => string;
  colourOf: (userId: string) => number;
  /** Called when a shift is pressed; without `onShift`, shifts cannot be pressed. */
  onShift?: (shift: Shift) => void;
  /** Whether to omit the labels of the days, because an axis above labels the days. */
  bare?: boolean;
};

/** The `z-index` of a shift is `HOURS_MAX` (over two weeks) minus its hours: short shifts are above long shifts. */
const HOURS_MAX = 400;
/** The number of days that a narrow page shows at first. */
const AGENDA_DAYS = 7;

const dayName = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric" });

/** Returns a shift's CSS classes: the colour of its first person, or `gap` if nobody is on call. */
export const chooseShiftClass = (
  { userIds: [first], isOverride }: Shift,
  colourOf: TimelineProps["colourOf"],
): string => {
  if (first === undefined) return "shift gap";
  return `shift person-${colourOf(first) % COLOURS}${isOverride ? " override" : ""}`;
};

/** Shows a shift with its people. `at`: the shift's start as a text, if the start is shown before the name. */
const ShiftButton = ({
  shift,
  at = "",
  onShift,
  nameOf,
  colourOf,
}: Pick<TimelineProps, "onShift" | "nameOf" | "colourOf"> & { shift: Shift; at?: string }) => {
  const { start, end, userIds, isOverride } = shift;
  const who = userIds.length === 0 ? texts.onCall.nobody : userIds.map(nameOf).join(", ");
  const label = texts.onCall.shift(`${at}${who}`, formatDayAndTime(start), formatDayAndTime(end), isOverride);
  const look = chooseShiftClass(shift, colourOf);
  // If the names do not fit, CSS shows the initials. CSS hatches a shift without people.
  const shown = (
    <span aria-hidden="true" data-brief={userIds.map((userId) => formatInitials(nameOf(userId))).join(" ")}>
      {at}
      {who}
    </span>
  );
  return onShift === undefined ? (
    <span class={look} title={label}>
      <span class="unseen">{label}</span>
      {shown}
    </span>
  ) : (
    <button type="button" class={look} title={label} aria-label={label} onClick={() => onShift(shift)}>
      {shown}
    </button>
  );
};

type TimelineDays = Pick<TimelineProps, "from" | "days">;

/** Returns a function that converts a time to an offset in percent of the width. */
const formatOffset =
  ({ from, days }: TimelineDays) =>
  (ms: number): string =>
    `${(((ms - from) / ((days.at(-1) ?? 1) - from)) * 100).toFixed(3)}%`;

const DayLines = ({ isNamed, ...span }: TimelineDays & { isNamed: boolean }) => (
  <div class="timeline-days" aria-hidden="true">
    {span.days
      .slice(0, -1)
      .filter((day) => day >= span.from)
      .map((day) => (
        <span key={day} style={{ left: formatOffset(span)(day) }}>
          {isNamed && <b>{dayName.format(day)}</b>}
        </span>
      ))}
  </div>
);

export const Axis = (span: TimelineDays) =>
  narrow.value ? null : (
    <div class="axis">
      <div class="timeline">
        <DayLines {...span} isNamed />
      </div>
    </div>
  );

const WideTimeline = ({ label, shifts, from, days, bare = false, ...rest }: TimelineProps) => {
  const to = days.at(-1) ?? 1;
  const offset = formatOffset({ from, days });
  return (
    <div class={bare ? "timeline bare" : "timeline"}>
      <DayLines from={from} days={days} isNamed={!bare} />
      <ol aria-label={label}>
        {shifts.map((shift) => (
          <li
            key={shift.start}
            // A short shift is at least as wide as a touch target, and drawn above its neighbours.
            style={{
              left: offset(shift.start),
              width: offset(from + shift.end - shift.start),
              zIndex: Math.max(1, HOURS_MAX - Math.round((shift.end - shift.start) / HOUR_MS)),
            }}
          >
            <ShiftButton shift={shift} {...rest} />
          </li>
        ))}
      </ol>
      {now.value >= from && now.value < to && <i class="timeline-now" style={{ left: offset(now.value) }} />}
    </div>
  );
};

/** Lists the shifts by the day on which they begin, for a narrow page. */
const DayList = ({ label, shifts, days, ...rest }: TimelineProps) => {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? days : days.slice(0, AGENDA_DAYS + 1);
  return (
    <>
      <ol class="agenda" aria-label={label}>
        {shown.slice(0, -1).map((day, index) => {
          const next = shown[index + 1] ?? Infinity;
          const begun = shifts.filter(({ start }) => start >= day && start < next);
          return begun.length === 0 ? null : (
            <li key={day}>
              <h3>{formatLongDay(day)}</h3>
              {begun.map((shift) => (
                <ShiftButton
                  key={`${shift.start} ${shift.userIds.join(" ")}`}
                  shift={shift}
                  at={`${formatTimeOfDay(shift.start)} `}
                  {...rest}
                />
              ))}
            </li>
          );
        })}
      </ol>
      {shown.length < days.length && (
        <button type="button" aria-label={texts.onCall.moreOf(label)} onClick={() => setWhole(true)}>
          {texts.group.more}
        </button>
      )}
    </>
  );
};

export const Timeline = (props: TimelineProps) => (narrow.value ? <DayList {...props} /> : <WideTimeline {...props} />);
