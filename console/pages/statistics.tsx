import { toCsv } from "../../core/domain/basics/csv.ts";
import type { ComponentChildren } from "preact";
import { now, readServiceTime } from "../app/clock.ts";
import { locale } from "../app/language.ts";
import { definePage, type ViewProps } from "../app/page.tsx";
import { setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { SelectField } from "../parts/form.tsx";
import { Empty } from "../parts/states.tsx";
import { findTypicalDuration } from "./statistics/typical.ts";
import { texts } from "../page-texts/insights.ts";
import { formatNumber } from "../texts/numbers.ts";
import { RowCharts, WeekCharts } from "./statistics/charts.tsx";
import { WEEK_MS } from "../../core/domain/basics/units.ts";

type Row = Answers["Statistics"];
type StatisticsBy = keyof typeof texts.statistics.byOptions;
const isByOption = (text: string | null): text is StatisticsBy =>
  text !== null && Object.hasOwn(texts.statistics.byOptions, text);
type PartsBy = keyof typeof texts.statistics.parts;
const bys = Object.entries(texts.statistics.byOptions);

type Data = {
  /** Rows of the whole workspace, one per week, newest first. */
  weeks: Row[];
  by: StatisticsBy;
  /** Rows of a single week, those with the most notifications first. */
  parts: { by: PartsBy; week: string; rows: Row[] } | undefined;
};

const spans = [4, 12, 52].map((n) => [String(n), texts.statistics.span(n)] as const);
const SPAN = "12";
const readWeekCountOption = (query: URLSearchParams): string => {
  const asked = query.get("weeks");
  return spans.find(([value]) => value === asked)?.[0] ?? SPAN;
};

const dayOf = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
/** Returns the start of a week in UTC. `week`: the date of the first day. */
const toWeekStart = (week: string): string => `${week}T00:00:00Z`;
const isCurrentWeek = (week: string): boolean => now.value < Date.parse(toWeekStart(week)) + WEEK_MS;
const formatWeek = (week: string): string => {
  const day = dayOf.format(new Date(toWeekStart(week)));
  return isCurrentWeek(week) ? texts.statistics.soFar(day) : day;
};

const NoStatistics = () => (
  <>
    <span aria-hidden="true">–</span>
    <span class="unseen">{texts.statistics.none}</span>
  </>
);

const TypicalDuration = ({ times }: { times: Row["acknowledged"] }) => {
  const typical = findTypicalDuration(times);
  if (typical === undefined) return <NoStatistics />;
  const { value, p90 } = typical;
  return (
    <>
      <strong>{texts.duration(value)}</strong>
      <br />
      <span class="soft small">
        {p90 === null ? texts.statistics.meanOf(times.count) : texts.statistics.p90(texts.duration(p90))}
      </span>
    </>
  );
};

const CSV_COLUMNS = [
  ["week", ({ week }: Row) => week],
  ["name", (row: Row) => formatRuleOrGroupName(row)],
  ["events", ({ events }: Row) => events],
  ["notifications", ({ notifications }: Row) => notifications],
  ["at_night", ({ notificationsAtNight }: Row) => notificationsAtNight],
  ["saved", ({ notificationsSaved }: Row) => notificationsSaved],
  ["acknowledged", ({ acknowledged }: Row) => acknowledged.count],
  ["acknowledge_mean_s", ({ acknowledged }: Row) => acknowledged.mean],
  ["acknowledge_median_s", ({ acknowledged }: Row) => findTypicalDuration(acknowledged)?.median ?? null],
  ["acknowledge_p90_s", ({ acknowledged }: Row) => findTypicalDuration(acknowledged)?.p90 ?? null],
  ["resolved", ({ resolved }: Row) => resolved.count],
  ["resolve_mean_s", ({ resolved }: Row) => resolved.mean],
  ["resolve_median_s", ({ resolved }: Row) => findTypicalDuration(resolved)?.median ?? null],
  ["resolve_p90_s", ({ resolved }: Row) => findTypicalDuration(resolved)?.p90 ?? null],
] as const satisfies readonly (readonly [string, (row: Row) => string | number | null])[];

const ExportLink = ({ rows }: { rows: readonly Row[] }) => {
  const csv = toCsv([CSV_COLUMNS.map(([name]) => name), ...rows.map((row) => CSV_COLUMNS.map(([, of]) => of(row)))]);
  return (
    <p>
      <a class="button" download="statistics.csv" href={`data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`}>
        {texts.statistics.export}
      </a>
    </p>
  );
};

const columns = [
  [texts.statistics.toAcknowledge, ({ acknowledged }: Row) => <TypicalDuration times={acknowledged} />],
  [texts.statistics.toResolve, ({ resolved }: Row) => <TypicalDuration times={resolved} />],
  [
    texts.statistics.atNight,
    ({ notificationsAtNight: atNight }: Row) => (
      <span class={atNight > 0 ? "priority-high" : "soft"}>{formatNumber(atNight)}</span>
    ),
  ],
  [
    texts.statistics.acknowledged,
    ({ acknowledged, toAcknowledge }: Row) =>
      toAcknowledge === 0 ? <NoStatistics /> : texts.statistics.of(acknowledged.count, toAcknowledge),
  ],
  [texts.statistics.notifications, ({ notifications }: Row) => formatNumber(notifications)],
  [texts.statistics.saved, ({ notificationsSaved }: Row) => formatNumber(notificationsSaved)],
  [texts.statistics.events, ({ events }: Row) => formatNumber(events)],
] as const satisfies readonly (readonly [string, (row: Row) => ComponentChildren])[];

type TableProps = { caption: string; first: string; rows: readonly Row[]; nameOf: (row: Row) => ComponentChildren };

/** Shows the statistics as a table. On a phone, the table is wider than the page. */
const StatisticsTable = ({ caption, first, rows, nameOf }: TableProps) => (
  <div class="wide" role="region" aria-label={caption} tabIndex={0}>
    <table>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {columns.map(([name]) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.week} ${row.rule?.id} ${row.group?.id}`}>
            <th scope="row">{nameOf(row)}</th>
            {columns.map(([name, show]) => (
              <td key={name}>{show(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const formatRuleOrGroupName = ({ rule, group }: Row): string => {
  const { id, name } = rule ?? group ?? { id: "", name: "" };
  return name === "" ? id : name;
};

/** Links to the rule or group of a row. The page of a deleted rule explains that the rule was deleted. */
const RowLink = ({ row }: { row: Row }) => (
  <a href={row.rule === null ? `/groups/${row.group?.id ?? ""}` : `/rules/${row.rule.id}`} data-row>
    {formatRuleOrGroupName(row)}
  </a>
);

const RowStatistics = ({ parts: { by, week, rows } }: { parts: NonNullable<Data["parts"]> }) =>
  rows.length === 0 ? (
    <Empty>{texts.statistics.nobody}</Empty>
  ) : (
    <>
      <RowCharts rows={rows} nameOf={formatRuleOrGroupName} />
      <StatisticsTable
        caption={texts.statistics.caption(texts.statistics.byOptions[by], formatWeek(week))}
        first={texts.statistics.parts[by]}
        rows={rows}
        nameOf={(row) => <RowLink row={row} />}
      />
    </>
  );

const Filters = ({ data: { weeks, by, parts }, context: { query } }: ViewProps<Data>) => (
  <div class="filters">
    <SelectField
      label={texts.statistics.by}
      name="by"
      value={by}
      options={bys}
      onValue={(next) => setQuery({ by: next === "workspace" ? undefined : next })}
    />
    <SelectField
      label={texts.statistics.weeks}
      name="weeks"
      value={readWeekCountOption(query())}
      options={spans}
      onValue={(next) => setQuery({ weeks: next === SPAN ? undefined : next, week: undefined })}
    />
    {parts !== undefined && (
      <SelectField
        label={texts.statistics.week}
        name="week"
        value={parts.week}
        options={weeks.map(({ week }) => [week, formatWeek(week)] as const)}
        onValue={(week) => setQuery({ week })}
      />
    )}
  </div>
);

const StatisticsView = (props: ViewProps<Data>) => {
  const { weeks, parts } = props.data;
  if (weeks.length === 0 && readWeekCountOption(props.context.query()) === SPAN)
    return <Empty next={<a href="/events">{texts.inbox.toEvents}</a>}>{texts.statistics.empty}</Empty>;
  return (
    <>
      <Filters {...props} />
      {parts === undefined ? (
        <>
          <WeekCharts
            weeks={weeks.toReversed()}
            nameOf={({ week }) => formatWeek(week)}
            isRunning={({ week }) => isCurrentWeek(week)}
          />
          <StatisticsTable
            caption={texts.statistics.byWeek}
            first={texts.statistics.week}
            rows={weeks}
            nameOf={({ week }) => formatWeek(week)}
          />
        </>
      ) : (
        <RowStatistics parts={parts} />
      )}
      <ExportLink rows={parts === undefined ? weeks : parts.rows} />
      <p class="hint">{texts.statistics.howCounted}</p>
    </>
  );
};

export const page = definePage<Data>({
  heading: texts.pages.insights,
  load: async ({ api, query }) => {
    const asked = query();
    const given = asked.get("by");
    const by = isByOption(given) ? given : "workspace";
    const from = new Date(readServiceTime() - (Number(readWeekCountOption(asked)) - 1) * WEEK_MS).toISOString();
    const weeks = (await api("statistics/list-statistics", { query: { from } })).reverse();
    const week = weeks.find((one) => one.week === asked.get("week"))?.week ?? weeks[0]?.week;
    if (by === "workspace" || week === undefined) return { weeks, by, parts: undefined };
    const rows = await api("statistics/list-statistics", {
      query: { by, from: toWeekStart(week), to: toWeekStart(week) },
    });
    return { weeks, by, parts: { by, week, rows: rows.toSorted((a, b) => b.notifications - a.notifications) } };
  },
  View: StatisticsView,
});
