import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { replaceBetween } from "../../bench/performance-page.ts";
import { toDay } from "../../core/domain/workspace/retention.ts";
import { readJsonFile, writeWhole } from "../../local/files.ts";
import { suggestName, readArguments } from "../../tools/command-line.ts";
import { changedSince, type Lines } from "./changed.ts";
import { NO_TEST } from "./messages.ts";
import { listFilePatterns, isIn, ROOM, rooms } from "./rooms.ts";
import { BEGIN, END, PAGE, toPercent, Scores, SCORES, formatScore, formatList, type Score } from "./scores.ts";

const options = readArguments(
  `npm run test:mutation                         plants small mistakes in every room and counts those that its tests catch
npm run test:mutation -- --only push,http     some rooms
npm run test:mutation -- --files core/queue/message.ts    only in these files
npm run test:mutation -- --since main         only in the lines that changed since a commit
npm run test:mutation -- --write              keeps the scores that changes are held to, and publishes them`,
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
  const single = changed.flatMap(({ file, from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({ file, from: from + index, to: from + index })),
  );
  if (single.length <= LINES_MAX) return [...changed];
  printLine(`${single.length} lines changed; ${LINES_MAX} of them are tried`);
  return Array.from({ length: LINES_MAX }, (_, index) => single[Math.floor((index * single.length) / LINES_MAX)]!);
};

/** Runs the tests on each mutant of a group of files. Mutants in code that runs while a file is loaded do not count. */
const measureScore = async (room: string, mutate: string[], whole: boolean): Promise<Score> => {
  process.env[ROOM] = room;
  const results = await new Stryker({
    mutate,
    testRunner: rooms[room]?.again === true ? "again" : "vitest",
    plugins: ["@stryker-mutator/vitest-runner", RUNNER],
    // Some tests load their code again for each case, which Stryker cannot see, so it runs all tests of the group.
    vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
    // TypeScript 7 has no API by which Stryker could read one.
    tsconfigFile: "none.json",
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    incremental: whole,
    // Stryker keeps it on record that no test reached a mutant, even if only unloaded code caused that.
    force: options.write,
    incrementalFile: `.local/stryker/${room}.json`,
    tempDirName: ".local/stryker/tmp",
    ignorePatterns: ["docs/img", "dist", "cdk.out", "coverage"],
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: false, skipFull: true },
    allowEmpty: true,
    timeoutMS: 8_000,
    timeoutFactor: 3,
  }).runMutationTest();
  const untried = results.find(({ statusReason = "" }) => statusReason.startsWith(NO_TEST));
  if (untried !== undefined) throw new Error(untried.statusReason);
  const counted = results.filter(({ status }) => ["Killed", "Timeout", "Survived", "NoCoverage"].includes(status));
  const caught = counted.filter(({ status }) => status === "Killed" || status === "Timeout");
  return { mutants: counted.length, caught: caught.length };
};

/** Returns the score that a group of files must reach: the stored one, or its goal if none is stored. */
const requiredScoreOf = (name: string, goal: number): Score => kept[name] ?? { mutants: 100, caught: goal };

/** Returns how many of a number of mutants may survive: the same share as in the whole group, rounded up. */
const countAllowedSurvivors = (mutants: number, held: Score): number =>
  Math.ceil((mutants * (100 - toPercent(held))) / 100);

const kept = readJsonFile(SCORES, Scores) ?? {};
const wanted = options.only?.split(",") ?? Object.keys(rooms);
const unknown = wanted.find((name) => rooms[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`There is no room ${unknown}${suggestName(unknown, Object.keys(rooms))}\n`);
  process.exit(2);
}
const isTried = ({ file }: Lines): boolean => wanted.some((name) => isIn(rooms[name]!, file));
const changed =
  options.since === undefined
    ? options.files?.split(",").map((file) => ({ file, from: 1, to: 100_000 }))
    : sampleLines(changedSince(options.since).filter(isTried));

for (const name of wanted) {
  const room = rooms[name]!;
  const held = requiredScoreOf(name, room.goal);
  const lines = changed?.filter(({ file }) => isIn(room, file));
  if (lines?.length === 0) continue;
  const patterns = lines?.map(({ file, from, to }) => `${file}:${from}-${to}`) ?? listFilePatterns(room);
  const score = await measureScore(name, patterns, lines === undefined);
  const passed = score.mutants - score.caught;
  const isLower =
    lines === undefined ? toPercent(score) < toPercent(held) : passed > countAllowedSurvivors(score.mutants, held);
  if (lines === undefined && options.write) kept[name] = { ...score, measured: toDay(Date.now()) };
  else if (isLower) process.exitCode = 1;
  const verdict = isLower ? `LOWER than ${formatScore(held)}` : `held to ${formatScore(held)}`;
  printLine(`${name}: ${score.caught} of ${score.mutants} caught, ${formatScore(score)}, ${verdict}`);
}
if (options.write) {
  writeWhole(SCORES, `${JSON.stringify(kept, undefined, 2)}\n`);
  writeWhole(PAGE, replaceBetween(readFileSync(PAGE, "utf8"), BEGIN, END, formatList(kept)));
  execFileSync("oxfmt", [PAGE]);
}
