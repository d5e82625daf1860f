import { formatPlan, parsePlan } from "../faults/engine/modes.ts";
import { explore } from "../faults/explore.ts";
import { runPlan } from "../faults/run.ts";
import { scenarioByName } from "../faults/scenarios/index.ts";
import { RUNS } from "./mutant.ts";
import type { Baseline } from "./programs.ts";

/* Repeats a scenario's runs with mutants on the unchanged code, where no run may cause a violation. */

const { scenario, runs, plans } = JSON.parse(process.argv[2] ?? "") as Baseline;
const found: string[] = [];
let count = 0;
const addRun = (name: string, violations: readonly string[]) => {
  count += 1;
  for (const violation of violations) found.push(`${name}: ${violation}`);
};
for await (const { plan, outcome } of explore(scenarioByName(scenario), RUNS)) {
  addRun(formatPlan(scenario, RUNS.seed, plan), outcome.violations);
  if (count >= runs) break;
}
for (const text of plans) {
  const { seed, plan } = parsePlan(text);
  addRun(text, (await runPlan(scenarioByName(scenario), seed, plan)).violations);
}
process.stdout.write(JSON.stringify({ runs: count, found }));
