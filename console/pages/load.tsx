import type { ComponentChildren } from "preact";
import { readServiceTime } from "../app/clock.ts";
import { locale } from "../app/language.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Bar, counts, chooseScaleEnd } from "../parts/chart.tsx";
import { SelectField } from "../parts/form.tsx";
import { Empty } from "../parts/states.tsx";
import { texts as all } from "../page-texts/load.ts";
import { formatNumber } from "../texts/numbers.ts";
import { formatReportCsv } from "../../core/domain/shifts/report-csv.ts";

const { load: texts, pages } = all;

type Report = Answers["OnCallReport"];
type ReportRow = Report["items"][number];
type ReportBy = Report["by"];

type Data = { by: ReportBy; months: { name: string; report: Report }[] };

const MONTHS = 3;
const monthName = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" });
const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const formatHours = (hours: number): string => formatNumber(Math.round(hours));

/** Lists the latest months in UTC, newest first. The current month ends at `nowMs`. */
const listMonthsUpTo = (nowMs: number): { from: string; to: string }[] => {
  const today = new Date(nowMs);
  const computeMonthStart = (monthsAgo: number): number =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, 1);
  return Array.from({ length: MONTHS }, (_, back) => ({
    from: new Date(computeMonthStart(back)).toISOString(),
    to: new Date(Math.min(computeMonthStart(back - 1), Math.max(nowMs, computeMonthStart(back) + 1))).toISOString(),
  }));
};

const columns: readonly (readonly [string, (row: ReportRow) => ComponentChildren])[] = [
  [texts.total, (row) => formatHours(row.hours.total)],
  [texts.nights, (row) => formatHours(row.hours.night)],
  [texts.weekends, (row) => formatHours(row.hours.weekend)],
  [texts.holidays, (row) => formatHours(row.hours.holiday)],
  [texts.pages, (row) => formatNumber(row.pages)],
  [texts.pagesAtNight, (row) => formatNumber(row.pagesAtNight)],
  [texts.toResolve, (row) => (row.minutesToResolve === null ? "–" : texts.minutes(row.minutesToResolve))],
  [texts.shortRests, (row) => formatNumber(row.shortRests)],
  [texts.covers, (row) => `${formatNumber(row.coversGiven)} / ${formatNumber(row.coversTaken)}`],
];
const pay = [texts.pay, (row: ReportRow) => money.format((row.pay ?? 0) / 100)] as const;

const formatPersonOrGroupName = ({ person, group }: ReportRow): string => {
  const { id, name } = person ?? group ?? { id: "", name: "" };
  return name === "" ? id : name;
};

/** Draws the hours of each row at night and on weekends, all on the same scale. */
const LoadChart = ({ rows, end }: { rows: readonly ReportRow[]; end: number }) => (
  <figure class="drawn">
    <figcaption>
      <strong>{texts.drawn}</strong>
      <span class="soft small">{texts.drawnHint}</span>
    </figcaption>
    <ul class="bars">
      {rows.map((row) => {
        const { night, weekend } = row.hours;
        return (
          <li key={formatPersonOrGroupName(row)}>
            <span>{formatPersonOrGroupName(row)}</span>
            <Bar
              description={texts.said(formatHours(night), formatHours(weekend))}
              value={night + weekend}
              part={weekend}
              end={end}
            />
            <span class="number">{formatHours(night + weekend)}</span>
          </li>
        );
      })}
    </ul>
  </figure>
);

const MonthReport = ({ by, name, report, end }: { by: ReportBy; name: string; report: Report; end: number }) => {
  const { items } = report;
  const shown = items.some((row) => row.pay !== undefined) ? [...columns, pay] : columns;
  const caption = report.closed.length > 0 ? name : texts.soFar(name);
  return (
    <section>
      <h2>{caption}</h2>
      {items.length === 0 ? (
        <p class="soft">{texts.nobody}</p>
      ) : (
        <>
          <LoadChart rows={items} end={end} />
          <div class="wide" role="region" aria-label={caption} tabIndex={0}>
            <table>
              <caption class="unseen">{caption}</caption>
              <thead>
                <tr>
                  <th scope="col">{texts.byOptions[by]}</th>
                  {shown.map(([heading]) => (
                    <th key={heading} scope="col">
                      {heading}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map((row) => (
                  <tr key={formatPersonOrGroupName(row)}>
                    <th scope="row">{formatPersonOrGroupName(row)}</th>
                    {shown.map(([heading, show]) => (
                      <td key={heading}>{show(row)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p class="buttons">
            <a
              class="button"
              download={`on-call-${report.from.slice(0, "2026-01".length)}.csv`}
              href={`data:text/csv;charset=utf-8,${encodeURIComponent(formatReportCsv(report))}`}
              aria-label={texts.csvOf(name)}
            >
              {texts.csv}
            </a>
          </p>
        </>
      )}
    </section>
  );
};

const LoadReport = ({ data: { by, months } }: ViewProps<Data>) => {
  const rows = months.flatMap(({ report }) => report.items);
  const end = chooseScaleEnd(counts, Math.max(0, ...rows.map((row) => row.hours.night + row.hours.weekend)));
  return (
    <>
      <div class="filters">
        <SelectField
          label={texts.by}
          name="by"
          value={by}
          options={Object.entries(texts.byOptions)}
          onValue={(next) => setQuery({ by: next === "person" ? undefined : next })}
        />
      </div>
      {rows.length === 0 ? (
        <Empty next={<a href="/on-call">{pages.onCall}</a>}>{texts.empty}</Empty>
      ) : (
        months.map(({ name, report }) => <MonthReport key={name} by={by} name={name} report={report} end={end} />)
      )}
      <p class="hint">{texts.howCounted}</p>
    </>
  );
};

export const page = definePage<Data>({
  heading: pages.load,
  load: async ({ api, query }) => {
    const by: ReportBy = query().get("by") === "group" ? "group" : "person";
    const months = await Promise.all(
      listMonthsUpTo(readServiceTime()).map(async (span) => ({
        name: monthName.format(new Date(span.from)),
        report: await api("on-call-report/get-on-call-report", { query: { ...span, by } }),
      })),
    );
    return { by, months };
  },
  View: LoadReport,
});
