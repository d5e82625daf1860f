import { useId } from "preact/hooks";

/* Each chart describes its numbers in words, and the page shows the same numbers in a table. */

const WIDTH = 340;
const HEIGHT = 150;
const PLOT = { left: 44, right: 4, top: 16, bottom: 22 };
const PLOT_WIDTH = WIDTH - PLOT.left - PLOT.right;
const PLOT_HEIGHT = HEIGHT - PLOT.top - PLOT.bottom;
const BAR_MAX = 26;
/** The approximate width of the label under a column. */
const LABEL_WIDTH = 42;
/** The smallest width of a column that has room for a number. */
const NUMBERED_WIDTH = 22;

/** Possible ends of a scale, ascending. */
export const counts: readonly number[] = [
  2, 4, 6, 10, 20, 30, 50, 80, 100, 200, 300, 500, 800, 1000, 2000, 3000, 5000, 10_000, 20_000, 50_000, 100_000,
];
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
export const seconds: readonly number[] = [
  10,
  30,
  ...[1, 2, 4, 10, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 12].map((hours) => hours * HOUR),
  ...[1, 2, 4, 8].map((days) => days * DAY),
];
/** Returns the smallest of `ends` (ascending) that is not below the largest value; without such an end, the largest value. */
export const chooseScaleEnd = (ends: readonly number[], largest: number): number =>
  ends.find((end) => end >= largest) ?? Math.max(largest, 1);

/** `value`: null if nothing was measured. `whisker`: a second, higher value. `isPartial`: the period is not over. */
export type Column = {
  name: string;
  value: number | null;
  whisker?: number | null;
  isPartial?: boolean;
  description: string;
};

type ColumnChartProps = {
  heading: string;
  columns: readonly Column[];
  ends: readonly number[];
  format: (value: number) => string;
  look?: "plain" | "night";
};

/** Draws columns, oldest first. The scale ends at one of `ends`. `format`: writes a value as text. */
export const ColumnChart = ({ heading, columns, ends, format, look = "plain" }: ColumnChartProps) => {
  const id = useId();
  const end = chooseScaleEnd(ends, Math.max(0, ...columns.flatMap(({ value, whisker }) => [value ?? 0, whisker ?? 0])));
  const band = PLOT_WIDTH / Math.max(1, columns.length);
  const width = Math.min(BAR_MAX, band * 0.64);
  const floor = PLOT.top + PLOT_HEIGHT;
  const toY = (value: number): number => floor - (value / end) * PLOT_HEIGHT;
  const every = Math.ceil(LABEL_WIDTH / band);
  return (
    <svg class={`chart ${look}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}t ${id}d`}>
      <title id={`${id}t`}>{heading}</title>
      <desc id={`${id}d`}>{columns.map(({ description }) => description).join("; ")}</desc>
      {[0, end / 2, end].map((value) => (
        <g key={value}>
          <line class="grid" x1={PLOT.left} x2={WIDTH - PLOT.right} y1={toY(value)} y2={toY(value)} />
          <text x={PLOT.left - 6} y={toY(value) + 4} text-anchor="end">
            {format(value)}
          </text>
        </g>
      ))}
      {columns.map(({ name, value, whisker, isPartial = false, description }, index) => {
        const middle = PLOT.left + band * (index + 0.5);
        const isNamed = (columns.length - 1 - index) % every === 0;
        return (
          <g key={name} class={isPartial ? "partial" : undefined}>
            <title>{description}</title>
            <rect class="hit" x={middle - band / 2} y={PLOT.top} width={band} height={PLOT_HEIGHT} />
            {value !== null && (
              <rect
                class="bar"
                x={middle - width / 2}
                y={toY(value)}
                width={width}
                height={Math.max(value > 0 ? 1 : 0, floor - toY(value))}
                rx="2"
              />
            )}
            {value !== null && typeof whisker === "number" && (
              <path
                class="whisker"
                d={`M${middle} ${toY(value)}V${toY(whisker)}M${middle - width / 4} ${toY(whisker)}h${width / 2}`}
              />
            )}
            {value !== null && typeof whisker !== "number" && band >= NUMBERED_WIDTH && (
              <text class="value" x={middle} y={toY(value) - 4} text-anchor="middle">
                {format(value)}
              </text>
            )}
            {isNamed && (
              <text x={middle} y={HEIGHT - 6} text-anchor="middle">
                {name}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
};

/** Draws a bar to `value`, and a thin line to `whisker`, on a scale from 0 to `end`. */
export const Bar = ({
  description,
  value,
  whisker = null,
  part = 0,
  end,
}: {
  description: string;
  value: number;
  whisker?: number | null;
  /** A part at the end of the bar, in another colour. */
  part?: number;
  end: number;
}) => {
  const id = useId();
  const toX = (amount: number): number => (amount / end) * 100;
  return (
    <svg class="chart bar-line" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-labelledby={id}>
      <title id={id}>{description}</title>
      <rect class="ground" width="100" height="10" />
      <rect class="bar" width={toX(value - part)} height="10" />
      {part > 0 && <rect class="bar part" x={toX(value - part)} width={toX(part)} height="10" />}
      {whisker !== null && whisker > value && (
        <rect class="reach" x={toX(value)} y="4" width={toX(whisker - value)} height="2" />
      )}
    </svg>
  );
};
