#!/usr/bin/env node
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

// The cache is enabled before the first module, because compiling takes half the time of a short command.
enableCompileCache();
const { runAlerts } = await import("./run.ts");
const { writeSecret } = await import("./secret-file.ts");
const { createProgress: progressOn } = await import("../tools/program.ts");

const STANDARD_INPUT = 0;

process.exitCode = await runAlerts(
  {
    env: process.env,
    now: () => Date.now(),
    print: (line) => console.log(line),
    tell: (line) => console.error(line),
    progress: progressOn(process.stderr),
    fetch,
    sleep,
    readText: (path) => {
      if (path === "-") return readFileSync(STANDARD_INPUT, "utf8");
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    },
    writeText: (path, text) => writeFileSync(path, text),
    writeSecret,
  },
  process.argv.slice(2),
);
