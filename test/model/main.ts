import "../faults/engine/environment.ts";
import { readArguments } from "../../tools/command-line.ts";
import { checkHistories } from "./check.ts";

const usage = `npm run test:model                              2,000 histories
npm run test:model -- --runs 20000 --seed 7     more and others
npm run test:model -- --seed 7 --path 12:3:1    one of them again`;

const values = readArguments(usage, {
  runs: { type: "string", default: "2000" },
  seed: { type: "string", default: "1" },
  path: { type: "string" },
});

const started = performance.now();
const runs = Number(values.runs);
const { failure, rounds } = await checkHistories({ runs, seed: Number(values.seed), path: values.path });
const seconds = ((performance.now() - started) / 1000).toFixed(0);
process.stdout.write(
  failure === undefined
    ? `${runs} histories in ${seconds} s, all as specified; second rounds ${JSON.stringify(rounds)}\n`
    : `${failure}\n`,
);
process.exitCode = failure === undefined ? 0 : 1;
