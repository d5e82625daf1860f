import { Duration } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { ComparisonOperator, type IMetric, MathExpression, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { metrics, metricsNamespace } from "../core/wiring.ts";
import type { QueueName } from "../interface/access.ts";
import type { Config } from "./config.ts";
import type { DataTable } from "./table.ts";
import type { WorkQueue } from "./work-queue.ts";
import { listWorkersOfStage } from "./workers.ts";

export type Watched = {
  config: Config;
  table: DataTable;
  api: HttpApi;
  work: Record<QueueName, WorkQueue>;
  /** The functions on the path from the API to a push. */
  path: ReadonlyMap<string, LambdaFunction>;
  timeouts: Metric;
  keys?: LambdaFunction | undefined;
};

export type AlarmRule = {
  /** A part of the alarm's name, and the heading of the alarm's section in docs/runbook.md. */
  id: string;
  /** The alarm's description: one sentence for the operator. */
  says: string;
  metric: IMetric;
  threshold: number;
  comparison: "at least" | "above" | "below";
  periods: number;
  /** Whether missing data breaches the threshold (`bad`) or not (`fine`, the default). */
  missing?: "fine" | "bad";
};

const MINUTE = Duration.minutes(1);
/** The sweeper checks every unfinished event within this time, because markers are due after at most two minutes. */
const SWEEP_SPAN = Duration.minutes(3);
const FIVE_MINUTES = Duration.minutes(5);

/** Returns one of the service's own metrics for a stage. */
export const serviceMetric = (
  { stage }: Pick<Config, "stage">,
  name: keyof typeof metrics,
  { statistic, period = MINUTE }: { statistic: "sum" | "max"; period?: Duration },
): Metric =>
  new Metric({
    namespace: metricsNamespace,
    metricName: metrics[name],
    dimensionsMap: { Stage: stage },
    statistic: statistic === "sum" ? "Sum" : "Maximum",
    period,
  });

/** The number of metrics that CloudWatch allows per alarm. */
const ALARM_METRICS_MAX = 10;

/** Creates the sum of one metric over several functions. Throws if the functions are too many for one alarm. */
const sumMetrics = (functions: Watched["path"], getMetric: (f: LambdaFunction) => Metric, label: string): IMetric => {
  if (functions.size > ALARM_METRICS_MAX)
    throw new Error(`an alarm reads at most ${ALARM_METRICS_MAX} metrics, not ${functions.size}: split it`);
  const usingMetrics = Object.fromEntries([...functions.values()].map((f, index) => [`m${index}`, getMetric(f)]));
  return new MathExpression({
    // FILL uses 0 for a function that did not run; without FILL, the sum would have no data.
    expression: Object.keys(usingMetrics)
      .map((name) => `FILL(${name}, 0)`)
      .join(" + "),
    usingMetrics,
    period: FIVE_MINUTES,
    label,
  });
};

const createTableThrottleMetric = ({ table }: Watched): IMetric =>
  new MathExpression({
    expression: "FILL(reads, 0) + FILL(writes, 0)",
    usingMetrics: {
      reads: table.metric("ReadThrottleEvents", { statistic: "Sum", period: FIVE_MINUTES }),
      writes: table.metric("WriteThrottleEvents", { statistic: "Sum", period: FIVE_MINUTES }),
    },
    period: FIVE_MINUTES,
    label: "Throttled reads and writes",
  });

/** Creates the share of failed pushes; 0 if there were fewer than 20 pushes. */
const createPushFailureRatio = ({ config }: Watched): IMetric =>
  new MathExpression({
    expression: "IF(FILL(failed, 0) + FILL(sent, 0) >= 20, FILL(failed, 0) / (FILL(failed, 0) + FILL(sent, 0)), 0)",
    usingMetrics: {
      sent: serviceMetric(config, "pushSent", { statistic: "sum", period: FIVE_MINUTES }),
      failed: serviceMetric(config, "pushFailed", { statistic: "sum", period: FIVE_MINUTES }),
    },
    period: FIVE_MINUTES,
    label: "Failed pushes, as a share",
  });

/** Raises an alarm at the first occurrence, for faults that should never happen. */
const AT_ONCE = { threshold: 1, comparison: "at least", periods: 1 } as const;

const listQueueRules = ({ config, work }: Watched): AlarmRule[] =>
  listWorkersOfStage(config).flatMap(({ entry, queue, oldAfterSeconds }): AlarmRule[] => [
    {
      id: `queue-behind-${queue}`,
      says: `A message has waited over ${oldAfterSeconds} s for the ${entry}.`,
      metric: work[queue].queue.metricApproximateAgeOfOldestMessage({ period: MINUTE, statistic: "Maximum" }),
      threshold: oldAfterSeconds,
      comparison: "above",
      periods: 3,
    },
    {
      id: `dead-letter-${queue}`,
      says: `The ${entry} failed six times on a message, which is now in the dead-letter queue.`,
      metric: work[queue].deadLetterQueue.metricApproximateNumberOfMessagesVisible({
        period: MINUTE,
        statistic: "Maximum",
      }),
      ...AT_ONCE,
    },
  ]);

const listPipelineRules = ({ config, path, timeouts }: Watched): AlarmRule[] => [
  {
    id: "oldest-marker",
    says: "An event was received over 3 minutes ago and its notifications are not finished.",
    metric: serviceMetric(config, "oldestMarkerAgeSeconds", { statistic: "max", period: SWEEP_SPAN }),
    threshold: 180,
    comparison: "above",
    periods: 1,
  },
  {
    id: "stuck",
    says: "Work was retried repeatedly and does not finish.",
    metric: serviceMetric(config, "stuckMarkers", { statistic: "max", period: SWEEP_SPAN }),
    ...AT_ONCE,
  },
  {
    id: "sweeper-silent",
    says: "The sweeper, which continues unfinished work, has not finished a run for 3 minutes.",
    metric: serviceMetric(config, "sweeperRan", { statistic: "sum" }),
    threshold: 1,
    comparison: "below",
    periods: 3,
    missing: "bad",
  },
  {
    id: "sweeper-item",
    says: "The sweeper repeatedly fails on due work and postpones it.",
    metric: serviceMetric(config, "sweeperFailed", { statistic: "sum", period: FIVE_MINUTES }),
    ...AT_ONCE,
  },
  {
    id: "function-errors",
    says: "A function on the path from event to push crashes or times out.",
    metric: sumMetrics(path, (f) => f.metricErrors({ period: FIVE_MINUTES }), "Errors"),
    threshold: 5,
    comparison: "at least",
    periods: 2,
  },
  {
    // If only one workspace causes timeouts, the errors are too few for the threshold of `function-errors`.
    id: "function-timeouts",
    says: "A function on the path from event to push repeatedly reaches its timeout.",
    metric: timeouts,
    ...AT_ONCE,
    periods: 2,
  },
  {
    id: "function-throttled",
    says: "Lambda refuses invocations of a function on the path from event to push.",
    metric: sumMetrics(path, (f) => f.metricThrottles({ period: FIVE_MINUTES }), "Throttles"),
    ...AT_ONCE,
    periods: 2,
  },
  {
    id: "ledger",
    says: "The recipients that an event's rules name differ from the recipients recorded as notified, failed or silenced.",
    metric: serviceMetric(config, "ledgerFaults", { statistic: "sum", period: FIVE_MINUTES }),
    ...AT_ONCE,
  },
  {
    id: "match-over-budget",
    says: "A workspace's rules took too long on an event; undecided rules were treated as matching.",
    metric: serviceMetric(config, "matchOverBudget", { statistic: "sum", period: FIVE_MINUTES }),
    ...AT_ONCE,
  },
];

/** Creates the alarm rule about workspaces that have used most of their monthly number of events. */
const createQuotaRule = ({ config }: Watched): AlarmRule => ({
  id: "quota",
  says: "A workspace has used 80 percent or all of its month's events; at 100 percent its events are refused.",
  metric: serviceMetric(config, "quotaPercent", { statistic: "max", period: FIVE_MINUTES }),
  threshold: 80,
  comparison: "at least",
  periods: 1,
});

/** Creates the alarm rule about the stage's daily limits of verification codes and of invitation emails. */
const createStageLimitRule = ({ config }: Watched): AlarmRule => ({
  id: "stage-ceiling",
  says: "The stage has reached its daily limit of verification codes or of invitation emails.",
  metric: serviceMetric(config, "stageCeiling", { statistic: "sum", period: FIVE_MINUTES }),
  ...AT_ONCE,
});

const listPushApiAndTableRules = (watched: Watched): AlarmRule[] => [
  {
    id: "push-failures",
    says: "More than a fifth of the pushes within 5 minutes failed.",
    metric: createPushFailureRatio(watched),
    threshold: 0.2,
    comparison: "above",
    periods: 2,
  },
  {
    id: "push-unauthorized",
    says: "FCM or the browsers' push services refuse the stage's credentials: no push of that kind arrives.",
    metric: serviceMetric(watched.config, "pushAuthFailed", { statistic: "sum", period: MINUTE }),
    ...AT_ONCE,
  },
  {
    id: "api-5xx",
    says: "The API answered at least 5 requests within 5 minutes with a server error.",
    metric: watched.api.metricServerError({ period: FIVE_MINUTES, statistic: "Sum" }),
    threshold: 5,
    comparison: "at least",
    periods: 1,
  },
  {
    id: "table-throttled",
    says: "DynamoDB refuses reads or writes.",
    metric: createTableThrottleMetric(watched),
    threshold: 10,
    comparison: "at least",
    periods: 1,
  },
];

/** Lists the rules about late or refused emails, text messages and calls; none if the stage has none of these channels. */
const listChannelRules = ({ config }: Watched): AlarmRule[] =>
  Object.keys(config.pace).length === 0
    ? []
    : [
        {
          id: "channel-behind",
          says: "Emails, text messages or calls wait over a minute, because the stage sends more than its rate allows.",
          metric: serviceMetric(config, "channelBehindSeconds", { statistic: "max", period: FIVE_MINUTES }),
          threshold: 60,
          comparison: "at least",
          periods: 1,
        },
        {
          id: "channel-refused",
          says: "AWS refuses emails, text messages or calls, because they exceed the rate, a quota or the spend limit.",
          metric: serviceMetric(config, "channelRefused", { statistic: "sum", period: FIVE_MINUTES }),
          threshold: 10,
          comparison: "at least",
          periods: 1,
        },
      ];

/** Lists the rule about the function for pressed keys. If the function fails, the call ends and the key has no effect. */
const listPressedKeyRules = ({ keys }: Watched): AlarmRule[] =>
  keys === undefined
    ? []
    : [
        {
          id: "keys-failed",
          says: "The function that takes keys pressed in calls fails, is throttled or is too slow: nobody acknowledges by telephone.",
          metric: new MathExpression({
            expression: "FILL(errors, 0) + FILL(throttles, 0)",
            usingMetrics: {
              errors: keys.metricErrors({ period: FIVE_MINUTES }),
              throttles: keys.metricThrottles({ period: FIVE_MINUTES }),
            },
            period: FIVE_MINUTES,
            label: "Key presses that were not accepted",
          }),
          ...AT_ONCE,
        },
      ];

/** Lists the rule about missing synthetic events, if the stage sends synthetic events. */
const listSyntheticRules = ({ config }: Watched): AlarmRule[] =>
  config.synthetic
    ? [
        {
          id: "synthetic-missing",
          says: "No synthetic event has arrived for 5 minutes: the path from the API to FCM may be broken.",
          metric: serviceMetric(config, "syntheticArrived", { statistic: "sum", period: FIVE_MINUTES }),
          threshold: 1,
          comparison: "below",
          periods: 1,
          missing: "bad",
        },
      ]
    : [];

export const listAlarmRules = (watched: Watched): AlarmRule[] => [
  ...listPipelineRules(watched),
  ...listQueueRules(watched),
  createQuotaRule(watched),
  createStageLimitRule(watched),
  ...listPushApiAndTableRules(watched),
  ...listChannelRules(watched),
  ...listPressedKeyRules(watched),
  ...listSyntheticRules(watched),
];

export const toComparisonOperator = ({ comparison }: AlarmRule): ComparisonOperator => {
  switch (comparison) {
    case "at least":
      return ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD;
    case "above":
      return ComparisonOperator.GREATER_THAN_THRESHOLD;
    case "below":
      return ComparisonOperator.LESS_THAN_THRESHOLD;
  }
};

export const toMissingDataTreatment = ({ missing }: AlarmRule): TreatMissingData =>
  missing === "bad" ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING;
