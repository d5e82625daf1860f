import { now } from "../../app/clock.ts";
import type { Answers } from "../../app/types.ts";
import { Bar } from "../../parts/chart.tsx";
import { texts } from "../../page-texts/load.ts";
import { listMonthMidnights, formatMonth, sumTimeOnCall } from "./loads.ts";
import { listShiftsBetween } from "./shifts.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

const formatHours = (durationMs: number): number => Math.round(durationMs / HOUR_MS);

type MonthLoadProps = {
  schedules: readonly (Answers["OnCallSchedule"] | undefined)[];
  members: readonly { userId: string; name: string }[];
};

export const MonthLoad = ({ schedules, members }: MonthLoadProps) => {
  const days = listMonthMidnights(now.value);
  const month = days[0] ?? 0;
  const shifts = schedules.flatMap((schedule) =>
    schedule === undefined ? [] : listShiftsBetween(schedule, schedule.overrides, month, days.at(-1) ?? 0),
  );
  const nameOf = (userId: string): string => members.find((member) => member.userId === userId)?.name ?? userId;
  const loads = sumTimeOnCall(shifts, days);
  const [most] = loads;
  if (most === undefined) return null;
  return (
    <section aria-labelledby="load">
      <h2 id="load">{texts.load.inMonth(formatMonth(month))}</h2>
      <p class="soft small">{texts.load.inMonthHint}</p>
      <ul class="bars">
        {loads.map(({ userId, ms, weekendMs }) => (
          <li key={userId}>
            <span>{nameOf(userId)}</span>
            <Bar
              description={texts.load.ofPerson(formatHours(ms), formatHours(weekendMs))}
              value={ms}
              part={weekendMs}
              end={most.ms}
            />
            <span class="number">{texts.load.hours(formatHours(ms))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};
