import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, createHmac, webcrypto } from "node:crypto";
import TinyQueue from "tinyqueue";

/*
 * Runs handlers in virtual time. Everything that waits (timers, answers, messages not yet visible) is an event of the kernel.
 * The clock jumps from event to event. Before each event, every promise that can run has run. A seed determines the whole run.
 */

export type Invocation = {
  id: number;
  fn: string;
  state: "running" | "ended" | "dead";
  isFaulted: boolean;
  /** The deviation of this instance's clock, in milliseconds. */
  skewMs: number;
  /** The time until which the instance's calls use sockets that died while it was frozen. */
  deadSocketsUntil: number;
  effects: number;
};

/** The invocation that the running code belongs to; undefined for clients, setup and checks. */
export const running = new AsyncLocalStorage<Invocation>();

export type Kernel = {
  now: () => number;
  /** Calls `run` at the given time, or at once if that time is past; the returned function cancels the call. */
  at: (time: number, run: () => void) => () => void;
  sleep: (ms: number) => Promise<void>;
  peek: () => number | undefined;
  /** Runs the next event of the kernel, and all work that the event causes at the same time. */
  step: () => Promise<void>;
  /** Moves the clock. `time`: a time before the next event. */
  jump: (time: number) => void;
};

const immediate = globalThis.setImmediate;
/** Waits until nothing can run without a new event. */
const drain = (): Promise<void> =>
  new Promise((resolve) => {
    immediate(resolve);
  });

type Event = { time: number; order: number; run: () => void; cancelled: boolean };

export const createKernel = (start: number): Kernel => {
  let time = start;
  let order = 0;
  const events = new TinyQueue<Event>([], (one, other) => one.time - other.time || one.order - other.order);

  const at = (when: number, run: () => void) => {
    const event: Event = { time: Math.max(when, time), order: (order += 1), run, cancelled: false };
    events.push(event);
    return () => {
      event.cancelled = true;
    };
  };

  const dropCancelled = () => {
    while (events.peek()?.cancelled === true) events.pop();
  };

  return {
    now: () => time,
    at,
    sleep: (ms) =>
      new Promise((resolve) => {
        at(time + ms, resolve);
      }),
    peek: () => {
      dropCancelled();
      return events.peek()?.time;
    },
    step: async () => {
      dropCancelled();
      const event = events.pop();
      if (event === undefined) return;
      time = event.time;
      event.run();
      await drain();
    },
    jump: (to) => {
      time = Math.max(time, to);
    },
  };
};

/** Timers never fire after their invocation has died. */
const createVirtualTimeout = (kernel: Kernel) => {
  const set = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const invocation = running.getStore();
    const cancel = kernel.at(kernel.now() + ms, () => {
      if (invocation === undefined) run(...args);
      else if (invocation.state !== "dead") running.run(invocation, () => run(...args));
    });
    const handle = { cancel, unref: () => handle, ref: () => handle, hasRef: () => false };
    return handle;
  };
  const clear = (handle: { cancel?: () => void } | undefined) => handle?.cancel?.();
  return { set, clear };
};

const digest = async (_name: unknown, data: Uint8Array): Promise<ArrayBuffer> => {
  const bytes = createHash("sha256").update(data).digest();
  return new Uint8Array(bytes).buffer;
};

/** Replaces WebCrypto's functions, whose other threads would not use virtual time. */
const importKey = async (_format: unknown, key: Uint8Array): Promise<Uint8Array> => key;
const sign = async (_name: unknown, key: Uint8Array, data: Uint8Array): Promise<ArrayBuffer> =>
  new Uint8Array(createHmac("sha256", key).update(data).digest()).buffer;
const verify = async (_name: unknown, key: Uint8Array, mac: Uint8Array, data: Uint8Array): Promise<boolean> =>
  createHmac("sha256", key).update(data).digest().equals(mac);

/**
 * Runs work in virtual time: the process's clocks, timers and random numbers are under the kernel's control, and are restored
 * afterwards.
 */
export const runInVirtualTime = async <Result>(
  kernel: Kernel,
  random: () => number,
  work: () => Promise<Result>,
): Promise<Result> => {
  const { setTimeout, clearTimeout, setImmediate } = globalThis;
  // oxlint-disable-next-line no-restricted-properties -- the kernel replaces it
  const realRandom = Math.random;
  const realAbort = AbortSignal.timeout;
  const realNow = Date.now;
  const { digest: realDigest, importKey: realImportKey, sign: realSign, verify: realVerify } = webcrypto.subtle;
  const { set, clear } = createVirtualTimeout(kernel);
  const setSoon = (run: (...args: unknown[]) => void, ...args: unknown[]) => set(run, 0, ...args);
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear, setImmediate: setSoon });
  Object.assign(Math, { random });
  Object.assign(Date, { now: kernel.now });
  Object.assign(webcrypto.subtle, { digest, importKey, sign, verify });
  Object.assign(AbortSignal, {
    timeout: (ms: number) => {
      const controller = new AbortController();
      set(() => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")), ms);
      return controller.signal;
    },
  });
  try {
    return await work();
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout, setImmediate });
    Object.assign(Math, { random: realRandom });
    Object.assign(Date, { now: realNow });
    Object.assign(AbortSignal, { timeout: realAbort });
    Object.assign(webcrypto.subtle, {
      digest: realDigest,
      importKey: realImportKey,
      sign: realSign,
      verify: realVerify,
    });
  }
};
