import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import * as v from "valibot";
import { readArguments } from "../tools/command-line.ts";
import { readThreats } from "./docs/threats.ts";

readArguments(
  "npm run test:attacks    tries every threat of SECURITY.md, and says how many attempts there were against each",
  {},
);

/** The minimum number of attempts; with fewer attempts, the list in SECURITY.md has probably lost entries. */
const LEAST = 210;

const Report = v.object({
  success: v.boolean(),
  testResults: v.array(v.object({ name: v.string(), assertionResults: v.array(v.object({ status: v.string() })) })),
});

const root = join(import.meta.dirname, "..");
const threats = readThreats(readFileSync(join(root, "SECURITY.md"), "utf8"));
const files = [...new Set(threats.flatMap((threat) => threat.files))];
const dir = mkdtempSync(join(tmpdir(), "attacks-"));
try {
  const outputFile = join(dir, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${outputFile}`];
  spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...files], {
    cwd: root,
    stdio: "inherit",
  });
  const { success, testResults } = v.parse(Report, JSON.parse(readFileSync(outputFile, "utf8")));
  const held = new Map(
    testResults.map(({ name, assertionResults }) => [
      relative(root, name),
      assertionResults.filter(({ status }) => status === "passed").length,
    ]),
  );
  const total = [...held.values()].reduce((sum, count) => sum + count, 0);
  for (const { threat, files: tried } of threats)
    console.log(`${tried.map((file) => held.get(file) ?? 0).join(" + ")}  ${threat}`);
  console.log(`${total} attempts, ${success ? "all held off" : "some were not held off"}`);
  const untried = files.filter((file) => (held.get(file) ?? 0) === 0);
  if (untried.length > 0) console.log(`nothing was tried in ${untried.join(", ")}`);
  process.exitCode = success && total >= LEAST && untried.length === 0 ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
