import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import * as v from "valibot";
import type { FunctionModel } from "../template/function-model.ts";
import { FromInstance, type Invocation, type Setting } from "./protocol.ts";

/** The result of an invocation. `payload`: JSON. `too_large`: the event is too large. `timeout`, `crash`: the instance ended. */
export type InvocationResult =
  | { kind: "ok"; payload: string }
  | { kind: "error" | "unloadable" | "too_large" | "timeout" | "crash"; message: string };

/** Lambda's limit for an event of a synchronous call, and for an answer, in bytes of JSON. */
export const REQUEST_MAX_BYTES = 6 * 1024 * 1024;
export const ANSWER_MAX_BYTES = REQUEST_MAX_BYTES + 100;
/** Lambda's former limit for an asynchronous event; since 2025, the limit is a megabyte. */
export const EVENT_MAX_BYTES = 256 * 1024;

export type RuntimeOptions = {
  functions: readonly FunctionModel[];
  environmentOf: (model: FunctionModel) => Record<string, string>;
  preloadsOf: (model: FunctionModel) => readonly string[];
  onLine: (functionName: string, line: string) => void;
  /** The runtime calls this function at the start of an invocation, and at the end with the processor time. */
  onUsed: (functionName: string, usage: { invocations: number } | { processorMs: number }) => void;
  maxInstances?: number;
  maxInstancesOfOne?: number;
  aheadMs?: number;
};

type QueuedCall = { invocation: Pick<Invocation, "requestId" | "event">; done: (result: InvocationResult) => void };
type RunningInvocation = QueuedCall & { timer: NodeJS.Timeout };
type Instance = {
  worker: Worker;
  state: "starting" | "idle" | "busy" | "gone";
  lastUsed: number;
  job: RunningInvocation | undefined;
};
type Pool = { model: FunctionModel; limit: number; instances: Set<Instance>; waiting: QueuedCall[]; growing: boolean };
type Fleet = {
  options: RuntimeOptions;
  maxInstances: number;
  pools: ReadonlyMap<string, Pool>;
  closed: boolean;
  aheadMs: number;
};

const instanceFile = new URL("instance.ts", import.meta.url);

/** A new instance takes time and a core, so it starts only if no existing instance is free after this time. */
const GROW_AFTER_MS = 40;

const discardInstance = (pool: Pool, instance: Instance): void => {
  instance.state = "gone";
  pool.instances.delete(instance);
  void instance.worker.terminate();
};

/** Returns whether another instance may start. At the maximum, stops the longest idle instance; false if no instance is idle. */
const makeRoomForInstance = ({ pools, maxInstances }: Fleet): boolean => {
  const owned = [...pools.values()].flatMap((pool) => [...pool.instances].map((instance) => ({ pool, instance })));
  if (owned.length < maxInstances) return true;
  const [oldest] = owned
    .filter(({ instance }) => instance.state === "idle")
    .sort((a, b) => a.instance.lastUsed - b.instance.lastUsed);
  if (oldest !== undefined) discardInstance(oldest.pool, oldest.instance);
  return oldest !== undefined;
};

const startWorkerThread = (model: FunctionModel, options: RuntimeOptions): Worker => {
  const setting: Setting = {
    file: join(model.codeDir, "index.js"),
    physicalName: model.physicalName,
    arn: model.arn,
    memoryMb: model.memoryMb,
  };
  const { NODE_OPTIONS = "", ...env } = options.environmentOf(model);
  const worker = new Worker(instanceFile, {
    workerData: setting,
    env,
    execArgv: [
      ...NODE_OPTIONS.split(" ").filter((option) => option !== ""),
      ...options.preloadsOf(model).flatMap((module) => ["--import", module]),
    ],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: model.memoryMb },
  });
  for (const stream of [worker.stdout, worker.stderr])
    createInterface(stream).on("line", (line) => options.onLine(model.name, line));
  return worker;
};

/** Returns the result of a function that answered `payload`; an error if the answer is longer than Lambda allows. */
const toInvocationResult = (payload: string): InvocationResult => {
  if (Buffer.byteLength(payload) <= ANSWER_MAX_BYTES) return { kind: "ok", payload };
  const message = `Response payload size exceeded maximum allowed payload size (${ANSWER_MAX_BYTES} bytes).`;
  return { kind: "error", message };
};

/** Starts an instance of a function, which then runs the function's waiting invocations. */
const startInstance = (fleet: Fleet, pool: Pool): void => {
  const worker = startWorkerThread(pool.model, fleet.options);
  const instance: Instance = { worker, state: "starting", lastUsed: performance.now(), job: undefined };
  pool.instances.add(instance);
  const endWithCrash = (message: string) => endInvocation(fleet, pool, instance, { kind: "crash", message });
  worker.on("message", (raw) => {
    const message = v.parse(FromInstance, raw);
    if (message.kind === "result" || message.kind === "error")
      fleet.options.onUsed(pool.model.name, { processorMs: message.processorMs });
    if (message.kind === "result") endInvocation(fleet, pool, instance, toInvocationResult(message.result));
    else if (message.kind !== "ready") endInvocation(fleet, pool, instance, message);
    else if (instance.state !== "gone") startNextInvocation(fleet, pool, instance);
  });
  worker.on("error", (error) => endWithCrash(error.stack ?? error.message));
  worker.on("exit", (code) => endWithCrash(`the instance's process exited with code ${code}`));
};

/** Ends the instance's invocation or, without one, the first waiting invocation. Discards an instance that cannot run again. */
const endInvocation = (fleet: Fleet, pool: Pool, instance: Instance, result: InvocationResult): void => {
  if (instance.state === "gone") return;
  if (result.kind !== "ok") {
    const problem = { level: "ERROR", code: `runtime.${result.kind}`, reason: result.message };
    fleet.options.onLine(pool.model.name, JSON.stringify(problem));
  }
  const { job } = instance;
  instance.job = undefined;
  clearTimeout(job?.timer);
  (job ?? pool.waiting.shift())?.done(result);
  if (result.kind === "ok" || result.kind === "error") {
    instance.lastUsed = performance.now();
    startNextInvocation(fleet, pool, instance);
    return;
  }
  discardInstance(pool, instance);
  for (const other of fleet.pools.values()) addInstanceIfNeeded(fleet, other);
};

/** Runs the function's first waiting invocation on the instance; if no invocation waits, the instance becomes idle. */
const startNextInvocation = (fleet: Fleet, pool: Pool, instance: Instance): void => {
  instance.state = "idle";
  const waiting = pool.waiting.shift();
  if (waiting === undefined) {
    for (const other of fleet.pools.values()) addInstanceIfNeeded(fleet, other);
    return;
  }
  const { timeoutMs, name } = pool.model;
  const timer = setTimeout(() => {
    const message = `Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`;
    endInvocation(fleet, pool, instance, { kind: "timeout", message });
  }, timeoutMs);
  instance.state = "busy";
  instance.job = { ...waiting, timer };
  fleet.options.onUsed(name, { invocations: 1 });
  const invocation: Invocation = { ...waiting.invocation, timeoutMs, aheadMs: fleet.aheadMs };
  instance.worker.postMessage(invocation);
  addInstanceIfNeeded(fleet, pool);
};

/** Starts another instance if invocations wait and no instance becomes free soon. */
const addInstanceIfNeeded = (fleet: Fleet, pool: Pool): void => {
  const { instances, waiting, limit } = pool;
  const isNewInstanceWanted = (): boolean => !fleet.closed && waiting.length > 0 && instances.size < limit;
  if (pool.growing || !isNewInstanceWanted() || [...instances].some(({ state }) => state === "starting")) return;
  if (instances.size === 0) {
    if (makeRoomForInstance(fleet)) startInstance(fleet, pool);
    return;
  }
  pool.growing = true;
  setTimeout(() => {
    pool.growing = false;
    if (isNewInstanceWanted() && makeRoomForInstance(fleet)) startInstance(fleet, pool);
  }, GROW_AFTER_MS);
};

const createFleet = (options: RuntimeOptions): Fleet => {
  const { maxInstances = 64, maxInstancesOfOne = Math.max(4, 2 * availableParallelism()), aheadMs = 0 } = options;
  const pools = options.functions.map((model): Pool => {
    const limit = Math.min(maxInstancesOfOne, model.reservedConcurrency ?? maxInstancesOfOne);
    return { model, limit, instances: new Set(), waiting: [], growing: false };
  });
  return {
    options,
    maxInstances,
    pools: new Map(pools.map((pool) => [pool.model.name, pool])),
    closed: false,
    aheadMs,
  };
};

/** Invokes a function on the next free instance. `maxBytes`: the maximum size of the event, lower for an asynchronous call. */
const invokeFunction = (
  fleet: Fleet,
  name: string,
  requestId: string,
  event: object,
  maxBytes: number = REQUEST_MAX_BYTES,
): Promise<InvocationResult> => {
  const pool = fleet.pools.get(name);
  if (pool === undefined || fleet.closed) {
    const message = fleet.closed ? "the service is stopping" : `no function ${name}`;
    return Promise.resolve({ kind: "crash", message });
  }
  const json = JSON.stringify(event);
  const bytes = Buffer.byteLength(json);
  if (bytes > maxBytes) {
    const message = `${bytes} bytes payload is too large for the Invoke operation (limit ${maxBytes} bytes)`;
    fleet.options.onLine(name, JSON.stringify({ level: "ERROR", code: "runtime.too_large", reason: message }));
    return Promise.resolve({ kind: "too_large", message });
  }
  return new Promise((done) => {
    pool.waiting.push({ invocation: { requestId, event: json }, done });
    const idle = [...pool.instances].find(({ state }) => state === "idle");
    if (idle === undefined) addInstanceIfNeeded(fleet, pool);
    else startNextInvocation(fleet, pool, idle);
  });
};

const closeFleet = async (fleet: Fleet): Promise<void> => {
  fleet.closed = true;
  const instances = [...fleet.pools.values()].flatMap((pool) => [...pool.instances]);
  for (const instance of instances) {
    instance.state = "gone";
    clearTimeout(instance.job?.timer);
  }
  await Promise.all(instances.map(({ worker }) => worker.terminate()));
};

/**
 * Creates the runtime of the functions. As on Lambda, an instance runs one invocation at a time, is killed at a timeout, and is
 * otherwise reused. If there are too many instances, the instances that were idle longest end.
 */
export const createRuntime = (options: RuntimeOptions) => {
  const fleet = createFleet(options);
  const { pools } = fleet;
  return {
    limitOf: (name: string): number => pools.get(name)?.limit ?? 0,
    invoke: (name: string, requestId: string, event: object, maxBytes?: number): Promise<InvocationResult> =>
      invokeFunction(fleet, name, requestId, event, maxBytes),
    /** Advances the clock of the functions, and returns how far the clock is ahead of the machine's clock, in milliseconds. */
    advanceClock: (ms: number): number => (fleet.aheadMs += ms),
    /** Returns the time on the functions' clock, in milliseconds. */
    now: (): number => Date.now() + fleet.aheadMs,
    warm: (names: readonly string[]): void => {
      for (const name of names) {
        const pool = pools.get(name);
        if (pool !== undefined && pool.instances.size === 0 && makeRoomForInstance(fleet)) startInstance(fleet, pool);
      }
    },
    close: (): Promise<void> => closeFleet(fleet),
  };
};
export type Runtime = ReturnType<typeof createRuntime>;
