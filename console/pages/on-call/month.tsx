import { useRef, useState } from "preact/hooks";
import { formatLongDay, now, formatTimeOfDay } from "../../app/clock.ts";
import { narrow } from "../../parts/narrow.ts";
import { formatDayName, weekDays } from "../../parts/week.ts";
import { texts } from "../../page-texts/month.ts";
import { formatMonth } from "./loads.ts";
import {
  countBlankDays,
  type ChosenDays,
  findDayForKey,
  isInChosenDays,
  cutShiftsToDay,
  computeSpanOfChosenDays,
  findDayIndex,
} from "./month-days.ts";
import type { Shift } from "./shifts.ts";
import { chooseShiftClass, Timeline } from "./timeline.tsx";

type MonthProps = {
  group: { id: string; name: string };
  shifts: readonly Shift[];
  /** Midnights in milliseconds, with the start of the next month. */
  days: readonly number[];
  nameOf: (userId: string) => string;
  colourOf: (userId: string) => number;
  onSpan: (span: { start: number; end: number }) => void;
};

const joinNamesOnShift = ({ userIds, insteadOf }: Shift, nameOf: MonthProps["nameOf"]): string => {
  const names = userIds.map(nameOf).join(", ") || texts.dutyWords.nobody;
  return insteadOf === undefined ? names : texts.month.covers(names, nameOf(insteadOf));
};

type PersonLook = Pick<MonthProps, "nameOf" | "colourOf">;

const MonthDay = ({ day, shifts, nameOf, colourOf }: PersonLook & { day: number; shifts: readonly Shift[] }) => (
  <>
    <span class="small soft" aria-hidden="true">
      {new Date(day).getDate()}
    </span>
    {shifts.map((shift) => (
      <span key={shift.start} class={chooseShiftClass(shift, colourOf)} aria-hidden="true">
        {shift.start > day && <span class="number">{formatTimeOfDay(shift.start)} </span>}
        {joinNamesOnShift(shift, nameOf)}
      </span>
    ))}
  </>
);

const describeDay = (day: number, shifts: readonly Shift[], nameOf: MonthProps["nameOf"]): string => {
  const said = shifts.map((shift) =>
    shift.start > day
      ? texts.month.from(joinNamesOnShift(shift, nameOf), formatTimeOfDay(shift.start))
      : joinNamesOnShift(shift, nameOf),
  );
  return `${formatLongDay(day)}: ${said.join(", ")}`;
};

/** Shows a month as a grid. Days can be chosen by dragging or by keyboard. */
const MonthGrid = ({ group, shifts, days, onSpan, ...rest }: MonthProps) => {
  const count = days.length - 1;
  const [chosen, setChosen] = useState<ChosenDays>(() => {
    const today = findDayIndex(days.slice(0, count), now.value);
    return { anchor: today, at: today };
  });
  const [isDragging, setDragging] = useState(false);
  const table = useRef<HTMLTableElement>(null);
  const blanks = countBlankDays(days[0] ?? 0);
  const weeks = Array.from({ length: Math.ceil((blanks + count) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, column) => week * 7 + column - blanks),
  );
  const finishDragging = (): void => {
    setDragging(false);
    onSpan(computeSpanOfChosenDays(chosen, days));
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return finishDragging();
    }
    const at = findDayForKey(chosen.at, event.key, count);
    if (at === undefined) return;
    event.preventDefault();
    setChosen({ anchor: event.shiftKey ? chosen.anchor : at, at });
    table.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
  };
  const renderCell = (index: number) => {
    const day = days[index];
    if (day === undefined || index >= count) return <td key={index} />;
    const own = cutShiftsToDay(shifts, day, days[index + 1] ?? day);
    return (
      <td
        key={index}
        role="gridcell"
        data-day={index}
        tabIndex={index === chosen.at ? 0 : -1}
        aria-selected={isInChosenDays(chosen, index)}
        aria-label={describeDay(day, own, rest.nameOf)}
        onPointerDown={() => {
          setChosen({ anchor: index, at: index });
          setDragging(true);
        }}
        onPointerEnter={() => isDragging && setChosen({ ...chosen, at: index })}
        onPointerUp={() => isDragging && finishDragging()}
      >
        <MonthDay day={day} shifts={own} {...rest} />
      </td>
    );
  };
  return (
    <>
      <p class="soft small">{texts.month.hint}</p>
      <table
        ref={table}
        class="month"
        role="grid"
        aria-multiselectable="true"
        aria-label={group.name}
        onKeyDown={handleKey}
        onPointerLeave={() => setDragging(false)}
      >
        <caption>{formatMonth(days[0] ?? 0)}</caption>
        <thead>
          <tr>
            {weekDays.map((day) => (
              <th key={day} scope="col">
                {formatDayName(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>{week.map(renderCell)}</tr>
          ))}
        </tbody>
      </table>
    </>
  );
};

/** Lists the shifts of each day of the month; in the current month, from today. */
const MonthList = ({ group, shifts, days, onSpan, ...rest }: MonthProps) => {
  const ahead = days.slice(findDayIndex(days, now.value));
  const shown = ahead.length > 1 ? ahead : days;
  const from = shown[0] ?? 0;
  const left = cutShiftsToDay(shifts, from, shown.at(-1) ?? from);
  return <Timeline label={group.name} shifts={left} from={from} days={shown} onShift={onSpan} {...rest} />;
};

export const Month = (props: MonthProps) => (narrow.value ? <MonthList {...props} /> : <MonthGrid {...props} />);
