import { parsePlan } from "../faults/engine/modes.ts";
import { exploreAll } from "../faults/explore.ts";
import { runPlan } from "../faults/run.ts";
import { scenarioByName } from "../faults/scenarios/index.ts";
import { RUNS } from "./mutant.ts";
import type { Found } from "./programs.ts";

/* Searches the scenarios that the command line names, and prints the first violation. */

const [, , names = ""] = process.argv;
const scenarios = names.split(",").map(scenarioByName);
const started = performance.now();
let found: Found | undefined;
for await (const news of exploreAll(scenarios, RUNS)) {
  if (news.kind === "report") continue;
  const seconds = (performance.now() - started) / 1000;
  const { scenario, seed, plan } = parsePlan(news.violation.plan);
  const { violations } = await runPlan(scenarioByName(scenario), seed, plan);
  const isReproduced = violations.includes(news.violation.found[0] ?? "");
  found = { ...news.violation, runs: news.runs, seconds, isReproduced };
  break;
}
process.stdout.write(JSON.stringify(found ?? null));
