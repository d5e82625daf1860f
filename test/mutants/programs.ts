import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { MUTANT, root, type Mutant } from "./mutant.ts";

/** `seconds`: since the search began, without the start of its process. `again`: whether the plan, run again, fails again. */
const Found = v.object({
  plan: v.string(),
  found: v.array(v.string()),
  runs: v.number(),
  seconds: v.number(),
  again: v.boolean(),
});
export type Found = v.InferOutput<typeof Found>;

/** What to repeat of a scenario without a mutant: its first `runs`, and single `plans`. */
export type Baseline = { scenario: string; runs: number; plans: readonly string[] };

const SEARCH_LIMIT_MS = 120_000;
const TESTS_LIMIT_MS = 600_000;
const pathBesideThis = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const pathFromRoot = (file: string) => fileURLToPath(new URL(file, root));

type Ended = { code: number | null; output: string; errors: string };

const runProgram = (
  mutant: Mutant | undefined,
  args: readonly string[],
  show = false,
  timeout = SEARCH_LIMIT_MS,
): Promise<Ended> =>
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

const withMutant = (file: string): string[] => ["--import", pathBesideThis("apply.ts"), file];

const createFailure = ({ code, errors }: Ended): Error => new Error(`ended with ${code}: ${errors.slice(-2000)}`);

/** Returns the violation that a mutant causes in scenarios, or undefined if the mutant survives. */
export const searchWithMutant = async (mutant: Mutant, scenarios: readonly string[]): Promise<Found | undefined> => {
  const ended = await runProgram(mutant, [...withMutant(pathBesideThis("search.ts")), scenarios.join()]);
  if (ended.code === null) return undefined;
  if (ended.code !== 0) throw createFailure(ended);
  return v.parse(v.nullable(Found), JSON.parse(ended.output)) ?? undefined;
};

/** Replays a plan with a mutant, like `npm run faults -- --replay`, and returns the output. */
export const replayWithMutant = (mutant: Mutant, plan: string): Promise<Ended> =>
  runProgram(mutant, [...withMutant(pathFromRoot("test/faults/main.ts")), "--replay", plan], true);

const Held = v.object({ made: v.number(), found: v.array(v.string()) });

export const runUnchanged = async (baseline: Baseline): Promise<v.InferOutput<typeof Held>> => {
  const ended = await runProgram(undefined, [pathBesideThis("hold.ts"), JSON.stringify(baseline)]);
  if (ended.code !== 0) throw createFailure(ended);
  return v.parse(Held, JSON.parse(ended.output));
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
  const config = mutant === undefined ? [] : ["--config", pathBesideThis("vitest.config.ts")];
  const folder = await mkdtemp(join(tmpdir(), "mutants-"));
  const output = join(folder, "report.json");
  try {
    const vitest = [pathFromRoot("node_modules/vitest/vitest.mjs"), "run", ...config];
    const args = [...vitest, "--reporter", "json", "--outputFile", output, "--bail", "1", ...files];
    const ended = await runProgram(mutant, args, false, mutant === undefined ? TESTS_LIMIT_MS : SEARCH_LIMIT_MS);
    const report = v.safeParse(v.pipe(v.string(), v.parseJson(), TestReport), await readFile(output, "utf8"));
    if (!report.success || report.output.numPassedTests + report.output.numFailedTests === 0)
      throw createFailure(ended);
    const all = report.output.testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = all.find(({ status }) => status === "failed")?.fullName;
    // If a file cannot be loaded, no test has failed, but the run has.
    if (failed === undefined && ended.code !== 0) throw createFailure(ended);
    return { passed: report.output.numPassedTests, failed };
  } finally {
    await rm(folder, { recursive: true });
  }
};
