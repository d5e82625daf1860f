import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { MUTANT, root, type Mutant } from "./mutant.ts";

/** `seconds`: since the search began, without the start of its process. `isReproduced`: the plan fails again in a second run. */
const Found = v.object({
  plan: v.string(),
  found: v.array(v.string()),
  runs: v.number(),
  seconds: v.number(),
  isReproduced: v.boolean(),
});
export type Found = v.InferOutput<typeof Found>;

/** What to repeat of a scenario without a mutant: its first `runs` runs, and the runs of some `plans`. */
export type Baseline = { scenario: string; runs: number; plans: readonly string[] };

const SEARCH_LIMIT_MS = 120_000;
const TESTS_LIMIT_MS = 600_000;
const getSiblingPath = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const getPathFromRoot = (file: string) => fileURLToPath(new URL(file, root));

type Exit = { code: number | null; output: string; errors: string };

const runProgram = (
  mutant: Mutant | undefined,
  args: readonly string[],
  show = false,
  timeout = SEARCH_LIMIT_MS,
): Promise<Exit> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: fileURLToPath(root),
      env: { ...process.env, NODE_ENV: "test", [MUTANT]: mutant?.name },
      stdio: ["ignore", "pipe", "pipe"],
      timeout,
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (data: Buffer) => {
      output += String(data);
      if (show) process.stdout.write(data);
    });
    child.stderr.on("data", (data: Buffer) => {
      errors += String(data);
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output, errors }));
  });

const listArgsWithMutant = (file: string): string[] => ["--import", getSiblingPath("apply.ts"), file];

const createFailure = ({ code, errors }: Exit): Error => new Error(`ended with ${code}: ${errors.slice(-2000)}`);

/** Returns the violation that a mutant causes in scenarios, or undefined if the mutant survives. */
export const searchWithMutant = async (mutant: Mutant, scenarios: readonly string[]): Promise<Found | undefined> => {
  const exit = await runProgram(mutant, [...listArgsWithMutant(getSiblingPath("search.ts")), scenarios.join()]);
  if (exit.code === null) return undefined;
  if (exit.code !== 0) throw createFailure(exit);
  return v.parse(v.nullable(Found), JSON.parse(exit.output)) ?? undefined;
};

/** Replays a plan with a mutant, like `npm run faults -- --replay`, and returns the output. */
export const replayWithMutant = (mutant: Mutant, plan: string): Promise<Exit> =>
  runProgram(mutant, [...listArgsWithMutant(getPathFromRoot("test/faults/main.ts")), "--replay", plan], true);

const BaselineResult = v.object({ runs: v.number(), found: v.array(v.string()) });

/** Makes the runs without a mutant, and returns their number and what they violated. */
export const runUnchanged = async (baseline: Baseline): Promise<v.InferOutput<typeof BaselineResult>> => {
  const exit = await runProgram(undefined, [getSiblingPath("baseline.ts"), JSON.stringify(baseline)]);
  if (exit.code !== 0) throw createFailure(exit);
  return v.parse(BaselineResult, JSON.parse(exit.output));
};

const TestReport = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  testResults: v.array(v.object({ assertionResults: v.array(v.object({ fullName: v.string(), status: v.string() })) })),
});

/** Runs the tests until the first failure. Returns the number of tests that passed, and the failed one. */
export const runTests = async (
  mutant: Mutant | undefined,
  files: readonly string[],
): Promise<{ passed: number; failed: string | undefined }> => {
  const config = mutant === undefined ? [] : ["--config", getSiblingPath("vitest.config.ts")];
  const folder = await mkdtemp(join(tmpdir(), "mutants-"));
  const output = join(folder, "report.json");
  try {
    const vitest = [getPathFromRoot("node_modules/vitest/vitest.mjs"), "run", ...config];
    const args = [...vitest, "--reporter", "json", "--outputFile", output, "--bail", "1", ...files];
    const exit = await runProgram(mutant, args, false, mutant === undefined ? TESTS_LIMIT_MS : SEARCH_LIMIT_MS);
    const report = v.safeParse(v.pipe(v.string(), v.parseJson(), TestReport), await readFile(output, "utf8"));
    if (!report.success || report.output.numPassedTests + report.output.numFailedTests === 0) throw createFailure(exit);
    const all = report.output.testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = all.find(({ status }) => status === "failed")?.fullName;
    // If a file cannot be loaded, no test has failed, but the run has.
    if (failed === undefined && exit.code !== 0) throw createFailure(exit);
    return { passed: report.output.numPassedTests, failed };
  } finally {
    await rm(folder, { recursive: true });
  }
};
