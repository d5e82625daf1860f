import { useId } from "preact/hooks";
import { locale } from "../../app/language.ts";
import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts/rules.ts";
import { listMidnights, formatDay } from "../../app/dates.ts";
import { DAY_MS } from "../../../core/domain/basics/units.ts";

type HourCount = Answers["History"]["rules"][number]["hours"][number];

/** The maximum number of days that are all labelled. If there are more days, only Mondays are labelled. */
const NAMED_DAYS = 7;
const WIDTH = 336;
const HEIGHT = 56;
const FLOOR = 40;
/** The height of the highest column, with space above for the day's name. */
const TALLEST = 34;

const dayOfMonth = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const dayName = new Intl.DateTimeFormat(locale, { weekday: "short" });

/** Draws matching events per hour. Hours that would have notified somebody are solid. */
export const MatchStrip = ({ hours, now, span }: { hours: readonly HourCount[]; now: number; span: number }) => {
  const id = useId();
  const days = listMidnights(formatDay(now - (span - 1) * DAY_MS), span);
  const [from = 0, to = 1] = [days[0], days.at(-1)];
  const shown = hours.filter(({ from: at }) => Date.parse(at) >= from);
  const toXPosition = (ms: number): number => ((ms - from) / (to - from)) * WIDTH;
  const most = Math.max(1, ...shown.map(({ matched }) => matched));
  const toBarHeight = (count: number): number => (count === 0 ? 0 : Math.max(3, (count / most) * TALLEST));
  const sumHours = (field: "matched" | "told"): number => shown.reduce((total, hour) => total + hour[field], 0);
  return (
    <svg class="chart strip" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}t ${id}d`}>
      <title id={`${id}t`}>{texts.effect.strip}</title>
      <desc id={`${id}d`}>{texts.effect.stripSaid(sumHours("matched"), sumHours("told"))}</desc>
      {days.slice(0, -1).map((day, index) => (
        <g key={day}>
          {index % 2 === 0 && (
            <rect
              class="day"
              x={toXPosition(day)}
              width={toXPosition(days[index + 1] ?? to) - toXPosition(day)}
              height={FLOOR}
            />
          )}
          {(span <= NAMED_DAYS || new Date(day).getDay() === 1) && (
            <text x={toXPosition(day) + 2} y={HEIGHT - 4}>
              {(span <= NAMED_DAYS ? dayName : dayOfMonth).format(day)}
            </text>
          )}
        </g>
      ))}
      {shown.map(({ from: at, matched, told }) => (
        <g key={at}>
          <rect
            class="still"
            x={toXPosition(Date.parse(at))}
            width="2"
            y={FLOOR - toBarHeight(matched)}
            height={toBarHeight(matched)}
          />
          <rect
            class="rang"
            x={toXPosition(Date.parse(at))}
            width="2"
            y={FLOOR - toBarHeight(told)}
            height={toBarHeight(told)}
          />
        </g>
      ))}
      <line class="grid" x2={WIDTH} y1={FLOOR} y2={FLOOR} />
      <rect class="now" x={Math.min(toXPosition(now), WIDTH - 1)} width="1" height={FLOOR} />
    </svg>
  );
};
