import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Deps } from "./deps.ts";
import { defaultUsagePlan, UsagePlan } from "./domain/workspace/usage-plan.ts";
import { createProfileReader, type ReadProfile } from "./identity/profile.ts";
import { liveCallUserPool } from "./live-user-pool.ts";
import { createJsonLog } from "./log.ts";
import { newId } from "./new-id.ts";
import { env } from "./wiring.ts";

const name = v.pipe(v.string(), v.nonEmpty());

/** Reads an environment variable. A missing variable makes the Lambda function fail at its start, not at its first event. */
const readEnvVariable = (variable: string): string => {
  const result = v.safeParse(name, process.env[variable]);
  if (!result.success) throw new Error(`environment variable ${variable} is not set`);
  return result.output;
};

const queueVariables = {
  events: env.eventsQueue,
  pushes: env.pushesQueue,
  escalations: env.escalationsQueue,
  webhooks: env.webhooksQueue,
  inbound: env.inboundQueue,
} as const;

/** Reads X-Ray's trace id from Lambda's environment. The SDK passes the id on to queues, so that X-Ray links invocations. */
const readTraceId = (): string | undefined => /Root=([^;]+)/.exec(process.env["_X_AMZN_TRACE_ID"] ?? "")?.[1];

/** Creates the log that writes JSON lines to stdout. */
export const liveLog = (): Deps["log"] =>
  createJsonLog({
    write: (line) => process.stdout.write(`${line}\n`),
    now: Date.now,
    stage: readEnvVariable(env.stage),
    traceId: readTraceId,
  });

/** Without timeouts, an invocation could wait for a socket that died while Lambda had frozen the instance. */
export const requestHandler = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true };

/** Creates the dependencies of a Lambda function, with only the named queues. Must be called once per instance. */
export const liveDeps = <const Name extends keyof Deps["queues"] = never>(
  ...queueNames: Name[]
): Omit<Deps, "queues" | "push" | "post" | "slack" | "slackApps" | "webhookKey" | "baseUrl" | "receiptKeys"> & {
  queues: Pick<Deps["queues"], Name>;
} => {
  const table = {
    name: readEnvVariable(env.table),
    client: DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler }), {
      marshallOptions: { removeUndefinedValues: true },
    }),
  };
  const sqs = queueNames.length === 0 ? undefined : new SQSClient({ requestHandler });
  const queues: Partial<Deps["queues"]> = {};
  if (sqs !== undefined)
    for (const queue of queueNames) queues[queue] = { url: readEnvVariable(queueVariables[queue]), client: sqs };
  const hasAllQueues = (partial: Partial<Deps["queues"]>): partial is Pick<Deps["queues"], Name> =>
    queueNames.every((queue) => partial[queue] !== undefined);
  if (!hasAllQueues(queues)) throw new Error("a queue has no SQS client");
  return {
    table,
    queues,
    pushStandIn: process.env[env.pushStandIn],
    webhookStandIn: process.env[env.webhookStandIn],
    teamsStandIn: process.env[env.teamsStandIn],
    now: Date.now,
    newId,
    random: Math.random,
    sleep: (ms) => sleep(ms),
    log: liveLog(),
  };
};

/** Reads the URL of the stage's console and API from the environment. */
export const liveBaseUrl = (): string => readEnvVariable(env.baseUrl);

/** Creates the function that reads a token owner's name and email from the stage's user pool. */
export const liveReadProfile = (): ReadProfile =>
  createProfileReader({ callUserPool: liveCallUserPool(readEnvVariable(env.userPoolUrl)), log: liveLog() });

/** Returns the usage plan for new workspaces: the deployment's plan, or else the service's default plan. */
export const readUsagePlan = (): UsagePlan => {
  const text = process.env[env.defaultPlan];
  return text === undefined ? defaultUsagePlan : v.parse(v.pipe(v.string(), v.parseJson(), UsagePlan), text);
};
