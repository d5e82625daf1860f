import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { readArguments, parsePart } from "../../tools/command-line.ts";
import { scenarios } from "../faults/scenarios/index.ts";
import { mutantByName, mutants } from "./list.ts";
import { mutate, root, type Mutant } from "./mutant.ts";
import { runUnchanged, replayWithMutant, searchWithMutant, runTests, type Baseline } from "./programs.ts";

const usage = `npm run mutants                                      every mutant must be caught, and nothing without them
npm run mutants -- --only no-sweeper,lease-ignored   some of them
npm run mutants -- --part 1/3                        every third, from the first on
npm run mutants -- --alone                           not the same runs without mutants, which check and faults make, too
npm run mutants -- --blind                           the explorer is not told which scenario catches a mutant
npm run mutants -- --only no-sweeper --replay PLAN   one run with one mutant, told call by call`;

const print = (text: string) => process.stdout.write(`${text}\n`);

const values = readArguments(usage, {
  only: { type: "string" },
  part: { type: "string", default: "1/1" },
  alone: { type: "boolean", default: false },
  blind: { type: "boolean", default: false },
  replay: { type: "string" },
});
const { part, parts } = parsePart(usage, values.part);
const named = values.only === undefined ? mutants : values.only.split(",").map(mutantByName);
const chosen = named.filter((_, index) => index % parts === part - 1);

/** `runs`: the explorer's runs, or the number of tests that passed before one failed. */
type Result = { mutant: Mutant; runs: number; seconds: number; by: string; shows: string } & (
  | { kind: "caught"; plan: string | undefined }
  | { kind: "failed" }
);

const secondsSince = (started: number): number => (performance.now() - started) / 1000;

const findByTest = async (mutant: Mutant, file: string): Promise<Result> => {
  const started = performance.now();
  const { passed, failed } = await runTests(mutant, [file]);
  const line = { mutant, runs: passed, seconds: secondsSince(started), by: file };
  return failed === undefined
    ? { ...line, kind: "failed", shows: "SURVIVES" }
    : { ...line, kind: "caught", plan: undefined, shows: failed };
};

const findByExplorer = async (mutant: Mutant, scenario: string): Promise<Result> => {
  const names = values.blind ? scenarios.map(({ name }) => name) : [scenario];
  const found = await searchWithMutant(mutant, names);
  if (found === undefined) return { kind: "failed", mutant, runs: 0, seconds: 0, by: scenario, shows: "SURVIVES" };
  const { runs, seconds, plan } = found;
  const [first = ""] = found.found;
  const line = { mutant, runs, seconds, by: plan.split(":")[0] ?? "" };
  return found.again
    ? { ...line, kind: "caught", plan, shows: first }
    : { ...line, kind: "failed", shows: `is caught by ${plan}, whose replay shows nothing` };
};

const checkMutant = async (mutant: Mutant): Promise<Result> => {
  try {
    mutate(mutant, await readFile(new URL(mutant.at[0], root), "utf8"));
    if ("test" in mutant.caughtBy) return await findByTest(mutant, mutant.caughtBy.test);
    return await findByExplorer(mutant, mutant.caughtBy.scenario);
  } catch (error) {
    return { kind: "failed", mutant, runs: 0, seconds: 0, by: "", shows: String(error) };
  }
};

const widths = [32, 32, 34, 6, 8] as const;
const formatRow = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell, index) =>
      typeof cell === "number" ? String(cell).padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
    )
    .join(" ");

const printResult = (result: Result): void => {
  const { mutant, runs, seconds, by, shows } = result;
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
  print(`    takes out ${mutant.takes}`);
  print(`    ${shows.split("\n")[0]?.slice(0, 160) ?? ""}`);
  if (result.kind === "caught" && result.plan !== undefined)
    print(`    npm run mutants -- --only ${mutant.name} --replay '${result.plan}'`);
};

/** Processes as many items at once as there are processors. */
const runInParallel = async <Item, Outcome>(items: readonly Item[], work: (item: Item) => Promise<Outcome>) => {
  const left = [...items];
  const done: Outcome[] = [];
  const runNext = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) done.push(await work(item));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  return done;
};

/** Repeats the runs without a mutant, where they must find nothing: a check that always fails proves nothing. */
const checkBaseline = async (results: readonly Result[]): Promise<string[]> => {
  const caught = results.flatMap((result) => (result.kind === "caught" ? [result] : []));
  const explored = caught.filter(({ plan }) => plan !== undefined);
  const groups = Map.groupBy(explored, ({ by }) => by);
  const parts = [...groups].map(([scenario, some]): Baseline => ({
    scenario,
    runs: values.blind ? 1 : Math.max(...some.map(({ runs }) => runs)),
    plans: [...new Set(some.map(({ plan }) => plan ?? ""))],
  }));
  const held = await runInParallel(parts, runUnchanged);
  const files = new Set(caught.flatMap(({ plan, by }) => (plan === undefined ? [by] : [])));
  const tested = files.size === 0 ? { passed: 0, failed: undefined } : await runTests(undefined, [...files]);
  print(
    `without a mutant: ${held.reduce((sum, { made }) => sum + made, 0)} runs of ${parts.length} scenarios, ` +
      `${tested.passed} tests`,
  );
  return [...held.flatMap(({ found }) => found), ...(tested.failed === undefined ? [] : [tested.failed])];
};

const checkAll = async (): Promise<number> => {
  const started = performance.now();
  print(formatRow(["mutant", "file", "caught by", "runs".padStart(widths[3]), "seconds".padStart(widths[4])]));
  const results = await runInParallel(chosen, async (mutant) => {
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

const [only, ...others] = chosen;
if (values.replay !== undefined) {
  if (only === undefined || others.length > 0) throw new Error("--replay needs --only with the name of one mutant");
  await replayWithMutant(only, values.replay);
} else process.exitCode = (await checkAll()) === 0 ? 0 : 1;
