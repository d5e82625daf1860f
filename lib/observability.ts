import { Duration, Stack } from "aws-cdk-lib";
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
  Stats,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { FilterPattern, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import { metricsNamespace } from "../core/wiring.ts";
import { acceptFindings } from "./accept-findings.ts";
import { listAlarmRules, toComparisonOperator, toMissingDataTreatment, serviceMetric, type Watched } from "./alarms.ts";

const RUNBOOK = "docs/runbook.md";

const createGraphWidget = (title: string, left: IMetric[], right: IMetric[] = []): IWidget =>
  new GraphWidget({ title, left, right, width: 8, height: 6 });

const period = Duration.minutes(1);

const createTrafficGraphs = ({ config, api }: Watched): IWidget[] => [
  createGraphWidget(
    "Requests and errors",
    [api.metricCount({ period }), api.metricClientError({ period })],
    [api.metricServerError({ period })],
  ),
  createGraphWidget("Latency of the API", [
    api.metricLatency({ period, statistic: Stats.p(50) }),
    api.metricLatency({ period, statistic: Stats.p(99) }),
  ]),
  createGraphWidget(
    "Pushes",
    [
      serviceMetric(config, "pushSent", { statistic: "sum" }),
      serviceMetric(config, "pushFailed", { statistic: "sum" }),
    ],
    [serviceMetric(config, "pushAuthFailed", { statistic: "sum" })],
  ),
];

const createQueueGraphs = ({ config, work }: Watched): IWidget[] => {
  const queues = Object.values(work);
  const visible = queues.map(({ queue }) => queue.metricApproximateNumberOfMessagesVisible({ period }));
  const dead = queues.map(({ deadLetterQueue }) =>
    deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period }),
  );
  return [
    createGraphWidget(
      "Unfinished events",
      [serviceMetric(config, "oldestMarkerAgeSeconds", { statistic: "max" })],
      [
        serviceMetric(config, "stuckMarkers", { statistic: "max" }),
        serviceMetric(config, "sweeperRan", { statistic: "sum" }),
      ],
    ),
    createGraphWidget(
      "Age of the oldest message",
      queues.map(({ queue }) => queue.metricApproximateAgeOfOldestMessage({ period })),
    ),
    createGraphWidget("Messages waiting and dead-lettered", visible, dead),
  ];
};

const createSystemGraphs = ({ table, path }: Watched): IWidget[] => {
  const functions = [...path.values()];
  const errors = functions.map((each) => each.metricErrors({ period }));
  const throttles = functions.map((each) => each.metricThrottles({ period }));
  return [
    createGraphWidget(
      "Duration, p99",
      functions.map((each) => each.metricDuration({ period, statistic: Stats.p(99) })),
    ),
    createGraphWidget("Errors and throttles", errors, throttles),
    createGraphWidget("Units of the table", [
      table.metricConsumedReadCapacityUnits({ period }),
      table.metricConsumedWriteCapacityUnits({ period }),
    ]),
  ];
};

const TIMED_OUT = FilterPattern.all(
  FilterPattern.stringValue("$.type", "=", "platform.report"),
  FilterPattern.stringValue("$.record.status", "=", "timeout"),
);

/** Adds a metric that counts timeouts in logs, because Lambda's metrics do not distinguish timeouts from other errors. */
const addTimeoutMetric = (scope: Construct, { config, path }: Pick<Watched, "config" | "path">): Metric => {
  // The stage is part of the namespace, because the log lines have no field for a dimension.
  const counted = { metricNamespace: `${metricsNamespace}/${config.stage}`, metricName: "FunctionTimeouts" };
  // The functions are sorted, so that the filter's id for a shared log group does not depend on the order of routes.
  const named = [...path].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const groups = new Map(named.map(([name, { logGroup }]) => [logGroup, name]));
  for (const [logGroup, name] of groups)
    new MetricFilter(scope, `Timeouts-${name}`, { logGroup, filterPattern: TIMED_OUT, metricValue: "1", ...counted });
  return new Metric({
    namespace: counted.metricNamespace,
    metricName: counted.metricName,
    statistic: "Sum",
    period: Duration.minutes(5),
  });
};

export class Observability extends Construct {
  readonly topic: Topic;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, given: Omit<Watched, "timeouts">) {
    super(scope, id);
    const watched: Watched = { ...given, timeouts: addTimeoutMetric(this, given) };
    const { config } = watched;
    this.topic = this.addTopic(config.alarmEmail);
    this.alarms = listAlarmRules(watched).map((rule) => {
      const alarm = new Alarm(this, `Alarm-${rule.id}`, {
        alarmName: `event-alerting-${config.stage}-${rule.id}`,
        alarmDescription: `${rule.says} What to do: ${RUNBOOK}#${rule.id}`,
        metric: rule.metric,
        threshold: rule.threshold,
        comparisonOperator: toComparisonOperator(rule),
        evaluationPeriods: rule.periods,
        datapointsToAlarm: rule.periods,
        treatMissingData: toMissingDataTreatment(rule),
      });
      alarm.addAlarmAction(new SnsAction(this.topic));
      alarm.addOkAction(new SnsAction(this.topic));
      return alarm;
    });
    new Dashboard(this, "Dashboard", {
      dashboardName: `event-alerting-${config.stage}`,
      defaultInterval: Duration.hours(3),
      widgets: [
        [new AlarmStatusWidget({ title: "Alarms", alarms: [...this.alarms], width: 24, height: 4 })],
        createTrafficGraphs(watched),
        createQueueGraphs(watched),
        createSystemGraphs(watched),
      ],
    });
  }

  private addTopic(alarmEmail: string | undefined): Topic {
    const topic = new Topic(this, "Alarms", { enforceSSL: true });
    // A topic policy replaces the default, so CloudWatch's permission is added again.
    topic.grantPublish(
      new ServicePrincipal("cloudwatch.amazonaws.com", {
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      }),
    );
    if (alarmEmail !== undefined)
      acceptFindings(topic.addSubscription(new EmailSubscription(alarmEmail)), {
        "Serverless-SNSRedrivePolicy": "An undelivered alarm email is useless in a queue.",
      });
    return topic;
  }
}
