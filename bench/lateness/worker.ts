import "../../test/faults/engine/environment.ts";
import { parentPort, workerData } from "node:worker_threads";
import * as v from "valibot";
import { exploreLate, type LateRun } from "../../test/faults/late.ts";
import { scenarioByName } from "../../test/faults/scenarios/index.ts";

const Order = v.object({ pairs: v.number(), share: v.number(), of: v.number() });
const { names, order } = v.parse(v.object({ names: v.array(v.string()), order: Order }), workerData);
const runs: LateRun[] = [];
for (const name of names) for await (const run of exploreLate(scenarioByName(name), order)) runs.push(run);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
parentPort?.postMessage(runs);
