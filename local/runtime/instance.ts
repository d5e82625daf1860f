/** An instance of a function in a worker: loads the bundle, then runs one invocation after the other. */
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import * as v from "valibot";
import { type FromInstance, Invocation, Setting } from "./protocol.ts";

const setting = v.parse(Setting, workerData);
const Bundle = v.object({ handler: v.function() });
const sendToRuntime = (message: FromInstance): void => parentPort?.postMessage(message);
const formatError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** How far the functions' clock is ahead of the machine's clock. Tests and demos advance this clock instead of waiting. */
let aheadMs = 0;
const realNow = Date.now;
Date.now = () => realNow() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [Date.now()] : given, made),
});

const createLambdaContext = ({ requestId }: Invocation, deadlineMs: number) => ({
  awsRequestId: requestId,
  callbackWaitsForEmptyEventLoop: true,
  functionName: setting.physicalName,
  functionVersion: "$LATEST",
  invokedFunctionArn: setting.arn,
  memoryLimitInMB: String(setting.memoryMb),
  logGroupName: setting.physicalName,
  logStreamName: requestId,
  getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
});

/** Returns the bundle's handler. If the bundle cannot be loaded, reports this to the runtime and returns undefined. */
const loadHandler = (): ((...given: unknown[]) => unknown) | undefined => {
  try {
    const bundle: unknown = createRequire(import.meta.url)(setting.file);
    return v.parse(Bundle, bundle).handler;
  } catch (error) {
    sendToRuntime({ kind: "unloadable", message: formatError(error) });
    return undefined;
  }
};

let measured = process.threadCpuUsage();
/** Returns the processor time since the last measurement. Time that the system reports late is part of the next measurement. */
const measureProcessorMs = (): number => {
  const { user, system } = process.threadCpuUsage(measured);
  measured = process.threadCpuUsage();
  return (user + system) / 1000;
};

const handler = loadHandler();
if (handler !== undefined) {
  parentPort?.on("message", (raw) => {
    const invocation = v.parse(Invocation, raw);
    ({ aheadMs } = invocation);
    const context = createLambdaContext(invocation, Date.now() + invocation.timeoutMs);
    const runHandler = async () => JSON.stringify((await handler(JSON.parse(invocation.event), context)) ?? null);
    runHandler().then(
      (result) => sendToRuntime({ kind: "result", result, processorMs: measureProcessorMs() }),
      (error: unknown) =>
        sendToRuntime({ kind: "error", message: formatError(error), processorMs: measureProcessorMs() }),
    );
  });
  measureProcessorMs();
  sendToRuntime({ kind: "ready" });
}
