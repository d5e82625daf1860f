import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const page = join(import.meta.dirname, "..", "docs", "performance.md");

const titles = {
  lateness: "Lateness under faults",
  year: "A year in minutes",
  matching: "Matching",
  start: "Cold start",
  cost: "Cost",
  processor: "Processor",
  latency: "Latency",
  load: "Load",
  neighbours: "Neighbours",
  room: "The team's room",
  console: "Console",
} as const;

const begin = (section: string): string => `<!-- ${section}: written by npm run bench:${section} -->`;
const end = (section: string): string => `<!-- end of ${section} -->`;

const frame = Object.entries(titles)
  .map(([section, title]) => `## ${title}\n\n${begin(section)}\n${end(section)}\n`)
  .join("\n");

const head = `# Performance

Measured on 2 cores by the commands named in each part. Ratios compare things that ran in the same run; milliseconds
depend on the machine.

`;

/** Replaces the text between two lines; throws if they are missing. */
export const replaceBetween = (text: string, begin: string, end: string, lines: readonly string[]): string => {
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`there is no place between "${begin}" and "${end}"`);
  return `${text.slice(0, from)}\n\n${lines.join("\n")}\n\n${text.slice(to)}`;
};

/** Replaces one section of docs/performance.md by a benchmark's new results; the other sections stay. */
export const writeSection = (section: keyof typeof titles, lines: readonly string[]): void => {
  const text = existsSync(page) ? readFileSync(page, "utf8") : head + frame;
  writeFileSync(page, replaceBetween(text, begin(section), end(section), lines));
};
