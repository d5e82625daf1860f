import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const toDocsPath = (file: string): string => join(import.meta.dirname, "..", "docs", file);
const main = "performance.md";
const appendix = "performance-appendix.md";

const sections = {
  lateness: ["lateness", main],
  year: ["lateness", main],
  night: ["start", main],
  latency: ["latency", main],
  neighbours: ["neighbours", main],
  "neighbours-here": ["neighbours", main],
  cost: ["cost", main],
  load: ["load", appendix],
  processor: ["processor", appendix],
  room: ["room", appendix],
  console: ["console", appendix],
  matching: ["matching", appendix],
  start: ["start", appendix],
} as const;

/** Replaces the lines between `begin` and `end`. Throws if `begin` or `end` is missing. */
export const replaceBetween = (text: string, begin: string, end: string, lines: readonly string[]): string => {
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`there is no place between "${begin}" and "${end}"`);
  return `${text.slice(0, from)}\n\n${lines.join("\n")}\n\n${text.slice(to)}`;
};

/** Replaces a section of docs/performance.md or its appendix. */
export const writeSection = (section: keyof typeof sections, lines: readonly string[]): void => {
  const [bench, file] = sections[section];
  const begin = `<!-- ${section}: written by npm run bench:${bench} -->`;
  const text = replaceBetween(readFileSync(toDocsPath(file), "utf8"), begin, `<!-- end of ${section} -->`, lines);
  writeFileSync(toDocsPath(file), text);
};
