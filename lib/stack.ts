import { join } from "node:path";
import { CfnOutput, Duration, RemovalPolicy, Stack, Tags } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import { Code, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import type { QueueName } from "./access.ts";
import { acknowledge } from "./acknowledge.ts";
import { distDir } from "./build.ts";
import type { Config } from "./config.ts";
import { ApiDomain } from "./domain.ts";
import { ServiceApi } from "./http-api.ts";
import { Identity } from "./identity.ts";
import { Observability } from "./observability.ts";
import { routes } from "./routes.ts";
import { type FunctionSetting, ServiceFunction } from "./service-function.ts";
import { ServiceTable } from "./table.ts";
import { QueueWorker } from "./worker.ts";
import { WorkQueue } from "./work-queue.ts";
import { timers, workers } from "./workers.ts";

export type EventAlertingProps = {
  config: Config;
  /** The bundle of a function, by its name. Default: what `lib/build.ts` made. */
  codeOf?: (name: string) => Code;
};

/** The whole service in one stack. */
export class EventAlertingStack extends Stack {
  constructor(scope: Construct, { config, codeOf }: EventAlertingProps) {
    super(scope, `EventAlerting-${config.stage}`, {
      description: "Event alerting service: events in, push notifications out",
      ...(config.region === undefined ? {} : { env: { region: config.region } }),
      terminationProtection: config.removal === "retain",
    });
    Tags.of(this).add("service", "event-alerting");
    Tags.of(this).add("stage", config.stage);

    const { table } = new ServiceTable(this, "Data", config);
    const timeoutOf = (name: QueueName): number =>
      workers.find(({ queue }) => queue === name)?.timeoutSeconds ?? Number.NaN;
    const queue = (id: string, name: QueueName) => new WorkQueue(this, id, { consumerTimeoutSeconds: timeoutOf(name) });
    const work = {
      events: queue("Events", "events"),
      pushes: queue("Pushes", "pushes"),
      escalations: queue("Escalations", "escalations"),
    };
    const fcmSecret = new Secret(this, "FcmServiceAccount", {
      description: "Service account (JSON) that sends through FCM; put there by the operator",
      removalPolicy: config.removal === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    acknowledge(fcmSecret, {
      "AwsSolutions-SMG4": "Google issues the key; no AWS rotation can. The runbook says how an operator replaces it.",
    });
    const setting: FunctionSetting = {
      config,
      table,
      queues: { events: work.events.queue, pushes: work.pushes.queue, escalations: work.escalations.queue },
      fcmSecret,
      codeOf: codeOf ?? ((name) => Code.fromAsset(join(distDir, name))),
    };

    const path = new Map<string, LambdaFunction>();
    for (const worker of workers) {
      const { function: handler } = new QueueWorker(this, `Worker-${worker.entry}`, {
        setting,
        worker,
        work: work[worker.queue],
      });
      path.set(worker.entry, handler);
    }
    for (const timer of timers) {
      const { function: handler } = new ServiceFunction(this, {
        setting,
        name: timer.entry,
        description: `Runs every ${timer.everyMinutes} min`,
        access: timer.access,
        timeoutSeconds: timer.timeoutSeconds,
        memoryMb: timer.memoryMb,
      });
      path.set(timer.entry, handler);
      const rule = new Rule(this, `Timer-${timer.entry}`, {
        description: `Starts ${timer.entry}`,
        schedule: Schedule.rate(Duration.minutes(timer.everyMinutes)),
        // No retries: the next minute does the work of one that was missed.
        targets: [new LambdaTarget(handler, { retryAttempts: 0 })],
      });
      acknowledge(rule, { "Serverless-EventBusDLQ": "A lost start needs no rescue: the next minute does its work." });
    }

    const identity = new Identity(this, "Identity", config);
    const { api, stage, functions } = new ServiceApi(this, "Http", {
      setting,
      identity,
      routes,
    });

    if (config.domain !== undefined) new ApiDomain(this, "Domain", { domain: config.domain, api, stage });
    const ingest = functions.get("post-event");
    if (ingest !== undefined) path.set("post-event", ingest);
    const { topic } = new Observability(this, "Observability", { config, table, api, work, path });

    new CfnOutput(this, "AlarmTopicArn", { value: topic.topicArn });
    new CfnOutput(this, "BaseUrl", {
      value: config.domain === undefined ? api.apiEndpoint : `https://${config.domain.name}`,
    });
    new CfnOutput(this, "TableName", { value: table.tableName });
    new CfnOutput(this, "UserPoolId", { value: identity.userPool.userPoolId });
    new CfnOutput(this, "UserPoolClientId", { value: identity.client.userPoolClientId });
    new CfnOutput(this, "FcmSecretArn", { value: fcmSecret.secretArn });
  }
}
