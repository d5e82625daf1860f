import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import * as v from "valibot";
import type { FunctionModel } from "../template/model.ts";
import { FromInstance, type Invocation, type Setting } from "./protocol.ts";

/** How an invocation ended. `payload` is JSON; `timeout` and `crash` have killed the instance. */
export type InvocationResult =
  | { kind: "ok"; payload: string }
  | { kind: "error" | "unloadable" | "timeout" | "crash"; message: string };

export type RuntimeOptions = {
  functions: readonly FunctionModel[];
  environmentOf: (model: FunctionModel) => Record<string, string>;
  /** Modules for Node's `--import` in the instances of a function. */
  preloadsOf: (model: FunctionModel) => readonly string[];
  onLine: (functionName: string, line: string) => void;
  onInvoked: (functionName: string) => void;
  /** Instances of all functions together, and of one. */
  maxInstances?: number;
  maxInstancesOfOne?: number;
};

type Waiting = { invocation: Pick<Invocation, "requestId" | "event">; done: (result: InvocationResult) => void };
type Instance = {
  worker: Worker;
  state: "starting" | "idle" | "busy" | "gone";
  lastUsed: number;
  job: Job | undefined;
};
type Job = Waiting & { timer: NodeJS.Timeout };
type Pool = { model: FunctionModel; limit: number; instances: Set<Instance>; waiting: Waiting[]; growing: boolean };

const instanceFile = new URL("instance.ts", import.meta.url);

/** A new instance takes a while and a core: those that are there get this long to become free first. */
const GROW_AFTER_MS = 40;

/**
 * Runs the functions as Lambda does: an instance is made when one is needed, handles one invocation at a time, is killed
 * when that takes too long, and is kept for the next. Those that were idle longest make room when there are too many.
 */
export const createRuntime = (options: RuntimeOptions) => {
  const { maxInstances = 64, maxInstancesOfOne = Math.max(4, 2 * availableParallelism()) } = options;
  const pools = new Map<string, Pool>(
    options.functions.map((model) => [
      model.name,
      {
        model,
        limit: Math.min(maxInstancesOfOne, model.reservedConcurrency ?? maxInstancesOfOne),
        instances: new Set(),
        waiting: [],
        growing: false,
      },
    ]),
  );
  let closed = false;
  let aheadMs = 0;

  const all = (): Instance[] => [...pools.values()].flatMap(({ instances }) => [...instances]);

  const discard = (pool: Pool, instance: Instance): void => {
    instance.state = "gone";
    pool.instances.delete(instance);
    void instance.worker.terminate();
  };

  const makeRoom = (): boolean => {
    if (all().length < maxInstances) return true;
    const owners = [...pools.values()].flatMap((pool) => [...pool.instances].map((instance) => ({ pool, instance })));
    const [oldest] = owners
      .filter(({ instance }) => instance.state === "idle")
      .sort((a, b) => a.instance.lastUsed - b.instance.lastUsed);
    if (oldest !== undefined) discard(oldest.pool, oldest.instance);
    return oldest !== undefined;
  };

  const finish = (pool: Pool, instance: Instance, result: InvocationResult): void => {
    const { job } = instance;
    if (job !== undefined) {
      clearTimeout(job.timer);
      instance.job = undefined;
      job.done(result);
    }
    if (result.kind === "ok" || result.kind === "error") {
      instance.state = "idle";
      instance.lastUsed = performance.now();
      next(pool, instance);
    } else {
      discard(pool, instance);
      for (const other of pools.values()) grow(other);
    }
  };

  /** What becomes of a worker that could not load its bundle, threw outside of a handler, or ended itself. */
  const fail = (pool: Pool, instance: Instance, kind: "unloadable" | "crash", message: string): void => {
    if (instance.state === "gone") return;
    options.onLine(pool.model.name, JSON.stringify({ level: "ERROR", code: `runtime.${kind}`, reason: message }));
    if (instance.job === undefined) {
      discard(pool, instance);
      pool.waiting.shift()?.done({ kind, message });
      grow(pool);
    } else finish(pool, instance, { kind, message });
  };

  const next = (pool: Pool, instance: Instance): void => {
    const waiting = pool.waiting.shift();
    if (waiting === undefined) {
      for (const other of pools.values()) if (other.waiting.length > 0) grow(other);
      return;
    }
    const { timeoutMs } = pool.model;
    const timer = setTimeout(() => {
      const message = `Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`;
      options.onLine(pool.model.name, JSON.stringify({ level: "ERROR", code: "runtime.timeout", reason: message }));
      finish(pool, instance, { kind: "timeout", message });
    }, timeoutMs);
    instance.state = "busy";
    instance.job = { ...waiting, timer };
    options.onInvoked(pool.model.name);
    const invocation: Invocation = { ...waiting.invocation, timeoutMs, aheadMs };
    instance.worker.postMessage(invocation);
    grow(pool);
  };

  const startInstance = (pool: Pool): void => {
    const { model } = pool;
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
    const instance: Instance = { worker, state: "starting", lastUsed: performance.now(), job: undefined };
    pool.instances.add(instance);
    for (const stream of [worker.stdout, worker.stderr])
      createInterface(stream).on("line", (line) => options.onLine(model.name, line));
    worker.on("message", (raw) => {
      const message = v.parse(FromInstance, raw);
      if (instance.state === "gone") return;
      switch (message.kind) {
        case "ready":
          instance.state = "idle";
          next(pool, instance);
          return;
        case "unloadable":
          fail(pool, instance, "unloadable", message.message);
          return;
        case "result":
          finish(pool, instance, { kind: "ok", payload: message.result });
          return;
        case "error":
          options.onLine(
            model.name,
            JSON.stringify({ level: "ERROR", code: "runtime.error", reason: message.message }),
          );
          finish(pool, instance, { kind: "error", message: message.message });
      }
    });
    worker.on("error", (error) => fail(pool, instance, "crash", error.stack ?? error.message));
    worker.on("exit", (code) => fail(pool, instance, "crash", `the instance ended itself with code ${code}`));
  };

  const grow = (pool: Pool): void => {
    if (closed || pool.growing || pool.waiting.length === 0) return;
    const { instances } = pool;
    if ([...instances].some(({ state }) => state === "starting") || instances.size >= pool.limit) return;
    if (instances.size === 0) {
      if (makeRoom()) startInstance(pool);
      return;
    }
    pool.growing = true;
    setTimeout(() => {
      pool.growing = false;
      if (closed || pool.waiting.length === 0 || instances.size >= pool.limit) return;
      if (makeRoom()) startInstance(pool);
    }, GROW_AFTER_MS);
  };

  return {
    /** Invocations of one function that can run at the same time. */
    limitOf: (name: string): number => pools.get(name)?.limit ?? 0,
    invoke: (name: string, requestId: string, event: object): Promise<InvocationResult> => {
      const pool = pools.get(name);
      if (pool === undefined || closed)
        return Promise.resolve({ kind: "crash", message: closed ? "the service is stopping" : `no function ${name}` });
      return new Promise((done) => {
        pool.waiting.push({ invocation: { requestId, event: JSON.stringify(event) }, done });
        const idle = [...pool.instances].find(({ state }) => state === "idle");
        if (idle === undefined) grow(pool);
        else next(pool, idle);
      });
    },
    /** Moves the functions' clock ahead for good; gives how far it is ahead of this machine's. */
    advanceClock: (ms: number): number => {
      aheadMs += ms;
      return aheadMs;
    },
    /** What the functions take for the time, in milliseconds. */
    now: (): number => Date.now() + aheadMs,
    /** Makes an instance of each ahead of its first invocation. */
    warm: (names: readonly string[]): void => {
      for (const name of names) {
        const pool = pools.get(name);
        if (pool !== undefined && pool.instances.size === 0 && makeRoom()) startInstance(pool);
      }
    },
    /** Ends all instances, also those that are at work. */
    close: async (): Promise<void> => {
      closed = true;
      const instances = all();
      for (const pool of pools.values())
        for (const instance of pool.instances) {
          instance.state = "gone";
          clearTimeout(instance.job?.timer);
        }
      await Promise.all(instances.map(({ worker }) => worker.terminate()));
    },
  };
};
export type Runtime = ReturnType<typeof createRuntime>;
