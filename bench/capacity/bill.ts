import type { App, Stack } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import * as v from "valibot";
import { SECRET_AHEAD_MS } from "../../core/push/limits.ts";
import { prices } from "../prices.ts";
import { createApp } from "../../lib/app.ts";
import { readConfig } from "../../lib/config.ts";
import { EdgeStack, toEdgeProps } from "../../lib/edge.ts";
import { EventAlertingStack } from "../../lib/stack.ts";
import { workers } from "../../lib/workers.ts";

/* The cost of a stage without traffic, and of its optional parts. The paid resources are counted in the synthesized stack. */

const Resource = v.looseObject({ Type: v.string(), Properties: v.optional(v.record(v.string(), v.unknown()), {}) });
const Template = v.object({ Resources: v.record(v.string(), Resource) });

const MINUTES_A_MONTH = 30 * 24 * 60;
const SECONDS_A_MONTH = 60 * MINUTES_A_MONTH;

export const idle = {
  /** Lambda polls a queue with five pollers, whose requests take 20 s each. */
  pollersAQueue: 5,
  pollSeconds: 20,
  /** The usage of one run of the sweeper without traffic, from `/meters` of the local service. */
  sweeperReadUnits: 54,
  sweeperWriteUnits: 1,
  sweeperGigabytes: 1769 / 1024,
  sweeperSeconds: 0.3,
  sweeperLogBytes: 1_400,
  /** The sweeper's cold starts per month, because Lambda replaces a busy instance after some hours. Each start uses KMS once. */
  sweeperStarts: 12 * 30,
  startSeconds: 0.3,
  /** The size of one deployment's compressed bundles with source maps. S3 also keeps earlier deployments. */
  assetMegabytes: 15,
  deploymentsKept: 100,
  /** The service's own metrics that are sent even without events. CloudWatch charges per metric. */
  metrics: 3,
} as const;

const synthetic = { seconds: 2, gigabytes: 0.5 } as const;

export const SENDER_SECRETS = workers.find(({ entry }) => entry === "sender")?.access.readsSecrets?.length ?? 0;

/** Returns the monthly cost of an instance that reads its secrets again whenever its cached copies expire. */
export const computeSecretDollars = (secretCount: number): number =>
  ((secretCount * SECONDS_A_MONTH * 1000) / SECRET_AHEAD_MS) * (prices.secretRequest + prices.kmsRequest);

export type BillLine = { what: string; dollars: number };

/** Synthesizes the stack that `addStack` adds to an app, and returns its CloudFormation resources. */
const synthesizeResources = (addStack: (app: App) => Stack): v.InferOutput<typeof Resource>[] => {
  const app = createApp();
  const { stackName } = addStack(app);
  return Object.values(v.parse(Template, app.synth().getStackByName(stackName).template).Resources);
};

const addServiceStack = (app: App): Stack =>
  new EventAlertingStack(app, { config: readConfig({}), codeOf: () => Code.fromInline("exports.handler = 0") });

const addEdgeStack = (app: App): Stack => {
  const domain = { domainName: "alerts.example.com", hostedZoneId: "Z0123456789ABC" };
  const props = toEdgeProps(readConfig({ region: "eu-central-1", ...domain, edge: "only" }));
  if (props === undefined) throw new Error("a configuration with an edge has one");
  return new EdgeStack(app, props);
};

const Metrics = v.object({ Metrics: v.array(v.looseObject({ MetricStat: v.optional(v.unknown()) })) });

/** Counts the metrics that an alarm reads, because CloudWatch charges for each. */
const countAlarmMetrics = ({ Properties }: v.InferOutput<typeof Resource>): number => {
  const several = v.safeParse(Metrics, Properties);
  return several.success ? several.output.Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length : 1;
};

/** Lists the monthly costs of a stage without traffic. */
export const listIdleCosts = (): BillLine[] => {
  const resources = synthesizeResources(addServiceStack);
  const listResourcesOfType = (type: string) => resources.filter(({ Type }) => Type === type);
  const alarms = listResourcesOfType("AWS::CloudWatch::Alarm");
  const watched = alarms.reduce((sum, alarm) => sum + countAlarmMetrics(alarm), 0);
  const secrets = listResourcesOfType("AWS::SecretsManager::Secret").length;
  const queues = listResourcesOfType("AWS::Lambda::EventSourceMapping").length;
  const polls = (queues * idle.pollersAQueue * SECONDS_A_MONTH) / idle.pollSeconds;
  const run = prices.lambdaRequest + idle.sweeperSeconds * idle.sweeperGigabytes * prices.lambdaGigabyteSecond;
  const logs = (idle.sweeperLogBytes * (prices.logGigabyte + prices.logGigabyteMonth)) / 1e9;
  const units = idle.sweeperReadUnits * prices.dynamodbReadUnit + idle.sweeperWriteUnits * prices.dynamodbWriteUnit;
  const start = idle.startSeconds * idle.sweeperGigabytes * prices.lambdaGigabyteSecond + prices.kmsRequest;
  return [
    {
      what: "the dashboard",
      dollars: listResourcesOfType("AWS::CloudWatch::Dashboard").length * prices.dashboardMonth,
    },
    { what: `${alarms.length} alarms over ${watched} metrics`, dollars: watched * prices.alarmMonth },
    { what: `${idle.metrics} metrics that the sweeper sends`, dollars: idle.metrics * prices.metricMonth },
    { what: `${secrets} secrets`, dollars: secrets * prices.secretMonth },
    {
      what: `polling ${queues} queues without pause, ${idle.pollersAQueue} pollers each`,
      dollars: polls * prices.sqsRequest,
    },
    {
      what: `the sweeper, which every minute uses ${idle.sweeperSeconds} s, ${idle.sweeperReadUnits} read units, ${idle.sweeperWriteUnits} write unit and a line of its log`,
      dollars: MINUTES_A_MONTH * (units + run + logs) + idle.sweeperStarts * start,
    },
    {
      what: `files of the last ${idle.deploymentsKept} deployments in S3`,
      dollars: (idle.assetMegabytes / 1000) * idle.deploymentsKept * prices.s3GigabyteMonth,
    },
  ];
};

const SYNTHETIC_EVENTS = MINUTES_A_MONTH;

const Firewall = v.object({ Rules: v.array(v.unknown()) });
const Replicated = v.object({ ReplicaRegions: v.optional(v.array(v.unknown()), []) });

/** Returns the monthly cost of the firewall and the secrets of the optional stack in front of a stage. */
const computeEdgeDollars = (): number => {
  const resources = synthesizeResources(addEdgeStack);
  const listPropertiesOfType = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
  const rules = listPropertiesOfType("AWS::WAFv2::WebACL").map((firewall) => v.parse(Firewall, firewall).Rules.length);
  const secrets = listPropertiesOfType("AWS::SecretsManager::Secret").map(
    (one) => 1 + v.parse(Replicated, one).ReplicaRegions.length,
  );
  return (
    rules.reduce((sum, count) => sum + prices.firewallMonth + count * prices.firewallRuleMonth, 0) +
    secrets.reduce((sum, count) => sum + count * prices.secretMonth, 0)
  );
};

/** Estimates the traces per month. X-Ray records the sweeper's runs, the first request of each second and 5% of all others. */
const countMonthlyTraces = (eventsPerSecond: number): number =>
  SECONDS_A_MONTH * (Math.min(eventsPerSecond, 1) + 0.05 * Math.max(0, eventsPerSecond - 1)) + MINUTES_A_MONTH;

/** Lists the monthly costs of the optional parts of a stage. `eventDollars`: the cost of one event. */
export const listOptionalCosts = (eventDollars: number): BillLine[] => [
  {
    what: `\`synthetic\`: an alarm, a metric, a secret, an event a minute, and ${SENDER_SECRETS + 1} secrets that are read`,
    dollars:
      computeSecretDollars(SENDER_SECRETS + 1) +
      prices.alarmMonth +
      prices.metricMonth +
      prices.secretMonth +
      SYNTHETIC_EVENTS *
        (eventDollars + prices.lambdaRequest + synthetic.seconds * synthetic.gigabytes * prices.lambdaGigabyteSecond),
  },
  { what: "`edge`: a firewall with two rules, and a secret in two regions", dollars: computeEdgeDollars() },
  { what: "`edge`, for each million of requests", dollars: 1e6 * (prices.firewallRequest + prices.edgeRequest) },
  ...[1, 100].map((eventsPerSecond) => ({
    what: `\`tracing\` with ${eventsPerSecond} events/s`,
    dollars: countMonthlyTraces(eventsPerSecond) * prices.trace,
  })),
];

export const sumDollars = (bill: readonly BillLine[]): number => bill.reduce((sum, { dollars }) => sum + dollars, 0);

const formatDollars = (dollars: number): string => dollars.toFixed(2);

/** Renders the monthly costs of a stage without traffic and of its optional parts. `eventDollars`: the cost of one event. */
export const renderBill = (eventDollars: number): string[] => {
  const bill = listIdleCosts();
  return [
    "| What | $ a month |",
    "|---|---|",
    ...bill.map(({ what, dollars }) => `| ${what} | ${formatDollars(dollars)} |`),
    `| **together** | **${formatDollars(sumDollars(bill))}** |`,
    ...listOptionalCosts(eventDollars).map(({ what, dollars }) => `| ${what} | + ${formatDollars(dollars)} |`),
  ];
};
