import { escapeMarkup } from "../core/domain/basics/markup.ts";
/** A line chart with logarithmic axes as an SVG text, readable on light and dark pages. */

export type Series = { name: string; color: string; points: readonly { x: number; y: number }[] };
export type Plot = { title: string; xLabel: string; yLabel: string; series: readonly Series[] };

const WIDTH = 760;
const HEIGHT = 440;
const LEFT = 76;
const RIGHT = 190;
const TOP = 44;
const BOTTOM = 56;

/** 1, 10, 100, 1k, 10k, 100k, 1M. */
const short = (value: number): string => {
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 1e3 ? `${value / 1e3}k` : String(value);
};

/** The powers of ten that enclose some numbers, as exponents. */
const decades = (values: readonly number[]): number[] => {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
};

/** Moves labels apart vertically where lines end close together. */
const spread = (wanted: readonly number[], gap: number): number[] => {
  const order = wanted.map((y, index) => ({ y, index })).toSorted((a, b) => a.y - b.y);
  const placed = wanted.slice();
  let last = Number.NEGATIVE_INFINITY;
  for (const { y, index } of order) {
    last = Math.max(y, last + gap);
    placed[index] = last;
  }
  return placed;
};

export const svgPlot = ({ title, xLabel, yLabel, series }: Plot): string => {
  const points = series.flatMap((line) => line.points);
  const xDecades = decades(points.map((point) => point.x));
  const yDecades = decades(points.map((point) => point.y));
  const scale = (exponents: readonly number[], from: number, to: number) => (value: number) => {
    const [low = 0, high = low + 1] = [exponents.at(0), exponents.at(-1)];
    return from + ((Math.log10(value) - low) / Math.max(1, high - low)) * (to - from);
  };
  const x = scale(xDecades, LEFT, WIDTH - RIGHT);
  const y = scale(yDecades, HEIGHT - BOTTOM, TOP);
  const at = (value: number): string => value.toFixed(1);

  const grid = [
    ...xDecades.map((exponent) => {
      const left = at(x(10 ** exponent));
      return `<path class="grid" d="M${left} ${TOP}V${HEIGHT - BOTTOM}"/><text x="${left}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${short(10 ** exponent)}</text>`;
    }),
    ...yDecades.map((exponent) => {
      const top = at(y(10 ** exponent));
      return `<path class="grid" d="M${LEFT} ${top}H${WIDTH - RIGHT}"/><text x="${LEFT - 8}" y="${top}" dy="4" text-anchor="end">${short(10 ** exponent)}</text>`;
    }),
  ];
  const labels = spread(
    series.map((line) => y(line.points.at(-1)?.y ?? 1)),
    15,
  );
  const lines = series.map(({ name, color, points }, index) => {
    const path = points.map((point, index) => `${index === 0 ? "M" : "L"}${at(x(point.x))} ${at(y(point.y))}`).join("");
    const dots = points.map((point) => `<circle cx="${at(x(point.x))}" cy="${at(y(point.y))}" r="3" fill="${color}"/>`);
    const label = `<text x="${WIDTH - RIGHT + 10}" y="${at(labels[index] ?? 0)}" dy="4" fill="${color}">${escapeMarkup(name)}</text>`;
    return `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join("")}${label}`;
  });

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#888">`,
    "<style>.grid{stroke:#888;stroke-opacity:.25;fill:none}</style>",
    `<text x="${LEFT}" y="22" font-size="15">${escapeMarkup(title)}</text>`,
    ...grid,
    ...lines,
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 14}" text-anchor="middle">${escapeMarkup(xLabel)}</text>`,
    `<text transform="translate(18 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escapeMarkup(yLabel)}</text>`,
    "</svg>",
    "",
  ].join("\n");
};
