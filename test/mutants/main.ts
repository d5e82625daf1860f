import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { readArguments, parsePart } from "../../tools/command-line.ts";
import { scenarios } from "../faults/scenarios/index.ts";
import { findMutant, mutants } from "./list.ts";
import { mutate, root, type Mutant } from "./mutant.ts";
import { runUnchanged, replayWithMutant, searchWithMutant, runTests, type Baseline } from "./programs.ts";

const usage = `npm run mutants                                      every mutant must be caught, and the unchanged code must pass
npm run mutants -- --only no-sweeper,lease-ignored   only these mutants
npm run mutants -- --part 1/3                        every third mutant, beginning with the first
npm run mutants -- --alone                           skips the runs of the unchanged code, which check and faults make, too
npm run mutants -- --blind                           searches all scenarios, not only the one that must catch a mutant
npm run mutants -- --only no-sweeper --replay PLAN   repeats one run with one mutant, and prints each call`;

const print = (text: string) => process.stdout.write(`${text}\n`);

const values = readArguments(usage, {
  only: { type: "string" },
  part: { type: "string", default: "1/1" },
  alone: { type: "boolean", default: false },
  blind: { type: "boolean", default: false },
  replay: { type: "string" },
});
const { part, parts } = parsePart(usage, values.part);
const requested = values.only === undefined ? mutants : values.only.split(",").map(findMutant);
const selected = requested.filter((_, index) => index % parts === part - 1);

/** `runs`: the explorer's runs, or the number of tests that passed before one failed. */
type Result = { mutant: Mutant; runs: number; seconds: number; by: string; message: string } & (
  | { kind: "caught"; plan: string | undefined }
  | { kind: "failed" }
);

const secondsSince = (started: number): number => (performance.now() - started) / 1000;

const checkWithTests = async (mutant: Mutant, file: string): Promise<Result> => {
  const started = performance.now();
  const { passed, failed } = await runTests(mutant, [file]);
  const result = { mutant, runs: passed, seconds: secondsSince(started), by: file };
  return failed === undefined
    ? { ...result, kind: "failed", message: "SURVIVES" }
    : { ...result, kind: "caught", plan: undefined, message: failed };
};

const checkWithExplorer = async (mutant: Mutant, scenario: string): Promise<Result> => {
  const names = values.blind ? scenarios.map(({ name }) => name) : [scenario];
  const found = await searchWithMutant(mutant, names);
  if (found === undefined) return { kind: "failed", mutant, runs: 0, seconds: 0, by: scenario, message: "SURVIVES" };
  const { runs, seconds, plan } = found;
  const [first = ""] = found.found;
  const result = { mutant, runs, seconds, by: plan.split(":")[0] ?? "" };
  return found.isReproduced
    ? { ...result, kind: "caught", plan, message: first }
    : { ...result, kind: "failed", message: `is caught by ${plan}, but a second run of this plan finds nothing` };
};

const checkMutant = async (mutant: Mutant): Promise<Result> => {
  try {
    mutate(mutant, await readFile(new URL(mutant.at[0], root), "utf8"));
    if ("test" in mutant.caughtBy) return await checkWithTests(mutant, mutant.caughtBy.test);
    return await checkWithExplorer(mutant, mutant.caughtBy.scenario);
  } catch (error) {
    return { kind: "failed", mutant, runs: 0, seconds: 0, by: "", message: String(error) };
  }
};

const widths = [37, 32, 34, 6, 8] as const;
const formatRow = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell, index) =>
      typeof cell === "number" ? String(cell).padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
    )
    .join(" ");

const printResult = (result: Result): void => {
  const { mutant, runs, seconds, by, message } = result;
  print(
    formatRow([
      mutant.name,
      mutant.at[0],
      by,
      runs,
      seconds.toFixed(1).padStart(widths[4]),
      result.kind === "caught" ? "" : "FAILED",
    ]),
  );
  print(`    removes ${mutant.removes}`);
  print(`    ${message.split("\n")[0]?.slice(0, 160) ?? ""}`);
  if (result.kind === "caught" && result.plan !== undefined)
    print(`    npm run mutants -- --only ${mutant.name} --replay '${result.plan}'`);
};

/** Processes as many items concurrently as there are processors. */
const runInParallel = async <Item, Outcome>(items: readonly Item[], work: (item: Item) => Promise<Outcome>) => {
  const remaining = [...items];
  const done: Outcome[] = [];
  const runNext = async () => {
    for (let item = remaining.shift(); item !== undefined; item = remaining.shift()) done.push(await work(item));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  return done;
};

/** Repeats the runs without a mutant. They must find nothing, because a check that always fails proves nothing. */
const checkBaseline = async (results: readonly Result[]): Promise<string[]> => {
  const caught = results.flatMap((result) => (result.kind === "caught" ? [result] : []));
  const explored = caught.filter(({ plan }) => plan !== undefined);
  const groups = Map.groupBy(explored, ({ by }) => by);
  const baselines = [...groups].map(([scenario, some]): Baseline => ({
    scenario,
    runs: values.blind ? 1 : Math.max(...some.map(({ runs }) => runs)),
    plans: [...new Set(some.map(({ plan }) => plan ?? ""))],
  }));
  const unchanged = await runInParallel(baselines, runUnchanged);
  const files = new Set(caught.flatMap(({ plan, by }) => (plan === undefined ? [by] : [])));
  const tested = files.size === 0 ? { passed: 0, failed: undefined } : await runTests(undefined, [...files]);
  print(
    `without a mutant: ${unchanged.reduce((sum, result) => sum + result.runs, 0)} runs of ${baselines.length} scenarios, ` +
      `${tested.passed} tests`,
  );
  return [...unchanged.flatMap(({ found }) => found), ...(tested.failed === undefined ? [] : [tested.failed])];
};

const checkAll = async (): Promise<number> => {
  const started = performance.now();
  print(formatRow(["mutant", "file", "caught by", "runs".padStart(widths[3]), "seconds".padStart(widths[4])]));
  const results = await runInParallel(selected, async (mutant) => {
    const result = await checkMutant(mutant);
    printResult(result);
    return result;
  });
  const violations = values.alone ? [] : await checkBaseline(results);
  for (const violation of violations) print(`WITHOUT A MUTANT ${violation}`);
  const failed = results.filter(({ kind }) => kind === "failed").length;
  print(`${results.length - failed} of ${results.length} mutants caught in ${secondsSince(started).toFixed(0)} s`);
  return failed + violations.length;
};

const [only, ...others] = selected;
if (values.replay !== undefined) {
  if (only === undefined || others.length > 0) throw new Error("--replay needs --only with the name of one mutant");
  await replayWithMutant(only, values.replay);
} else process.exitCode = (await checkAll()) === 0 ? 0 : 1;
