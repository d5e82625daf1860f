import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { SECOND_MS } from "../core/domain/basics/units.ts";
import { env } from "../core/wiring.ts";
import { createClock, readAheadMs } from "./clock.ts";
import { prepareDirectory, sessionFilePath, StartError } from "./checks.ts";
import { startControl } from "./control.ts";
import { fcmPreload } from "./fcm/server.ts";
import { createFeed, type Feed } from "./feed.ts";
import { createGateway, HEADERS_MAX_BYTES } from "./http/gateway.ts";
import { listenLocally } from "./listen.ts";
import { createFunctionEnvironment } from "./runtime/environment.ts";
import { createRuntime } from "./runtime/runtime.ts";
import { startSchedules } from "./schedules.ts";
import { type Keys, openSessionKeys } from "./sessions.ts";
import { createSignInWithProvider } from "./sign-in/open.ts";
import { startPoller } from "./sqs/poller.ts";
import { type StandIns, startStandIns } from "./stand-ins.ts";
import { type Model, readModel } from "./template/model.ts";
import { parseTemplate, type SecretOf } from "./template/resolve.ts";

export type ServiceOptions = {
  dir: string;
  port: number;
  /** Returns the template. The service calls this function when the port and the directory are reserved. */
  template: () => Promise<unknown>;
  print: (line: string) => void;
  /** Whether the local push service also gets the pushes for browsers' real push services. */
  nothingLeaves: boolean;
  /** How often each EventBridge schedule invokes its function, in ms. By default, as often as the template says. */
  tickMs: number | undefined;
  /** The service calls this function if a part that the service needs has ended. */
  onLost: (reason: string) => void;
};

/** A path of the API, so that the console can link to it without knowing the port. */
const WORKBENCH = "/workbench";

const isPortInUse = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE";

/** Creates the runtime of the functions. Only functions that may read FCM's secret are redirected to FCM's stand-in. */
const createFunctions = (
  model: Model,
  standIns: StandIns,
  { awsUrl, nothingLeaves, aheadMs }: { awsUrl: string; nothingLeaves: boolean; aheadMs: number },
  feed: Feed,
) => {
  const { policies, dynamoDb, fcm, webPush, hooks, slack } = standIns;
  const mayReadSecrets = (name: string) =>
    model.secrets.some(({ arn }) => policies.mayEver(name, "secretsmanager:GetSecretValue", arn));
  return createRuntime({
    functions: model.functions,
    environmentOf: (fn) => ({
      ...createFunctionEnvironment(fn, { dynamodb: dynamoDb.url, aws: awsUrl }),
      [env.pushStandIn]: webPush.endpointPrefix,
      [env.webhookStandIn]: hooks.prefix,
      [env.teamsStandIn]: hooks.prefix,
      [env.slackStandIn]: slack.apiUrl,
      [env.pushStandInTakesAll]: String(nothingLeaves),
      ...(mayReadSecrets(fn.name) ? fcm.preloadEnv : {}),
    }),
    preloadsOf: ({ name }) => (mayReadSecrets(name) ? [fcmPreload] : []),
    onLine: feed.addLine,
    onUsed: standIns.countUsage,
    aheadMs,
  });
};

/** Opens the API's port before the service is ready. Requests wait until `serve` gets their listener. */
const openApiPort = async (port: number) => {
  let workbenchUrl: string | undefined;
  const serving = Promise.withResolvers<RequestListener>();
  const server = createServer({ maxHeaderSize: HEADERS_MAX_BYTES }, (request, response) => {
    if (request.url === WORKBENCH && workbenchUrl !== undefined)
      response.writeHead(302, { location: workbenchUrl, "cache-control": "no-store" }).end();
    else void serving.promise.then((serve) => serve(request, response));
  });
  const { url, close } = await listenLocally(server, port).catch((error: unknown) => {
    if (!isPortInUse(error)) throw error;
    throw new StartError(`Port ${port} is in use; stop the program that listens there, or set PORT to another port.`);
  });
  const setWorkbenchUrl = (shownUrl: string): void => {
    workbenchUrl = shownUrl;
  };
  return { url, close, serve: serving.resolve, setWorkbenchUrl };
};

type Runtime = ReturnType<typeof createFunctions>;

/** Starts to poll queues and to run schedules. Returns functions: to stop polls and schedules, and to run schedules. */
const startPollersAndSchedules = (
  model: Model,
  { queues, policies, readFaults, onDenied }: StandIns,
  runtime: Runtime,
  { everyMs, onProblem }: { everyMs: number | undefined; onProblem: (message: string) => void },
) => {
  const readSqsFault = () => readFaults().sqs;
  const pollers = model.consumers.map((consumer) =>
    startPoller({ consumer, sqs: queues.service, policies, runtime, fault: readSqsFault, onDenied }),
  );
  const schedules = startSchedules({ schedules: model.schedules, runtime, everyMs, onProblem });
  const stopWorkers = (): void => {
    schedules.stop();
    for (const poller of pollers) poller.stop();
  };
  return { stop: stopWorkers, strikeAll: schedules.strikeAll };
};

/** Invokes a function for a call; returns its answer. Throws if the invocation is forbidden or fails; the flow handles errors. */
const invokeForCall = async (model: Model, runtime: Runtime, functionArn: string, event: object): Promise<unknown> => {
  const name = model.calls?.functionOf(functionArn);
  if (name === undefined) throw new Error(`Connect may not call ${functionArn}`);
  const result = await runtime.invoke(name, randomUUID(), event);
  if (result.kind !== "ok") throw new Error(result.message);
  return JSON.parse(result.payload);
};

/** Returns a function that returns the secret for single sign-on; undefined for other secrets, which a deployment creates. */
const createInitialSecretReader =
  (keys: Keys): SecretOf =>
  (name) =>
    name.endsWith("/single-sign-on") ? keys.clientSecretOf(name) : undefined;

/** Starts in advance the instances that the first event needs. */
const startInstances = (model: Model, runtime: Runtime): void => {
  const open = model.api.routes.filter(({ authorizer }) => authorizer === undefined);
  runtime.warm([...new Set([...open, ...model.consumers].map(({ functionName }) => functionName))]);
};

/** Starts the local service. `close` stops the service's parts. If a part does not start, stops the other parts. */
export const startService = async ({ dir, port, template, print, nothingLeaves, tickMs, onLost }: ServiceOptions) => {
  const closers: (() => Promise<unknown> | void)[] = [];
  const addCloser = (closer: () => Promise<unknown> | void) => closers.push(closer);
  const closeAll = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  const openServer = async (server: Server) => {
    const { url, close: end } = await listenLocally(server, 0);
    addCloser(end);
    return url;
  };

  try {
    await prepareDirectory(dir);
    const api = await openApiPort(port);
    addCloser(api.close);
    const [awsServer, signInServer] = [createServer(), createServer()];
    const [awsUrl, signInUrl] = [await openServer(awsServer), await openServer(signInServer)];
    const feed = createFeed({ dir, print });
    addCloser(feed.close);
    const onProblem = (message: string) => feed.add("problem", "local", message);

    const keys = openSessionKeys(dir);
    const urls = { queues: awsUrl, api: api.url, signIn: signInUrl };
    const model = readModel(parseTemplate(await template()), urls, createInitialSecretReader(keys));
    const readSsoFault = () => standIns.readFaults().sso;
    const pool = await createSignInWithProvider({ model, keys, signInUrl, open: openServer, faultOf: readSsoFault });
    signInServer.on("request", pool.serve);
    const secrets = {
      [env.fcmSecret]: keys.fcmServiceAccount(),
      [env.vapidSecret]: keys.vapidKeys,
      [env.receiptSecret]: keys.receiptKeys,
      [env.webhookSecret]: keys.webhookKey,
      [env.slackSecret]: keys.slackApps,
    };
    const now = () => runtime.now();
    const baseUrl = api.url;
    const standIns = await startStandIns({
      dir,
      model,
      feed,
      awsServer,
      secrets,
      secretsMadeAt: keys.madeAt,
      slackApps: keys.slackApps,
      baseUrl,
      now,
      invokeForCall: (arn, event) => invokeForCall(model, runtime, arn, event),
      onClose: addCloser,
      onLost,
    });
    const { dynamoDb, fcm, webPush, hooks, mail, phone, slack, queues } = standIns;

    const aheadMs = readAheadMs(dir);
    if (aheadMs > 0) print(`The functions' clock is ${aheadMs / SECOND_MS} s ahead, as POST /clock has set it.`);
    const runtime = createFunctions(model, standIns, { awsUrl, nothingLeaves, aheadMs }, feed);
    addCloser(runtime.close);
    const workers = startPollersAndSchedules(model, standIns, runtime, { everyMs: tickMs, onProblem });
    addCloser(workers.stop);
    const clock = createClock(runtime, { dir, name: model.table.name, endpoint: dynamoDb.url });
    addCloser(clock.close);
    startInstances(model, runtime);
    const gateway = createGateway({ api: model.api, keys: [keys.publicKey], runtime, onProblem });
    api.serve((...exchange) => {
      if (![webPush, hooks, mail, phone, slack].some((one) => one.serve(...exchange))) gateway(...exchange);
    });
    return {
      model,
      keys,
      dynamoDb,
      inboxUrl: fcm.inboxUrl,
      webPush: { endpointPrefix: webPush.endpointPrefix, inboxUrl: webPush.inboxUrl },
      hooks: { inboxUrl: hooks.inboxUrl },
      mail: { inboxUrl: mail.inboxUrl },
      phone: { inboxUrl: phone.inboxUrl },
      slack: { inboxUrl: slack.inboxUrl },
      baseUrl,
      signInUrl,
      sso: pool.sso,
      setPeople: pool.setPeople,
      startControl: async (describe: () => { baseUrl: string; inboxUrl: string; curl: string }) => {
        const { strikeAll: tick } = workers;
        const readQueues = queues.depths;
        const control = await startControl({
          ...standIns,
          feed,
          readQueues,
          tick,
          advanceClock: clock.advance,
          describe,
        });
        addCloser(control.close);
        api.setWorkbenchUrl(`${control.url}/`);
        return control;
      },
      close: async (): Promise<void> => {
        rmSync(sessionFilePath(dir), { force: true });
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
};
export type Service = Awaited<ReturnType<typeof startService>>;
