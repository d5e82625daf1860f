import { spawn } from "node:child_process";
import { readArguments } from "./command-line.ts";

readArguments(
  "npm run check:quick    types, lint, format, unused code and the tests that need no service, side by side",
  {},
);

const CACHE = "node_modules/.cache/tsc";

/** Only changed types are checked again; `npm run check` checks all of them. */
const types = (project: string, name: string): string =>
  `tsc -p ${project} --incremental --tsBuildInfoFile ${CACHE}/${name}.tsbuildinfo`;

/** Fewer random cases than in `npm test`; the written ones all run. */
const FEWER = "CLOCK_CHANGE_RUNS=4 MATCHING_PAIRS=10000 SILENCE_RUNS=5 RANDOM_PAYLOADS=50";

/** The slowest begins first. */
const checks: Readonly<Record<string, string>> = {
  tests: `${FEWER} vitest run test/core/domain test/functions`,
  lint: "npm run -s lint",
  types: types(".", "service"),
  "unused code": "npm run -s knip",
  "the console's types": `${types("console", "console")} && ${types("console/worker", "worker")}`,
  format: "npm run -s format:check",
};

const started = performance.now();

/** Runs one check to its end; shows its output only if it failed. */
const run = (name: string, command: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
    const said: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? "ok  " : "FAIL"} ${name}, after ${seconds} s`);
      if (code !== 0) process.stdout.write(Buffer.concat(said));
      resolve(code === 0);
    });
  });

const found = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));
process.exitCode = found.every(Boolean) ? 0 : 1;
