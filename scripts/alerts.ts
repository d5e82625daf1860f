import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

/* A workspace's set-up as a file: `npm run alerts -- <command> <file> ...`. */

// Compiling the modules is half the time of a short command, so the cache is enabled before the first one loads.
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
