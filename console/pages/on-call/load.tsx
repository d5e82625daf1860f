import { now } from "../../app/clock.ts";
import { locale } from "../../app/language.ts";
import type { Answers } from "../../app/types.ts";
import { Bar } from "../../parts/chart.tsx";
import { texts } from "../../page-texts/load.ts";
import { daysOfMonth, loadsOf } from "./loads.ts";
import { shiftsOf } from "./shifts.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

const monthName = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric" });

const hours = (ms: number): number => Math.round(ms / HOUR_MS);

type MonthLoadProps = {
  schedules: readonly (Answers["OnCallSchedule"] | undefined)[];
  members: readonly { userId: string; name: string }[];
};

/** Shows how the month's time on call is shared. */
export const MonthLoad = ({ schedules, members }: MonthLoadProps) => {
  const days = daysOfMonth(now.value);
  const month = days[0] ?? 0;
  const shifts = schedules.flatMap((schedule) =>
    schedule === undefined ? [] : shiftsOf(schedule, schedule.overrides, month, days.at(-1) ?? 0),
  );
  const nameOf = (userId: string): string => members.find((member) => member.userId === userId)?.name ?? userId;
  const loads = loadsOf(shifts, days);
  const [most] = loads;
  if (most === undefined) return null;
  return (
    <section aria-labelledby="load">
      <h2 id="load">{texts.load.inMonth(monthName.format(month))}</h2>
      <p class="soft small">{texts.load.inMonthHint}</p>
      <ul class="bars">
        {loads.map(({ userId, ms, weekendMs }) => (
          <li key={userId}>
            <span>{nameOf(userId)}</span>
            <Bar said={texts.load.ofPerson(hours(ms), hours(weekendMs))} value={ms} part={weekendMs} end={most.ms} />
            <span class="number">{texts.load.hours(hours(ms))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};
