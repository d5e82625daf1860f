import type { ComponentChildren } from "preact";
import type { Answers } from "../../app/types.ts";
import { locale } from "../../app/language.ts";
import { Bar, type Column, ColumnChart, counts, chooseScaleEnd, seconds } from "../../parts/chart.tsx";
import { findTypicalDuration } from "./typical.ts";
import { texts } from "../../page-texts/insights.ts";
import { formatNumber } from "../../texts/numbers.ts";

type Row = Answers["Statistics"];

/** The maximum number of bars. Other rules and groups are only in the table. */
const BARS_MAX = 12;

const shortDay = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
const { duration } = texts;

const ChartFigure = ({ heading, hint, children }: { heading: string; hint?: string; children: ComponentChildren }) => (
  <figure class="drawn">
    <figcaption>
      <strong>{heading}</strong>
      {hint !== undefined && <span class="soft small">{hint}</span>}
    </figcaption>
    {children}
  </figure>
);

const formatTypicalDuration = (times: Row["acknowledged"]): string => {
  const typical = findTypicalDuration(times);
  if (typical === undefined) return texts.statistics.none;
  const { value, p90 } = typical;
  return p90 === null
    ? `${duration(value)}, ${texts.statistics.meanOf(times.count)}`
    : texts.statistics.took(duration(value), duration(p90));
};

type WeekChartsProps = {
  /** The rows of the weeks, oldest first. */
  weeks: readonly Row[];
  nameOf: (row: Row) => string;
  isRunning: (row: Row) => boolean;
};

export const WeekCharts = ({ weeks, nameOf, isRunning }: WeekChartsProps) => {
  const toColumns = (readColumn: (row: Row) => Pick<Column, "value" | "whisker"> & { words: string }): Column[] =>
    weeks.map((row) => {
      const { words, ...values } = readColumn(row);
      const name = shortDay.format(new Date(`${row.week}T00:00:00Z`));
      return { name, isPartial: isRunning(row), description: `${nameOf(row)}: ${words}`, ...values };
    });
  const toCountColumns = (field: "notificationsAtNight" | "notifications") =>
    toColumns((row) => ({ value: row[field], words: formatNumber(row[field]) }));
  return (
    <div class="drawings">
      <ChartFigure heading={texts.statistics.toAcknowledge} hint={texts.statistics.medianAndMost}>
        <ColumnChart
          heading={texts.statistics.drawn(texts.statistics.toAcknowledge)}
          columns={toColumns(({ acknowledged }) => ({
            value: findTypicalDuration(acknowledged)?.value ?? null,
            whisker: findTypicalDuration(acknowledged)?.p90 ?? null,
            words: formatTypicalDuration(acknowledged),
          }))}
          ends={seconds}
          format={duration}
        />
      </ChartFigure>
      <ChartFigure heading={texts.statistics.atNight}>
        <ColumnChart
          heading={texts.statistics.drawn(texts.statistics.atNight)}
          columns={toCountColumns("notificationsAtNight")}
          ends={counts}
          format={formatNumber}
          look="night"
        />
      </ChartFigure>
      <ChartFigure heading={texts.statistics.notifications}>
        <ColumnChart
          heading={texts.statistics.drawn(texts.statistics.notifications)}
          columns={toCountColumns("notifications")}
          ends={counts}
          format={formatNumber}
        />
      </ChartFigure>
    </div>
  );
};

/** Draws the typical time until an acknowledgement as a bar for each rule or group, longest first. */
export const RowCharts = ({ rows, nameOf }: { rows: readonly Row[]; nameOf: (row: Row) => ComponentChildren }) => {
  const timed = rows
    .flatMap((row) => {
      const typical = findTypicalDuration(row.acknowledged);
      return typical === undefined ? [] : [{ row, ...typical }];
    })
    .toSorted((one, other) => other.value - one.value)
    .slice(0, BARS_MAX);
  if (timed.length === 0) return null;
  const end = chooseScaleEnd(seconds, Math.max(...timed.map(({ value, p90 }) => p90 ?? value)));
  return (
    <ChartFigure heading={texts.statistics.toAcknowledge} hint={texts.statistics.medianAndMost}>
      <ul class="bars">
        {timed.map(({ row, value, p90 }) => (
          <li key={`${row.rule?.id} ${row.group?.id}`}>
            <span>{nameOf(row)}</span>
            <Bar description={formatTypicalDuration(row.acknowledged)} value={value} whisker={p90} end={end} />
            <span class="number">{duration(value)}</span>
          </li>
        ))}
      </ul>
    </ChartFigure>
  );
};
