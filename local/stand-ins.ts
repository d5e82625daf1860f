import type { Server } from "node:http";
import { createAwsServer } from "./aws/front.ts";
import { createMeters, mergeReadings, type Meters } from "./aws/meters.ts";
import { createPolicies, type Policies } from "./aws/policies.ts";
import { createPublisher } from "./aws/sns.ts";
import { createSecretsService, type SecretVersion } from "./aws/secrets.ts";
import { StartError, tableDirectoryPath } from "./checks.ts";
import { Faults } from "./control.ts";
import { type DynamoDb, startDynamoDb } from "./dynamodb/process.ts";
import { type Fcm, startFcm } from "./fcm/server.ts";
import type { Feed } from "./feed.ts";
import { createWebhookInbox } from "./hooks.ts";
import { createMailService } from "./mail/ses.ts";
import * as v from "valibot";
import { SlackApps } from "../core/domain/connection/slack-app.ts";
import { createSlackService } from "./slack/server.ts";
import type { CallSettings } from "./phone/connect.ts";
import { createPhones } from "./phone/phone.ts";
import { createQueues } from "./sqs/queues.ts";
import type { Model } from "./template/model.ts";
import { createWebPushService } from "./web-push/server.ts";

type StandInOptions = {
  dir: string;
  model: Model;
  feed: Feed;
  /** The server of all AWS services except DynamoDB, which has its own process. */
  awsServer: Server;
  /** The secrets, by the environment variable that contains their ARN. */
  secrets: Readonly<Record<string, string>>;
  secretsMadeAt: number;
  slackApps: string;
  /** The API's URL, which is also the prefix of the stand-in for push services. */
  baseUrl: string;
  now: () => number;
  invokeForCall: CallSettings["invoke"];
  onClose: (closer: () => Promise<unknown> | void) => void;
  onLost: (reason: string) => void;
};

/** Creates the fault with which FCM's stand-in resets or stalls all requests, for messages and for tokens. */
const createFaultOfAllRequests = (kind: "reset" | "stall") => ({ send: [{ kind }], oauth: [{ kind }] });
const fcmModes = { up: {}, down: createFaultOfAllRequests("reset"), hang: createFaultOfAllRequests("stall") };

type OnDenied = (functionName: string, message: string) => void;

/** Starts the stand-ins for FCM, the browsers' push services, webhooks and Slack. */
const startMessageReceivers = async ({ feed, baseUrl, slackApps, now, onClose }: StandInOptions) => {
  const fcm = await startFcm({
    onMessage: ({ token, message }) => {
      const title: unknown = message.notification?.["title"];
      feed.add("good", "push", `arrived at ${token}  ${typeof title === "string" ? title : ""}`);
    },
  });
  onClose(fcm.close);
  const webPush = createWebPushService({
    origin: baseUrl,
    now,
    onMessage: ({ endpoint }) => feed.add("good", "push", `arrived at ${endpoint}`),
  });
  onClose(webPush.close);
  const hooks = createWebhookInbox({
    origin: baseUrl,
    onMessage: (name) => feed.add("good", "webhook", `arrived at ${name}`),
  });
  onClose(hooks.close);
  const [app] = v.parse(v.pipe(v.string(), v.parseJson(), SlackApps), slackApps);
  if (app === undefined) throw new Error("the secret of the Slack apps contains no app");
  const slack = createSlackService({ baseUrl, app, now, onMessage: (what) => feed.add("good", "slack", what) });
  return { fcm, webPush, hooks, slack };
};

/** Returns a function that reads the current version of a secret; undefined for unknown secrets and other versions. */
const createSecretReader = ({ model, secrets, secretsMadeAt: madeAt }: StandInOptions) => {
  const variables = model.functions.flatMap(({ environment }) => Object.entries(environment));
  return (arn: string, stage: string): SecretVersion | undefined => {
    const [name] = variables.find(([, value]) => value === arn) ?? [];
    const text = name === undefined || stage !== "AWSCURRENT" ? undefined : secrets[name];
    return text === undefined ? undefined : { text, madeAt };
  };
};

/** Starts DynamoDB with the table that is stored in `dir`. Throws a StartError if the table cannot be opened. */
const openTable = async ({ dir, model, onLost, onClose }: StandInOptions, onDenied: OnDenied) => {
  const principals = model.functions.map(({ name, statements }) => ({ name, statements: [...statements] }));
  const dynamoDb = await startDynamoDb({
    path: tableDirectoryPath(dir),
    table: model.table,
    principals,
    onDenied,
    onLost: () => onLost("the process of DynamoDB has ended"),
  }).catch((error: unknown) => {
    throw new StartError(`The table in ${dir} cannot be opened: ${error instanceof Error ? error.message : "unknown"}`);
  });
  onClose(dynamoDb.stop);
  return dynamoDb;
};

type MeteredParts = { model: Model; meters: Meters; policies: Policies; dynamoDb: DynamoDb; fcm: Fcm };

/** Returns functions that read and reset the meters of all processes, and read unused grants. */
const collectMeters = ({ model, meters, policies, dynamoDb, fcm }: MeteredParts) => {
  const nameOf = new Map(model.functions.map(({ name, physicalName }) => [physicalName, name]));
  const readFcmMeters = () => {
    const counted = createMeters();
    for (const [name, fcmRequests] of Object.entries(fcm.counts().byFunction))
      counted.add(nameOf.get(name) ?? name, { fcmRequests });
    return counted.read();
  };
  return {
    countUsage: meters.add,
    readMeters: async () => mergeReadings([meters.read(), (await dynamoDb.report()).meters, readFcmMeters()]),
    resetMeters: (): void => {
      meters.reset();
      dynamoDb.reset();
      fcm.resetCounts();
    },
    readGrants: async () => ({
      unused: [
        ...(await dynamoDb.report()).unusedGrants,
        ...["sqs", "secretsmanager", "ses", "sms-voice", "connect"].flatMap(policies.unusedGrants),
      ],
    }),
  };
};

/** Starts the stand-ins for AWS and for all receivers of messages. Returns the stand-ins with functions to set their faults. */
export const startStandIns = async (options: StandInOptions) => {
  const { model, feed } = options;
  const meters = createMeters();
  const policies = createPolicies(model.functions);
  const faults = v.parse(Faults, {});
  const onDenied: OnDenied = (functionName, message) => feed.add("problem", functionName || "local", message);

  const { fcm, webPush, hooks, slack } = await startMessageReceivers(options);
  const queues = createQueues(model.queues, meters);
  options.onClose(queues.close);
  const publish = createPublisher(model, { now: options.now, put: queues.put });
  const { smsEvents, mailEvents } = model;
  const publishSms = (body: string): void => publish(smsEvents?.topic, body);
  const mail = createMailService({
    origin: options.baseUrl,
    events:
      mailEvents === undefined
        ? undefined
        : { ...mailEvents, publish: (body: string) => publish(mailEvents.topic, body) },
    onMail: ({ to, subject }) => feed.add("good", "mail", `arrived at ${to}  ${subject}`),
  });
  const phone = createPhones({
    origin: options.baseUrl,
    now: options.now,
    calls: model.calls === undefined ? undefined : { ...model.calls, invoke: options.invokeForCall },
    smsEvents: smsEvents === undefined ? undefined : { ...smsEvents, publish: publishSms },
    onReply: publishSms,
    onMessage: ({ way, to, text }) => feed.add("good", way === "sms" ? "sms" : "call", `arrived at ${to}  ${text}`),
  });
  const services = {
    sqs: queues.service,
    secretsmanager: createSecretsService(createSecretReader(options)),
    ses: mail.service,
    "sms-voice": phone.sms,
    connect: phone.connect,
  };
  const faultNames: Record<string, keyof Faults> = {
    sqs: "sqs",
    secretsmanager: "secrets",
    ses: "mail",
    "sms-voice": "phone",
    connect: "phone",
  };
  const readFaultOfService = (service: string) => faults[faultNames[service] ?? "secrets"];
  options.awsServer.on("request", createAwsServer({ services, policies, onDenied, faultOf: readFaultOfService }));
  const dynamoDb = await openTable(options, onDenied);

  return {
    policies,
    queues,
    dynamoDb,
    fcm,
    webPush,
    hooks,
    mail,
    phone,
    slack,
    onDenied,
    ...collectMeters({ model, meters, policies, dynamoDb, fcm }),
    readFaults: () => faults,
    setFaults: (newFaults: Faults): void => {
      Object.assign(faults, newFaults);
      dynamoDb.setFault(faults.dynamodb);
      fcm.setMode(fcmModes[faults.fcm]);
      webPush.setMode(faults.webPush);
      feed.add("info", "local", `faults: ${JSON.stringify(faults)}`);
    },
  };
};
export type StandIns = Awaited<ReturnType<typeof startStandIns>>;
