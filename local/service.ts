import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createFront } from "./aws/front.ts";
import { createMeters, mergeReadings } from "./aws/meters.ts";
import { createPolicies } from "./aws/policies.ts";
import { secretsService } from "./aws/secrets.ts";
import { prepareDirectory, sessionFile, StartError } from "./checks.ts";
import { type Faults, startControl } from "./control.ts";
import { startDynamoDb } from "./dynamodb/process.ts";
import { fcmPreload, startFcm } from "./fcm/server.ts";
import { createFeed } from "./feed.ts";
import { createGateway, HEADERS_MAX_BYTES } from "./http/gateway.ts";
import { listen } from "./listen.ts";
import { environmentOf } from "./runtime/environment.ts";
import { createRuntime } from "./runtime/runtime.ts";
import { startSchedules } from "./schedules.ts";
import { openKeys } from "./sessions.ts";
import { startPoller } from "./sqs/poller.ts";
import { createQueues } from "./sqs/queues.ts";
import { readModel } from "./template/model.ts";
import { parseTemplate } from "./template/resolve.ts";

export type ServiceOptions = {
  dir: string;
  /** 0 takes a free one. */
  port: number;
  /** Gives the CloudFormation template. Asked for once the port and the directory are ours. */
  template: () => Promise<unknown>;
  /** Takes the lines for the terminal. */
  print?: (line: string) => void;
  /** Instead of the periods of the schedules in the template. */
  tickMs?: number | undefined;
  /** Called when a part of the service ends that it cannot do without. */
  onLost?: (reason: string) => void;
};

const failing = (kind: "reset" | "stall") => ({ send: [{ kind }], oauth: [{ kind }] });
const fcmModes = { up: {}, down: failing("reset"), hang: failing("stall") };

const isInUse = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EADDRINUSE";

/** Starts all parts in order; `close` takes them down in the opposite order. What was started is closed when one fails. */
export const startService = async (options: ServiceOptions) => {
  const { dir } = options;
  const closers: (() => Promise<unknown> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };

  try {
    await prepareDirectory(dir);
    // The port is held from here on; who comes too early waits for an answer.
    const serving = Promise.withResolvers<ReturnType<typeof createGateway>>();
    const apiServer = createServer({ maxHeaderSize: HEADERS_MAX_BYTES, keepAliveTimeout: 60_000 }, (...exchange) => {
      void serving.promise.then((serve) => serve(...exchange));
    });
    const api = await listen(apiServer, options.port).catch((error: unknown) => {
      if (!isInUse(error)) throw error;
      throw new StartError(`Port ${options.port} is in use; stop what listens there, or set PORT to another.`);
    });
    closers.push(api.close);
    const awsServer = createServer({ keepAliveTimeout: 60_000 });
    const aws = await listen(awsServer, 0);
    closers.push(aws.close);

    const feed = createFeed({ dir, print: options.print });
    closers.push(feed.close);
    const onProblem = (message: string) => feed.add("problem", "local", message);
    const onDenied = (functionName: string, message: string) => feed.add("problem", functionName || "local", message);

    const model = readModel(parseTemplate(await options.template()), { queues: aws.url, api: api.url });
    const keys = openKeys(dir);
    const serviceAccount = keys.fcmServiceAccount();
    const meters = createMeters();
    const policies = createPolicies(model.functions);
    const faults: Faults = { sqs: "up", dynamodb: "up", fcm: "up" };

    const fcm = await startFcm({
      onMessage: ({ token, message }) => {
        const title: unknown = message.notification?.["title"];
        feed.add("good", "push", `arrived at ${token}  ${typeof title === "string" ? title : ""}`);
      },
    });
    closers.push(fcm.close);

    const queues = await createQueues(model.queues, meters);
    closers.push(queues.close);
    awsServer.on(
      "request",
      createFront({
        services: {
          sqs: queues.service,
          secretsmanager: secretsService((arn) =>
            model.secrets.some((secret) => secret.arn === arn) ? serviceAccount : undefined,
          ),
        },
        policies,
        onDenied,
        faultOf: (service) => (service === "sqs" ? faults.sqs : "up"),
      }),
    );

    const dynamoDb = await startDynamoDb({
      path: join(dir, "dynamodb"),
      table: model.table,
      principals: model.functions.map(({ name, statements }) => ({
        name,
        statements: statements.map(({ Effect, Action, Resource }) => ({ Effect, Action, Resource })),
      })),
      onDenied,
      onLost: () => {
        onProblem("the process of DynamoDB has ended");
        options.onLost?.("the process of DynamoDB has ended");
      },
    }).catch((error: unknown) => {
      throw new StartError(
        `The table in ${dir} cannot be opened: ${error instanceof Error ? error.message : "unknown"}`,
      );
    });
    closers.push(dynamoDb.stop);

    const readsSecrets = (name: string) =>
      model.secrets.some(({ arn }) => policies.mayEver(name, "secretsmanager:GetSecretValue", arn));
    const runtime = createRuntime({
      functions: model.functions,
      environmentOf: (fn) => ({
        ...environmentOf(fn, { dynamodb: dynamoDb.url, aws: aws.url }),
        ...(readsSecrets(fn.name) ? fcm.preloadEnv : {}),
      }),
      preloadsOf: ({ name }) => (readsSecrets(name) ? [fcmPreload] : []),
      onLine: feed.addLine,
      onInvoked: (name) => meters.add(name, { invocations: 1 }),
    });
    closers.push(runtime.close);

    const pollers = model.consumers.map((consumer) =>
      startPoller({ consumer, sqs: queues.service, policies, runtime, fault: () => faults.sqs, onDenied }),
    );
    closers.push(() => pollers.forEach((poller) => poller.stop()));
    const schedules = startSchedules({ schedules: model.schedules, runtime, everyMs: options.tickMs, onProblem });
    closers.push(schedules.stop);

    const setFaults = (next: Faults): void => {
      Object.assign(faults, next);
      dynamoDb.setFault(faults.dynamodb);
      fcm.setMode(fcmModes[faults.fcm]);
      feed.add("info", "local", `faults: ${JSON.stringify(faults)}`);
    };

    const nameOf = new Map(model.functions.map(({ name, physicalName }) => [physicalName, name]));
    const readFcm = () =>
      Object.fromEntries(
        Object.entries(fcm.counts().byFunction).map(([name, fcmRequests]) => [
          nameOf.get(name) ?? name,
          { invocations: 0, writeUnits: 0, readUnits: 0, sqsRequests: 0, fcmRequests },
        ]),
      );

    const open = model.api.routes.filter(({ authorizer }) => authorizer === undefined);
    runtime.warm([...open, ...model.consumers].map(({ functionName }) => functionName));
    serving.resolve(createGateway({ api: model.api, keys: [keys.publicKey], runtime, onProblem }));
    return {
      model,
      feed,
      keys,
      dynamoDb,
      runtime,
      inboxUrl: fcm.inboxUrl,
      baseUrl: api.url,
      /** Serves the meters, the console and the other controls. */
      startControl: async (describe: () => { baseUrl: string; inboxUrl: string; curl: string }) => {
        const control = await startControl({
          feed,
          readMeters: async () => mergeReadings([meters.read(), (await dynamoDb.report()).meters, readFcm()]),
          resetMeters: () => {
            meters.reset();
            dynamoDb.reset();
            fcm.resetCounts();
          },
          readGrants: async () => ({
            unused: [
              ...(await dynamoDb.report()).unusedGrants,
              ...policies.unusedGrants("sqs"),
              ...policies.unusedGrants("secretsmanager"),
            ],
          }),
          readFaults: () => faults,
          setFaults,
          readQueues: queues.depths,
          tick: schedules.strikeAll,
          advanceClock: runtime.advanceClock,
          describe,
        });
        closers.push(control.close);
        return control;
      },
      close: async (): Promise<void> => {
        rmSync(sessionFile(dir), { force: true });
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
};
export type Service = Awaited<ReturnType<typeof startService>>;
