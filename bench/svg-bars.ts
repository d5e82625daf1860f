import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { escapeMarkup } from "../core/domain/basics/markup.ts";

type Part = { name: string; value: number };
export type Bar = { label: string; parts: readonly Part[] };

const colors = ["#3b6fb6", "#e0a030", "#5aa469", "#a05195", "#d45087", "#2f8f9d", "#8c8c8c", "#7a5c3e"];
const LABEL_WIDTH = 400;
const BAR_WIDTH = 420;
const ROW = 26;

/** Writes horizontal bars, each stacked from its parts, as an SVG file. */
export const stackedBars = (file: string, title: string, bars: readonly Bar[]): void => {
  const sum = ({ parts }: Bar) => parts.reduce((total, { value }) => total + value, 0);
  const scale = BAR_WIDTH / Math.max(...bars.map(sum), Number.MIN_VALUE);
  const names = bars[0]?.parts.map(({ name }) => name) ?? [];
  const rows = bars.map((bar, row) => {
    const y = 60 + row * ROW;
    let x = LABEL_WIDTH;
    const parts = bar.parts.map(({ value }, index) => {
      const width = value * scale;
      const rect = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="16" fill="${colors[index]}"/>`;
      x += width;
      return rect;
    });
    return `<text x="${LABEL_WIDTH - 8}" y="${y + 12}" text-anchor="end">${escapeMarkup(bar.label)}</text>${parts.join("")}<text x="${(x + 6).toFixed(1)}" y="${y + 12}">${sum(bar).toFixed(2)}</text>`;
  });
  const legend = names.map(
    (name, index) =>
      `<rect x="${LABEL_WIDTH + index * 90}" y="34" width="12" height="12" fill="${colors[index]}"/><text x="${LABEL_WIDTH + 18 + index * 90}" y="44">${escapeMarkup(name)}</text>`,
  );
  const height = 70 + bars.length * ROW;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LABEL_WIDTH + BAR_WIDTH + 80}" height="${height}" font-family="sans-serif" font-size="12">` +
      `<rect width="100%" height="100%" fill="white"/><text x="10" y="22" font-size="15">${escapeMarkup(title)}</text>${legend.join("")}${rows.join("")}</svg>\n`,
  );
};
