import { locale } from "../../app/language.ts";
import { Bar } from "../../parts/chart.tsx";
import { texts } from "../../page-texts/on-call.ts";
import type { Load } from "./loads.ts";
import { HOUR_MS } from "../../../core/domain/basics/units.ts";

const monthName = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric" });

const hours = (ms: number): number => Math.round(ms / HOUR_MS);

type MonthLoadProps = { loads: readonly Load[]; month: number; nameOf: (userId: string) => string };

/** Who carries how much of a month. */
export const MonthLoad = ({ loads, month, nameOf }: MonthLoadProps) => {
  const [most] = loads;
  if (most === undefined) return null;
  return (
    <section aria-labelledby="load">
      <h2 id="load">{texts.onCall.load(monthName.format(month))}</h2>
      <p class="soft small">{texts.onCall.loadHint}</p>
      <ul class="bars">
        {loads.map(({ userId, ms, weekendMs }) => (
          <li key={userId}>
            <span>{nameOf(userId)}</span>
            <Bar said={texts.onCall.loadSaid(hours(ms), hours(weekendMs))} value={ms} part={weekendMs} end={most.ms} />
            <span class="number">{texts.onCall.hours(hours(ms))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};
