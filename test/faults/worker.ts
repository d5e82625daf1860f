import "./engine/environment.ts";
import { parentPort, workerData } from "node:worker_threads";
import { exploreAll, type Assignment } from "./explore.ts";
import { scenarioByName } from "./scenarios/index.ts";

const { names, order } = workerData as { names: string[]; order: Assignment };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
for await (const news of exploreAll(names.map(scenarioByName), order)) parentPort?.postMessage(news);
