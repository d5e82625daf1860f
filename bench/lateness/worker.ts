import "../../test/faults/engine/environment.ts";
import { parentPort, workerData } from "node:worker_threads";
import { exploreLate, type LateOrder, type LateRun } from "../../test/faults/late.ts";
import { scenarioByName } from "../../test/faults/scenarios/index.ts";

const { names, order } = workerData as { names: string[]; order: LateOrder };
const runs: LateRun[] = [];
for (const name of names) for await (const run of exploreLate(scenarioByName(name), order)) runs.push(run);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
parentPort?.postMessage(runs);
