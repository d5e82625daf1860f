import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { replaceBetween } from "./performance-page.ts";
import { dollarsLeft, dollarsOf, prices } from "./prices.ts";
import { randomFrom } from "./matching-workload.ts";
import { Usage } from "../local/aws/meters.ts";
import { MARKER_SHARDS, SPREAD_KEYS } from "../core/domain/basics/limits.ts";
import { metrics } from "../core/wiring.ts";
import { playAdmission } from "./capacity/admission.ts";
import { billTable, idleBill, totalOf } from "./capacity/bill.ts";
import { stormTable } from "./capacity/storm.ts";
import { waysTable } from "./capacity/ways.ts";
import { readArguments } from "../tools/command-line.ts";

/*
 * What a fleet of workspaces costs, and which limit it meets first. Inputs: the counts from `npm run bench:cost`
 * (bench/cost-measured.json), list prices, published limits of AWS and FCM, and the assumptions below, each in one place.
 */

readArguments(
  "npm run bench:capacity    prints what fleets cost and where they meet a limit, and writes docs/scale.md",
  {},
);

const counts = v.parse(
  v.record(v.string(), Usage),
  JSON.parse(readFileSync(join(import.meta.dirname, "..", "bench", "cost-measured.json"), "utf8")),
);
/** What one piece of work asks of each service, as the bench measured it. Throws where it did not. */
const countOf = (work: string) => {
  const found = counts[work];
  if (found === undefined) throw new Error(`bench/cost-measured.json has no "${work}": run npm run bench:cost`);
  return found;
};

/** Published limits. */
const limits = {
  partitionWrites: 1_000,
  fcmAMinute: 600_000,
  lambdaConcurrency: 1_000,
  httpApiRequests: 10_000,
} as const;

/** Assumptions about what one machine cannot measure: a fleet's habits, and times in AWS. */
const assumptions = {
  /** The share of events that match a rule, each with three people on two devices. */
  matched: 0.3,
  ackShare: 0.5,
  kilobytes: 1,
  /** How long an invocation waits for the table and the queues, and how long a batch of pushes also waits for FCM. */
  waitSeconds: 0.02,
  pushSeconds: 0.2,
  memoryGigabytes: 1,
  /** A line of the API's log of requests, an answer with its headers, and a push with its own. */
  accessLogBytes: 450,
  answerBytes: 1_000,
  pushBytes: 1_500,
  /** Who signs in within a month. */
  peopleAWorkspace: 3,
  secondsAMonth: 30 * 24 * 3600,
} as const;

const logByte = (prices.logGigabyte + prices.logGigabyteMonth) / 1e9;
const idleDollars = totalOf(idleBill());

/**
 * Write units of one event in the partitions of its workspace, which share its item, its course (the plan for three
 * people) and its first pack, written three times. An item has 0.2 KB beside what was sent; that does not deflate.
 */
const unitsOf = (kilobytes: number) => ({
  "one workspace's control item (writes a second)": 1,
  "one workspace's events (write units a second)": (Math.ceil(kilobytes + 0.2) + 1) / SPREAD_KEYS,
  "one workspace's first packs (write units a second)": (3 * assumptions.matched) / SPREAD_KEYS,
});

const noMatch = countOf("an event that no rule matches, all the way");
const three = countOf("an event for three people with two devices each, all the way");
const threeBatched = countOf("the same, in a burst of a hundred (per event)");
const acknowledgement = countOf("an acknowledgement");

/** Zipf shares: the busiest workspace of a thousand sends about an eighth of all events. */
const busiestShare = (workspaces: number): number => {
  let sum = 0;
  for (let rank = 1; rank <= workspaces; rank += 1) sum += 1 / rank;
  return 1 / sum;
};

/** The busiest second of ten minutes with this mean, by a seeded draw of Poisson arrivals (normal beyond 50). */
const busiestSecond = (mean: number, seed: number): number => {
  const random = randomFrom(seed);
  const draw = (): number => {
    if (mean > 50) {
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
    }
    let product = random();
    let arrivals = 0;
    for (const floor = Math.exp(-mean); product > floor; arrivals += 1) product *= random();
    return arrivals;
  };
  return Math.max(...Array.from({ length: 600 }, draw));
};

/** Batches fill up when events arrive faster than a worker polls: from this rate on, a batch has this many events. */
const EVENTS_A_BATCH = 10;
const BATCHED_FROM = 100;

type Load = { workspaces: number; eventsPerSecond: number };

const capacityFor = ({ workspaces, eventsPerSecond }: Load) => {
  const batched = eventsPerSecond >= BATCHED_FROM;
  const matched = batched ? threeBatched : three;
  const mix = (pick: (usage: Usage) => number): number =>
    (1 - assumptions.matched) * pick(noMatch) +
    assumptions.matched * (pick(matched) + assumptions.ackShare * pick(acknowledgement));
  const busiest = busiestSecond(eventsPerSecond * busiestShare(workspaces), 7);
  const peak = busiestSecond(eventsPerSecond, 11);
  const pushesAMinute = 60 * peak * assumptions.matched * three.fcmRequests;
  const pushBatches = assumptions.matched / (batched ? EVENTS_A_BATCH : 1);
  const waitSeconds =
    mix(({ invocations }) => invocations) * assumptions.waitSeconds + pushBatches * assumptions.pushSeconds;
  const concurrency = peak * (waitSeconds + mix(({ processorMs }) => processorMs) / 1000);
  const measured = mix((usage) => Object.values(dollarsOf(usage)).reduce((sum, part) => sum + part, 0));
  const waiting = waitSeconds * assumptions.memoryGigabytes * prices.lambdaGigabyteSecond;
  const requests = 1 + assumptions.matched * assumptions.ackShare;
  const passing =
    requests * (prices.httpApiRequest + assumptions.accessLogBytes * logByte) +
    (requests * assumptions.answerBytes + mix(({ fcmRequests }) => fcmRequests) * assumptions.pushBytes) *
      (prices.gigabyteOut / 1e9);
  const left = dollarsLeft.logs + dollarsLeft.storage + dollarsLeft.backups;
  const dollars =
    eventsPerSecond * assumptions.secondsAMonth * (measured + waiting + passing + left) +
    workspaces * assumptions.peopleAWorkspace * prices.cognitoUserMonth +
    Object.keys(metrics).length * prices.metricMonth +
    idleDollars;
  const uses = [
    ...Object.entries(unitsOf(assumptions.kilobytes)).map(([limit, units]) => ({
      limit,
      share: (units * busiest) / limits.partitionWrites,
    })),
    { limit: "marker partitions (writes a second)", share: (2 * peak) / (MARKER_SHARDS * limits.partitionWrites) },
    { limit: "FCM (messages a minute)", share: pushesAMinute / limits.fcmAMinute },
    { limit: "Lambda concurrency (default quota)", share: concurrency / limits.lambdaConcurrency },
    { limit: "HTTP API requests a second (default quota)", share: peak / limits.httpApiRequests },
  ].sort((a, b) => b.share - a.share);
  return { workspaces, eventsPerSecond, busiest, concurrency, pushesAMinute, dollars, uses };
};

const loads: Load[] = [1, 1_000, 100_000].flatMap((workspaces) =>
  [1, 100, 1_000, 10_000, 100_000].map((eventsPerSecond) => ({ workspaces, eventsPerSecond })),
);
const round = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : String(Math.round(value * 10) / 10);

const lines = [
  "| Workspaces | Events/s | Busiest workspace, events/s | Lambdas at once | Pushes a minute | $ a month | First limit | Used |",
  "|---|---|---|---|---|---|---|---|",
  ...loads.map((load) => {
    const { workspaces, eventsPerSecond, busiest, concurrency, pushesAMinute, dollars, uses } = capacityFor(load);
    const [first] = uses;
    return (
      `| ${round(workspaces)} | ${round(eventsPerSecond)} | ${round(busiest)} | ${round(concurrency)} | ${round(pushesAMinute)} | ` +
      `${round(dollars)} | ${first?.limit} | ${round(100 * (first?.share ?? 0))} % |`
    );
  }),
];

/** How many events of a size one workspace can send, and which of its partitions says so. */
const sizeLines = [
  "| Each event | Events a second | Limit |",
  "|---|---|---|",
  ...[1, 2, 4, 8, 16, 32].map((kilobytes) => {
    const [first] = Object.entries(unitsOf(kilobytes)).toSorted(([, one], [, other]) => other - one);
    return `| ${kilobytes} KB | ${round(Math.floor(limits.partitionWrites / (first?.[1] ?? 1)))} | ${first?.[0]} |`;
  }),
];

const share = (part: number): string => `${(100 * part).toFixed(part < 0.999 ? 1 : 2)} %`;
const admissions = [1, 2, 4, 8].flatMap((items) =>
  [500, 900, 1_000, 1_100, 1_500, 3_000, 6_000].map((rate) => playAdmission(rate, items, randomFrom(rate + items))),
);
const rates = [...new Set(admissions.map(({ rate }) => rate))];
const admissionLines = [
  `| Control items | ${rates.map((rate) => `${round(rate)} a second`).join(" | ")} |`,
  `|---|${rates.map(() => "---").join("|")}|`,
  ...[...Map.groupBy(admissions, ({ items }) => items)].map(
    ([items, row]) =>
      `| ${items} | ${row.map(({ admitted, p99Ms }) => `${share(admitted)}, ${round(p99Ms)} ms`).join(" | ")} |`,
  ),
];

const page = join(import.meta.dirname, "..", "docs", "scale.md");
const write = (section: string, written: readonly string[]): void => {
  console.log(`${written.join("\n")}\n`);
  const [begin, end] = [`<!-- ${section}: written by npm run bench:capacity -->`, `<!-- end of ${section} -->`];
  writeFileSync(page, replaceBetween(readFileSync(page, "utf8"), begin, end, written));
};
write("bill", billTable(Object.values(dollarsOf(three)).reduce((sum, part) => sum + part, 0)));
const wholeEvent = { ...dollarsOf(three), ...dollarsLeft, api: prices.httpApiRequest };
write("ways", await waysTable(Object.values(wholeEvent).reduce((sum, part) => sum + part, 0)));
write("fleet", lines);
write("sizes", sizeLines);
write("admission", admissionLines);
write("storm", await stormTable());
