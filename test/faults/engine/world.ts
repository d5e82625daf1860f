import type { Deps, Log, AuditDeps } from "../../../core/deps.ts";
import { toBase32Chars } from "../../../core/domain/basics/ids.ts";
import { sweepsKey } from "../../../core/store/keys.ts";
import { call as httpCall, findRouteKey, type Answer, type Call } from "../../world/http.ts";
import type { Message } from "../../../local/sqs/message.ts";
import { createTestQueues, queueNames, type QueueName } from "../../world/queues.ts";
import { createCalls, DEAD_SOCKETS_MS } from "./calls.ts";
import type { CallsContext, Outage } from "./calls-context.ts";
import { createDeps } from "./deps.ts";
import { createDue, MARKER_PARTITION } from "./due.ts";
import { createDynamo, TABLE_NAME, type Snapshot, type Write } from "./dynamo.ts";
import { createSlackStandIn } from "../../support/slack.ts";
import { createReceivers } from "./receivers.ts";
import { createFcm } from "./fcm.ts";
import { createHandler, timeoutSeconds, type FunctionName, type HttpFunction, type Worker } from "./functions.ts";
import { createRandom } from "../../../tools/random.ts";
import { createKernel, runInVirtualTime, running, type Invocation } from "./kernel.ts";
import { workers } from "../../../lib/workers.ts";
import type { createSweeper } from "../../../functions/sweeper.ts";
import type { Plan } from "./modes.ts";
import { connect, giveBackClients, takeClients, type Clients } from "./wire.ts";

/* Runs the functions' own handlers in virtual time, on a table, queues and an FCM stand-in in this process. */

export const START = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const CONCURRENCY = 4;
/** The second of two simultaneous sweeps starts this much later. */
const CONCURRENT_SWEEP_MS = 3;
/** Lambda may invoke the sweeper a second time for one timer event, this long after the first invocation. */
const LATE_SWEEP_MS = 45_000;

type Instance = {
  name: FunctionName;
  handler: unknown;
  /** Undefined until the instance's first call. */
  clients: Clients | undefined;
  invocation: Invocation | undefined;
  hasServed: boolean;
};

type End = { kind: "done"; value: unknown } | { kind: "failed"; error: unknown } | { kind: "dead" };

export type WorldOptions = {
  seed: number;
  plan: Plan;
  snapshot: Snapshot;
  start?: number;
  newId?: Deps["newId"];
  /** Sends commands through the SDK even without a fault: several times as slow. */
  throughSdk?: boolean;
  /** Allows as many concurrent invocations as the stack does, and records no calls. */
  large?: boolean;
  /** The number of concurrent invocations that the account allows; unlimited by default. */
  accountConcurrency?: number | undefined;
};

const workerOfQueue: Readonly<Record<QueueName, Worker>> = {
  events: "matcher",
  pushes: "sender",
  escalations: "escalator",
  webhooks: "webhook-sender",
  inbound: "inbound",
};
const VISIBILITY_FACTOR = 6;

const ID_BYTES = 10;
const createRandomIds = (seed: number): Deps["newId"] => {
  const ids = createRandom(seed * 7919 + 13);
  return (prefix) => `${prefix}_${toBase32Chars(Uint8Array.from({ length: ID_BYTES }, () => Math.floor(ids() * 256)))}`;
};

/** A sweep that begins has the function's whole time limit left. */
const wholeTime = { getRemainingTimeInMillis: () => timeoutSeconds("sweeper") * 1000 };

export const createWorld = (options: WorldOptions) => {
  const {
    seed,
    plan,
    snapshot,
    start = START,
    newId = createRandomIds(seed),
    throughSdk = false,
    large = false,
  } = options;
  const { accountConcurrency = Infinity } = options;
  const kernel = createKernel(start);
  const random = createRandom(seed);
  const jitter = createRandom(seed * 31 + 7);
  const seen = new Set<string>();
  const writeListeners: ((write: Write) => void)[] = [];
  const logs: { code: string; error?: unknown }[] = [];
  const instances: Instance[] = [];
  const outage: Outage = {
    dynamodb: false,
    sqs: false,
    fcm: false,
    silent: false,
    contactsSilent: false,
    secrets: undefined,
  };
  let invocations = 0;
  let disturbedUntil = start;
  let audits = false;
  let sweepersAtOnce = 1;
  let isAtLimit = false;
  const brokenFunctions = new Set<FunctionName>();

  let markersMoved = true;
  const heads = new Set([...snapshot.keys()].filter((pk) => MARKER_PARTITION.test(pk)));
  const dynamo = createDynamo(
    snapshot,
    (write) => {
      if (MARKER_PARTITION.test(write.pk)) heads.add(write.pk);
      if (MARKER_PARTITION.test(write.pk) || write.pk === "WATCHES" || write.sk === "TRAIL") markersMoved = true;
      for (const listener of writeListeners) listener(write);
    },
    kernel.now,
  );
  const fcm = createFcm();
  const receivers = createReceivers();
  const slack = createSlackStandIn(() => kernel.now());
  const sent: CallsContext["sent"] = [];
  const allSent: Record<QueueName, Message[]> = { events: [], pushes: [], escalations: [], webhooks: [], inbound: [] };
  const visibilityTimeoutOf = (name: QueueName) => timeoutSeconds(workerOfQueue[name]) * VISIBILITY_FACTOR;
  const { sqs, queues } = createTestQueues(kernel.now, {
    visibilitySeconds: {
      events: visibilityTimeoutOf("events"),
      pushes: visibilityTimeoutOf("pushes"),
      escalations: visibilityTimeoutOf("escalations"),
      webhooks: visibilityTimeoutOf("webhooks"),
      inbound: visibilityTimeoutOf("inbound"),
    },
    wake: (name, at) => {
      kernel.at(at, () => poll(name));
    },
    sent: (queue, message) => {
      sent.push({ queue, message });
      allSent[queue].push(message);
    },
  });
  const ends = new Map<Invocation, (end: End) => void>();

  const extendDisturbance = (until: number) => {
    disturbedUntil = Math.max(disturbedUntil, until);
  };
  const killInvocation = (invocation: Invocation) => {
    if (invocation.state !== "running") return;
    invocation.state = "dead";
    extendDisturbance(kernel.now());
    ends.get(invocation)?.({ kind: "dead" });
  };
  const calls = createCalls({
    kernel,
    random,
    dynamo,
    sqs,
    queues,
    sent,
    fcm,
    receivers,
    slack,
    plan,
    isRecorded: !large,
    outage,
    killInvocation,
    extendDisturbance,
    markSeen: (what) => seen.add(what),
  });

  const log: Log = {
    info: (code) => logs.push({ code }),
    warn: (code) => logs.push({ code }),
    error: (code, error) => logs.push({ code, error }),
    metric: () => {},
  };

  const depsOf = createDeps({ kernel, calls, dynamo, outage, log, throughSdk, newId, random: jitter });

  const taken: Clients[] = [];
  const takeOneClients = (): Clients => {
    const clients = takeClients();
    taken.push(clients);
    return clients;
  };
  let outside: Clients | undefined;
  /** Dependencies without faults or delays, for setup and checks. */
  const faultlessDeps = depsOf(() => (outside ??= takeOneClients()));

  const instanceOf = (name: FunctionName): Instance => {
    const idle = instances.find((instance) => instance.name === name && instance.invocation === undefined);
    if (idle !== undefined) return idle;
    const created: Instance = {
      name,
      handler: undefined,
      clients: undefined,
      invocation: undefined,
      hasServed: false,
    };
    created.handler = createHandler(
      name,
      depsOf(() => (created.clients ??= takeOneClients())),
    );
    instances.push(created);
    return created;
  };

  /** Invokes a function; a crash or a timeout also ends the function's instance. */
  const invoke = (name: FunctionName, work: (handler: unknown) => Promise<unknown>): Promise<End> => {
    if (brokenFunctions.has(name)) return Promise.resolve({ kind: "dead" });
    const instance = instanceOf(name);
    invocations += 1;
    const invocation: Invocation = {
      id: invocations,
      fn: name,
      state: "running",
      skewMs: 0,
      isFaulted: false,
      deadSocketsUntil: -1,
      effects: 0,
    };
    if (instance.hasServed && calls.startInvocation("wake", name) === "dead-sockets")
      invocation.deadSocketsUntil = kernel.now() + DEAD_SOCKETS_MS;
    instance.hasServed = true;
    instance.invocation = invocation;
    const timeout = kernel.at(kernel.now() + timeoutSeconds(name) * 1000, () => {
      seen.add("an invocation timed out");
      killInvocation(invocation);
    });
    return new Promise((resolve) => {
      const endInvocation = (result: End) => {
        timeout();
        ends.delete(invocation);
        if (invocation.state === "dead") instances.splice(instances.indexOf(instance), 1);
        else invocation.state = "ended";
        instance.invocation = undefined;
        resolve(result);
      };
      ends.set(invocation, endInvocation);
      running
        .run(invocation, async () => work(instance.handler))
        .then(
          (value) => {
            if (invocation.state === "running") endInvocation({ kind: "done", value });
          },
          (error: unknown) => {
            if (invocation.state === "running") endInvocation({ kind: "failed", error });
          },
        );
    });
  };

  const countRunning = (name: FunctionName) =>
    instances.filter((instance) => instance.name === name && instance.invocation !== undefined).length;

  const isThrottled = (): boolean => {
    if (instances.filter(({ invocation }) => invocation !== undefined).length < accountConcurrency) return false;
    seen.add("the account's concurrency limit refused an invocation");
    return true;
  };

  type Handler = (
    event: unknown,
    context: typeof wholeTime,
  ) => Promise<{ batchItemFailures: { itemIdentifier: string }[] }>;

  const poll = (name: QueueName): void => {
    const worker = workerOfQueue[name];
    if (isAtLimit) return;
    const atOnce = large ? (workers.find(({ entry }) => entry === worker)?.maxConcurrency ?? 0) : CONCURRENCY;
    while (countRunning(worker) < atOnce) {
      const batch = queues[name].batch();
      if (batch === undefined) return;
      if (isThrottled()) {
        // The function is throttled, so the batch comes again after its visibility timeout.
        extendDisturbance(kernel.now() + visibilityTimeoutOf(name) * 1000);
        return;
      }
      const endsAt = kernel.now() + timeoutSeconds(worker) * 1000;
      const context = { getRemainingTimeInMillis: () => Math.max(0, endsAt - kernel.now()) };
      void invoke(worker, (handler) => (handler as Handler)(batch, context)).then((end) => {
        if (end.kind === "done") {
          const answer = end.value as Awaited<ReturnType<Handler>>;
          const failed = answer.batchItemFailures.length;
          if (failed > 0 && failed < batch.Records.length) seen.add("a batch failed in part");
          queues[name].settle(batch, answer);
        }
        poll(name);
      });
    }
  };

  const sweepOnce = async (isSecond: boolean): Promise<void> => {
    if (countRunning("sweeper") > 0) seen.add("two sweeps ran concurrently");
    let done = 0;
    const end = await invoke("sweeper", async (handler) => {
      const invocation = running.getStore();
      await (handler as ReturnType<typeof createSweeper>)(undefined, wholeTime);
      done = invocation?.effects ?? 0;
    });
    // A second sweep that finds nothing to do has one effect at most: it records when it began.
    if (isSecond && end.kind === "done" && done <= 1) seen.add("a second sweep found nothing to do");
  };

  /** Starts one sweep, two or none, as EventBridge and Lambda may do for one tick. */
  const sweep = () => {
    const mode = calls.startInvocation("round", "sweeper");
    if (mode === "skipped" || isThrottled()) {
      extendDisturbance(kernel.now() + MINUTE_MS);
      return;
    }
    void sweepOnce(false);
    const again = mode === "duplicate" ? CONCURRENT_SWEEP_MS : mode === "late-duplicate" ? LATE_SWEEP_MS : undefined;
    if (again !== undefined) kernel.at(kernel.now() + again, () => void sweepOnce(true));
  };

  /** Records the minutes of sweeps that find nothing, which are not run. */
  const recordSkippedSweeps = (until: number): void => {
    const Item = dynamo.get(sweepsKey);
    if (Item !== undefined && Number(Item["at"]?.N) < until)
      dynamo.perform("PutItem", { TableName: TABLE_NAME, Item: { ...Item, at: { N: String(until) } } });
  };

  const nextDue = createDue({ kernel, dynamo, heads });
  let sweptAt = Math.floor(start / MINUTE_MS) * MINUTE_MS;
  let due: number | undefined;
  const nextTick = (): number | undefined => {
    if (markersMoved) due = nextDue(audits);
    markersMoved = false;
    if (due === undefined) return undefined;
    return Math.max(sweptAt + MINUTE_MS, Math.ceil(Math.max(due, kernel.now()) / MINUTE_MS) * MINUTE_MS);
  };

  /** Returns whether no event of the kernel was left. */
  const run = (until: number, isOver = () => false): Promise<boolean> =>
    runInVirtualTime(kernel, random, async () => {
      connect(calls);
      try {
        while (!isOver()) {
          const event = kernel.peek();
          const tick = nextTick();
          const next = Math.min(event ?? Infinity, tick ?? Infinity);
          if (next === Infinity) return true;
          if (next > until) {
            kernel.jump(until);
            return false;
          }
          if (tick !== undefined && tick <= next) {
            if (tick - sweptAt > MINUTE_MS && !outage.dynamodb) recordSkippedSweeps(tick - MINUTE_MS);
            sweptAt = tick;
            if (sweepersAtOnce > 0) kernel.at(tick, sweep);
            for (let index = 1; index < sweepersAtOnce; index += 1)
              kernel.at(tick + index * CONCURRENT_SWEEP_MS, () => void sweepOnce(true));
          }
          await kernel.step();
        }
        return false;
      } finally {
        connect(undefined);
      }
    });

  const http = async <Body = Record<string, unknown>>(name: HttpFunction, request: Call): Promise<Answer<Body>> => {
    const routed = { ...request, routeKey: findRouteKey(name) };
    const end = await invoke(name, (handler) => httpCall<Body>(handler as Parameters<typeof httpCall>[0], routed));
    if (end.kind === "done") return end.value as Answer<Body>;
    return { status: end.kind === "dead" ? 502 : 500, headers: {}, body: {} as Body };
  };

  return {
    kernel,
    dynamo,
    queues,
    sent: allSent,
    fcm,
    receivers,
    slack: slack.workspace,
    calls,
    logs,
    seen,
    outage,
    faultlessDeps,
    http,
    invoke,
    extendDisturbance: extendDisturbance,
    run,
    runDuring: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const over = Promise.withResolvers<Result>();
      let isOver = false;
      kernel.at(kernel.now(), () => {
        const endRun = () => {
          isOver = true;
        };
        work().finally(endRun).then(over.resolve, over.reject);
      });
      await run(Infinity, () => isOver);
      return over.promise;
    },
    /** Reads and writes outside of virtual time and faults. */
    outside: <Result>(work: (deps: Deps & AuditDeps) => Promise<Result>): Promise<Result> =>
      runInVirtualTime(kernel, random, async () => {
        connect(calls);
        try {
          return await work(faultlessDeps);
        } finally {
          connect(undefined);
        }
      }),
    onWrite: (listener: (write: Write) => void) => {
      writeListeners.push(listener);
    },
    disturbedUntil: () => disturbedUntil,
    /** Functions of which every invocation dies. */
    brokenFunctions,
    /** Sets how many sweeps run at the same time. */
    setConcurrentSweeps: (atOnce: number) => {
      sweepersAtOnce = atOnce;
    },
    /** With `on`, Lambda starts no workers, because the account's concurrency limit is reached. */
    setWorkersBlocked: (on: boolean) => {
      isAtLimit = on;
      for (const name of queueNames) poll(name);
    },
    setAuditsOn: (on = true) => {
      audits = on;
      markersMoved = true;
    },
    close: () => giveBackClients(taken),
  };
};
export type World = ReturnType<typeof createWorld>;
