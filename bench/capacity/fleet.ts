import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { MARKER_SHARDS, SPREAD_KEYS } from "../../core/domain/basics/limits.ts";
import { metrics } from "../../core/wiring.ts";
import { findConcurrencyLimit } from "../../lib/ceilings.ts";
import { readConfig } from "../../lib/config.ts";
import { quotas } from "../../lib/quotas.ts";
import { Usage } from "../../local/aws/meters.ts";
import { createRandom } from "../../tools/random.ts";
import { dollarsLeft, computeDollars, prices } from "../prices.ts";
import { listIdleCosts, SENDER_SECRETS, computeSecretDollars, sumDollars } from "./bill.ts";

const counts = v.parse(
  v.record(v.string(), Usage),
  JSON.parse(readFileSync(join(import.meta.dirname, "..", "cost-measured.json"), "utf8")),
);
/** Returns the measured usage of a kind of work. Throws if `bench:cost` did not measure this kind. */
const getMeasuredUsage = (work: string) => {
  const found = counts[work];
  if (found === undefined) throw new Error(`bench/cost-measured.json has no "${work}": run npm run bench:cost`);
  return found;
};

/** Limits that AWS and FCM publish: write units per second of a partition, and pushes per minute. */
const limits = { partitionWrites: 1_000, fcmAMinute: 600_000 } as const;
const stage = readConfig({});

const assumptions = {
  /** The share of events that match a rule for three people with two devices each. */
  matched: 0.3,
  ackShare: 0.5,
  kilobytes: 1,
  /** The seconds that an invocation waits for the table and the queues. */
  waitSeconds: 0.02,
  /** The seconds that a batch of pushes waits for FCM. */
  pushSeconds: 0.2,
  memoryGigabytes: 1,
  coldShare: 0.01,
  coldSeconds: 0.3,
  /** The bytes of a request in the access log, of an answer and of a push, including headers. */
  accessLogBytes: 450,
  answerBytes: 1_000,
  pushBytes: 1_500,
  peopleAWorkspace: 3,
  secondsAMonth: 30 * 24 * 3600,
} as const;

const logByte = (prices.logGigabyte + prices.logGigabyteMonth) / 1e9;
const idleDollars = sumDollars(listIdleCosts());

/** Returns the write units of an event for three people, by kind of partition. Storing adds 0.2 KB to an event. */
const computeWriteUnits = (eventKilobytes: number) => ({
  "control item": 1,
  "partitions of its events": (Math.ceil(eventKilobytes + 0.2) + 1) / SPREAD_KEYS,
  // A pack is written three times.
  "partitions of its first packs": (3 * assumptions.matched) / SPREAD_KEYS,
});

const post = getMeasuredUsage("`POST /v1/events`");
const noMatch = getMeasuredUsage("an event that no rule matches, until nothing is left to do");
const three = getMeasuredUsage("an event for three people with two devices each, until all are notified");
const threeBatched = getMeasuredUsage("one event of a burst of a hundred, for three people with two devices each");
const acknowledgement = getMeasuredUsage("an acknowledgement");

/** Returns the busiest workspace's share of all events by Zipf's law: about an eighth with a thousand workspaces. */
const computeBusiestShare = (workspaces: number): number => {
  let sum = 0;
  for (let rank = 1; rank <= workspaces; rank += 1) sum += 1 / rank;
  return 1 / sum;
};

/** Returns the arrivals in the busiest of 600 seconds. `mean`: arrivals a second, Poisson distributed (normal above 50). */
const drawBusiestSecond = (mean: number, seed: number): number => {
  const random = createRandom(seed);
  const drawArrivals = (): number => {
    if (mean > 50) {
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
    }
    let product = random();
    let arrivals = 0;
    for (const floor = Math.exp(-mean); product > floor; arrivals += 1) product *= random();
    return arrivals;
  };
  return Math.max(...Array.from({ length: 600 }, drawArrivals));
};

/** The rate (events per second) from which a worker receives several events in a batch. */
const BATCHED_FROM = 100;

/** What a load needs in its busiest second. */
type PeakNeeds = {
  peak: number;
  atOnce: Record<"post-event" | "matcher" | "sender" | "write-notifications", number>;
  concurrency: number;
  writes: number;
};

/** The limits of a stage with default settings in a new account. */
const ceilings: readonly { name: string; max: number; needs: (load: PeakNeeds) => number; raise: string }[] = [
  {
    name: "requests a second",
    max: stage.throttle.requestsPerSecond,
    needs: ({ peak }) => peak,
    raise: "`requestsPerSecond`",
  },
  {
    name: "concurrency of ingest",
    max: findConcurrencyLimit("post-event", stage),
    needs: ({ atOnce }) => atOnce["post-event"],
    raise: "`ingestConcurrency`",
  },
  ...(["matcher", "sender"] as const).map((entry) => ({
    name: `concurrency of the ${entry}`,
    max: findConcurrencyLimit(entry, stage),
    needs: ({ atOnce }: PeakNeeds) => atOnce[entry],
    raise: "`lib/workers.ts`",
  })),
  {
    name: "write units of a new table",
    max: stage.tableWritesPerSecond ?? quotas.newTableWrites,
    needs: ({ writes }) => writes,
    raise: "`tableWritesPerSecond`",
  },
  {
    name: "write units of any table",
    max: quotas.tableWrites,
    needs: ({ writes }) => writes,
    raise: "quota of DynamoDB",
  },
  {
    name: "Lambda concurrency",
    max: quotas.lambdaConcurrency,
    needs: ({ concurrency }) => concurrency,
    raise: "quota of Lambda",
  },
  {
    name: "HTTP API requests a second",
    max: quotas.httpApiRequests,
    needs: ({ peak }) => peak,
    raise: "quota of API Gateway",
  },
];

type FleetLoad = { workspaces: number; eventsPerSecond: number };

/** Computes what a load needs in its busiest second, what it costs per month, and which share of each limit it uses. */
const computeCapacity = ({ workspaces, eventsPerSecond }: FleetLoad) => {
  const batched = eventsPerSecond >= BATCHED_FROM;
  const matched = batched ? threeBatched : three;
  /** Returns the average of a usage figure per event, including the acknowledgements of matched events. */
  const computeAverage = (readFigure: (usage: Usage) => number): number =>
    (1 - assumptions.matched) * readFigure(noMatch) +
    assumptions.matched * (readFigure(matched) + assumptions.ackShare * readFigure(acknowledgement));
  const busiest = drawBusiestSecond(eventsPerSecond * computeBusiestShare(workspaces), 7);
  const peak = drawBusiestSecond(eventsPerSecond, 11);
  const pushesAMinute = 60 * peak * assumptions.matched * three.fcmRequests;
  // Each matched event invokes the matcher and the sender once.
  const batches = (matched.invocations - post.invocations) / 2;
  const { waitSeconds: wait, pushSeconds } = assumptions;
  const atOnce: PeakNeeds["atOnce"] = {
    "post-event": peak * (wait + post.processorMs / 1000),
    matcher: peak * (batches * wait + (noMatch.processorMs - post.processorMs) / 1000),
    sender:
      peak *
      assumptions.matched *
      (batches * (wait + pushSeconds) + (matched.processorMs - noMatch.processorMs) / 1000),
    "write-notifications":
      peak * assumptions.matched * assumptions.ackShare * (wait + acknowledgement.processorMs / 1000),
  };
  const concurrency = Object.values(atOnce).reduce((sum, one) => sum + one, 0);
  const asked: PeakNeeds = { peak, atOnce, concurrency, writes: peak * computeAverage(({ writeUnits }) => writeUnits) };
  const measured = computeAverage((usage) => Object.values(computeDollars(usage)).reduce((sum, part) => sum + part, 0));
  const waitSeconds =
    computeAverage(({ invocations }) => invocations) * wait + assumptions.matched * batches * pushSeconds;
  const starts = computeAverage(({ invocations }) => invocations) * assumptions.coldShare;
  const waiting =
    (waitSeconds + starts * assumptions.coldSeconds) * assumptions.memoryGigabytes * prices.lambdaGigabyteSecond +
    starts * prices.kmsRequest;
  const requests = 1 + assumptions.matched * assumptions.ackShare;
  const passing =
    requests * (prices.httpApiRequest + assumptions.accessLogBytes * logByte) +
    (requests * assumptions.answerBytes + computeAverage(({ fcmRequests }) => fcmRequests) * assumptions.pushBytes) *
      (prices.gigabyteOut / 1e9);
  const left = dollarsLeft.logs + dollarsLeft.storage + dollarsLeft.backups;
  const dollars =
    eventsPerSecond * assumptions.secondsAMonth * (measured + waiting + passing + left) +
    workspaces * assumptions.peopleAWorkspace * prices.cognitoUserMonth +
    Object.keys(metrics).length * prices.metricMonth +
    Math.ceil(atOnce.sender) * computeSecretDollars(SENDER_SECRETS) +
    idleDollars;
  const uses = [
    ...Object.values(computeWriteUnits(assumptions.kilobytes)).map(
      (units) => (units * busiest) / limits.partitionWrites,
    ),
    (2 * peak) / (MARKER_SHARDS * limits.partitionWrites),
    pushesAMinute / limits.fcmAMinute,
    ...ceilings.map(({ max, needs }) => needs(asked) / max),
  ];
  return { eventsPerSecond, busiest, asked, pushesAMinute, dollars, uses };
};

const GREAT_RATES = [100, 1_000, 10_000];
const loads: FleetLoad[] = [1, ...GREAT_RATES].map((eventsPerSecond) => ({ workspaces: 1_000, eventsPerSecond }));
/** Formats a number with at most one decimal, or without decimals from 100. */
export const toRounded = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : String(Math.round(value * 10) / 10);
const formatPercent = (share: number): string => `${toRounded(100 * share)} %`;

/** Renders the cost of a thousand workspaces at each rate of events, and the number of default limits that they exceed. */
export const renderFleetTable = (): string[] => [
  "| Events/s | Events/s of the busiest workspace | Lambdas at once | Write units/s | Pushes a minute | $ a month | Within the default limits |",
  "|---|---|---|---|---|---|---|",
  ...loads.map((load) => {
    const { eventsPerSecond, busiest, asked, pushesAMinute, dollars, uses } = computeCapacity(load);
    const over = uses.filter((share) => share > 1).length;
    const numbers = [eventsPerSecond, busiest, asked.concurrency, asked.writes, pushesAMinute, dollars];
    return `| ${[...numbers.map(toRounded), over === 0 ? "yes" : `no: exceeds ${over} limits`].join(" | ")} |`;
  }),
];

/** Renders the share of each limit that a thousand workspaces use. */
export const renderCeilingTable = (): string[] => [
  `| Limit | By default | ${GREAT_RATES.map((rate) => `${toRounded(rate)} events/s`).join(" | ")} | Raised by |`,
  `|---|---|${GREAT_RATES.map(() => "---").join("|")}|---|`,
  ...ceilings.map(({ name, max, needs, raise }) => {
    const used = GREAT_RATES.map(
      (eventsPerSecond) => needs(computeCapacity({ workspaces: 1_000, eventsPerSecond }).asked) / max,
    );
    return `| ${[name, toRounded(max), ...used.map(formatPercent), raise].join(" | ")} |`;
  }),
];

/** Renders, for each size of event, how many a workspace can send per second, and which partition limits that number. */
export const renderEventSizes = (): string[] => [
  "| Size of each event | Events a second | Limited by |",
  "|---|---|---|",
  ...[1, 2, 4, 8, 16, 32].map((kilobytes) => {
    const [first] = Object.entries(computeWriteUnits(kilobytes)).toSorted(([, one], [, other]) => other - one);
    return `| ${kilobytes} KB | ${toRounded(Math.floor(limits.partitionWrites / (first?.[1] ?? 1)))} | ${first?.[0]} |`;
  }),
];

/** The cost of an event for three people in dollars, by purpose. */
export const eventDollars = computeDollars(three);
