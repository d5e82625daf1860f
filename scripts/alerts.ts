import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

/*
 * The set-up of a workspace as a file: `npm run alerts -- <command> <file> ...`.
 */

// Half of the time of a short command is the compiling of its modules: the cache comes before the first of them.
enableCompileCache();
const { runAlerts } = await import("./alerts/run.ts");

process.exitCode = await runAlerts(
  {
    env: process.env,
    now: () => Date.now(),
    print: (line) => console.log(line),
    fetch,
    sleep,
    readText: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    writeText: (path, text) => writeFileSync(path, text),
  },
  process.argv.slice(2),
);
