import { spawn } from "node:child_process";
import { readArguments } from "../tools/command-line.ts";

const usage = `npm run check          everything that must hold before a change lands, one after another
npm run check:quick    types, lint, format, unused code and the tests that need no service, side by side; the rules of lint
                       that need types only for files that are not committed
npm run types          the types alone`;

const values = readArguments(usage, { quick: { type: "boolean" }, types: { type: "boolean" } });

const CACHE = "node_modules/.cache/tsc";
const projects = [".", "console", "console/worker"];

/** Returns the command that checks types of changed files only; `npm run check` checks all types. */
const createTypeCheckCommand = (project: string): string =>
  `tsc -p ${project} --incremental --tsBuildInfoFile ${CACHE}/${project === "." ? "service" : project}.tsbuildinfo`;

/** The variables that make tests run fewer random cases than `npm test`, but all fixed cases. */
const FEWER = "CLOCK_CHANGE_RUNS=4 MATCHING_PAIRS=10000 SILENCE_RUNS=5 RANDOM_PAYLOADS=50";

const types = Object.fromEntries(projects.map((project) => [`types of ${project}`, `tsc -p ${project}`]));
const style = { lint: "npm run -s lint", format: "npm run -s format:check", "unused code": "npm run -s knip" };
const whole = { ...types, ...style, synth: "npm run -s synth", tests: "npm test -- --coverage" };

/** Lints only uncommitted files, because type-aware lint of all files takes as long as all other checks together. */
const CHANGED =
  "git diff --name-only --diff-filter=d HEAD -- '*.ts' '*.tsx' && git ls-files -o --exclude-standard -- '*.ts' '*.tsx'";
const lintQuickly = `oxlint --deny-warnings && files=$(${CHANGED}) && { [ -z "$files" ] || oxlint --type-aware --deny-warnings $files; }`;
/** The commands of `npm run check:quick`, slowest first. */
const quick = {
  tests: `${FEWER} vitest run --project=!long test/core/domain test/functions test/walls.test.ts`,
  lint: lintQuickly,
  types: createTypeCheckCommand("."),
  "unused code": style["unused code"],
  "the console's types": projects.slice(1).map(createTypeCheckCommand).join(" && "),
  format: style.format,
};

const started = performance.now();

/** Runs a check, and returns whether the check succeeded. `quietly`: shows the output only if the check fails. */
const runCheck = (name: string, command: string, quietly: boolean): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const output = quietly ? "pipe" : "inherit";
    const child = spawn(command, { shell: true, stdio: ["ignore", output, output] });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => said.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? "ok  " : "FAIL"} ${name}, after ${seconds} s`);
      if (code !== 0) process.stdout.write(Buffer.concat(said));
      resolve(code === 0);
    });
  });

/** Runs the quick checks at the same time. Returns whether all checks succeeded. */
const runQuickChecks = async (): Promise<boolean> => {
  const found = await Promise.all(Object.entries(quick).map(([name, command]) => runCheck(name, command, true)));
  return found.every(Boolean);
};

/** Runs the checks, each as a name and its command, until one fails. Returns whether all checks succeeded. */
const runInSequence = async (checks: Readonly<Record<string, string>>): Promise<boolean> => {
  for (const [name, command] of Object.entries(checks)) if (!(await runCheck(name, command, false))) return false;
  return true;
};

const isGood =
  values.quick === true ? await runQuickChecks() : await runInSequence(values.types === true ? types : whole);
process.exitCode = isGood ? 0 : 1;
