import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { replaceBetween } from "../../bench/performance-page.ts";
import { formatUtcDay } from "../../core/domain/workspace/retention.ts";
import { readJsonFile, writeAtomically } from "../../local/files.ts";
import { suggestFix, readArguments } from "../../tools/command-line.ts";
import { listLinesChangedSince, type Lines } from "./changed.ts";
import { NO_TEST } from "./messages.ts";
import { AREA, areas, isInArea, listFilePatterns } from "./areas.ts";
import { BEGIN, END, PAGE, toPercent, Scores, SCORES, formatScore, formatList, type Score } from "./scores.ts";

const options = readArguments(
  `npm run test:mutation                         makes small mistakes in every area, and counts those that its tests catch
npm run test:mutation -- --only push,http     only in these areas
npm run test:mutation -- --files core/queue/message.ts    only in these files
npm run test:mutation -- --since main         only in the lines that changed since a commit
npm run test:mutation -- --write              stores the scores that later changes must reach, and publishes them`,
  {
    only: { type: "string" },
    files: { type: "string" },
    since: { type: "string" },
    write: { type: "boolean", default: false },
  },
);

const RUNNER = fileURLToPath(new URL("runner.ts", import.meta.url));

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** The maximum number of changed lines to test. Of a larger change, evenly spread lines are tested. */
const LINES_MAX = 300;

/** Returns every nth changed line, to limit their number. */
const sampleLines = (changed: readonly Lines[]): Lines[] => {
  const lines = changed.flatMap(({ file, from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({ file, from: from + index, to: from + index })),
  );
  if (lines.length <= LINES_MAX) return [...changed];
  printLine(`${lines.length} lines changed; ${LINES_MAX} of them are tested`);
  return Array.from({ length: LINES_MAX }, (_, index) => lines[Math.floor((index * lines.length) / LINES_MAX)]!);
};

/** Runs the tests on each mutant of an area. Mutants in code that runs while a file is loaded do not count. */
const measureScore = async (area: string, mutate: string[], isWhole: boolean): Promise<Score> => {
  process.env[AREA] = area;
  const results = await new Stryker({
    mutate,
    testRunner: areas[area]?.repeatable === true ? "repeating" : "vitest",
    plugins: ["@stryker-mutator/vitest-runner", RUNNER],
    // Some tests load their code again for each case, which Stryker cannot see, so it runs all tests of the area.
    vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
    // TypeScript 7 has no API by which Stryker could read one.
    tsconfigFile: "none.json",
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    incremental: isWhole,
    // Stryker remembers that no test reached a mutant, even if the only cause was code that was not loaded.
    force: options.write,
    incrementalFile: `.local/stryker/${area}.json`,
    tempDirName: ".local/stryker/tmp",
    ignorePatterns: ["docs/img", "dist", "cdk.out", "coverage"],
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: false, skipFull: true },
    allowEmpty: true,
    timeoutMS: 8_000,
    timeoutFactor: 3,
  }).runMutationTest();
  const untested = results.find(({ statusReason = "" }) => statusReason.startsWith(NO_TEST));
  if (untested !== undefined) throw new Error(untested.statusReason);
  const counted = results.filter(({ status }) => ["Killed", "Timeout", "Survived", "NoCoverage"].includes(status));
  const caught = counted.filter(({ status }) => status === "Killed" || status === "Timeout");
  return { mutants: counted.length, caught: caught.length };
};

/** Returns the score that an area must reach: the stored one, or its goal if none is stored. */
const getRequiredScore = (name: string, goal: number): Score => stored[name] ?? { mutants: 100, caught: goal };

/** Returns how many of a number of mutants may survive: the same share as in the whole area, rounded up. */
const countAllowedSurvivors = (mutants: number, target: Score): number =>
  Math.ceil((mutants * (100 - toPercent(target))) / 100);

const stored = readJsonFile(SCORES, Scores) ?? {};
const selected = options.only?.split(",") ?? Object.keys(areas);
const unknown = selected.find((name) => areas[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`There is no area ${unknown}${suggestFix(unknown, Object.keys(areas))}\n`);
  process.exit(2);
}
const isInSelectedArea = ({ file }: Lines): boolean => selected.some((name) => isInArea(areas[name]!, file));
const changed =
  options.since === undefined
    ? options.files?.split(",").map((file) => ({ file, from: 1, to: 100_000 }))
    : sampleLines(listLinesChangedSince(options.since).filter(isInSelectedArea));

for (const name of selected) {
  const area = areas[name]!;
  const target = getRequiredScore(name, area.goal);
  const lines = changed?.filter(({ file }) => isInArea(area, file));
  if (lines?.length === 0) continue;
  const patterns = lines?.map(({ file, from, to }) => `${file}:${from}-${to}`) ?? listFilePatterns(area);
  const score = await measureScore(name, patterns, lines === undefined);
  const missed = score.mutants - score.caught;
  const isLower =
    lines === undefined ? toPercent(score) < toPercent(target) : missed > countAllowedSurvivors(score.mutants, target);
  if (lines === undefined && options.write) stored[name] = { ...score, measured: formatUtcDay(Date.now()) };
  else if (isLower) process.exitCode = 1;
  const verdict = isLower ? `LOWER than the required ${formatScore(target)}` : `required: ${formatScore(target)}`;
  printLine(`${name}: ${score.caught} of ${score.mutants} caught, ${formatScore(score)}, ${verdict}`);
}
if (options.write) {
  writeAtomically(SCORES, `${JSON.stringify(stored, undefined, 2)}\n`);
  writeAtomically(PAGE, replaceBetween(readFileSync(PAGE, "utf8"), BEGIN, END, formatList(stored)));
  execFileSync("oxfmt", [PAGE]);
}
