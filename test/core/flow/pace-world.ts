import { setImmediate as nextTurn } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";
import { createRandom } from "../../../tools/random.ts";
import { toAddress, toAddressId, toChannel } from "../../../core/domain/device/device.ts";
import type { Pace } from "../../../core/domain/delivery/pace.ts";
import type { PushMessage } from "../../../core/domain/delivery/push/message.ts";
import type { PushOutcome, SlowReason } from "../../../core/domain/delivery/push/outcome.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { createMatcher } from "../../../functions/matcher.ts";
import { createSender } from "../../../functions/sender.ts";
import { toPush } from "../../support/push.ts";
import { useWorld } from "../../world/use-world.ts";

const MINUTE = 60_000;
/**
 * The number of event loop turns after which all work waits for the clock. Handling an HTTP answer, such as that of DynamoDB
 * Local, takes dozens of turns.
 */
const TURNS_UNTIL_IDLE = 300;

type Limits = Partial<Record<"email" | "sms" | "voice", { perSecond: number; burst?: number }>>;

/** Creates an account with the rate limits of AWS: a token bucket for each channel, which is filled at the given rate. */
const createAccount = (limits: Limits, now: () => number) => {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (channel: string): boolean => {
    const limit = limits[channel as keyof Limits];
    if (limit === undefined) return true;
    const { perSecond, burst = perSecond } = limit;
    const { tokens, at } = buckets.get(channel) ?? { tokens: burst, at: now() };
    const filled = Math.min(burst, tokens + ((now() - at) * perSecond) / 1000);
    buckets.set(channel, { tokens: filled >= 1 ? filled - 1 : filled, at: now() });
    return filled >= 1;
  };
};

export type PacedWorldOptions = {
  pace?: Pace;
  limits?: Limits;
  /** Returns why a message is refused, besides the rate limit; undefined if it is not refused. */
  refuse?: (message: PushMessage, at: number) => SlowReason | PushOutcome | undefined;
};

/**
 * A world whose senders run concurrently, as on Lambda, and wait in virtual time: the clock advances when all of them wait.
 * Every request takes a tenth of a second.
 */
export const usePacedWorld = async ({ pace, limits = {}, refuse }: PacedWorldOptions) => {
  const sleepers: { at: number; wake: () => void }[] = [];
  let asked = 0;
  let open = 0;
  const requests: { at: number; channel: string; to: string; title: string; outcome: PushOutcome["kind"] }[] = [];
  const world = await useWorld({
    sleep: (ms) => new Promise<void>((wake) => sleepers.push({ at: world.now() + ms, wake })),
    push: toPush(async (message) => {
      const channel = toChannel(message);
      const isAllowed = account(channel);
      const refusal = refuse?.(message, world.now()) ?? (isAllowed ? undefined : ("rate" as const));
      const outcome: PushOutcome =
        typeof refusal === "string"
          ? { kind: "retry", code: "X", slow: refusal }
          : (refusal ?? { kind: "accepted", messageId: "m" });
      const title = "notification" in message ? (message.notification?.title ?? "") : "";
      requests.push({
        at: world.now(),
        channel,
        to: "call" in message ? message.call : toAddressId(toAddress(message)),
        title,
        outcome: outcome.kind,
      });
      return outcome;
    }),
  });
  const account = createAccount(limits, world.now);
  const { client } = world.deps.table;
  const send = client.send.bind(client);
  /** Counts work that takes real time, so that the clock advances only when the work is finished. */
  const trackWork = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    asked += 1;
    open += 1;
    try {
      return await work();
    } finally {
      open -= 1;
    }
  };
  client.send = ((command: never) => trackWork(() => send(command))) as never;
  const { subtle } = crypto;
  for (const name of ["digest", "importKey", "sign", "verify"] as const) {
    const real = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(subtle, name).mockImplementation(((...args: unknown[]) => trackWork(() => real(...args))) as never);
  }
  onTestFinished(() => void vi.restoreAllMocks());
  const deps = { ...world.deps, ...(pace === undefined ? {} : { pace }), random: createRandom(53) };
  const workers = { events: createMatcher(deps), pushes: createSender(deps) };

  const waitUntilIdle = async (): Promise<void> => {
    for (let seen = -1; seen !== asked || open > 0;) {
      seen = asked;
      for (let turn = 0; turn < TURNS_UNTIL_IDLE; turn += 1) await nextTurn();
    }
  };
  const work = async (): Promise<void> => {
    for (let began = true; began;) {
      began = false;
      for (const name of ["events", "pushes"] as const)
        for (let records = world.queues[name].batch(); records !== undefined; records = world.queues[name].batch()) {
          const given = records;
          began = true;
          void workers[name](given).then((answer) => world.queues[name].settle(given, answer));
        }
      await waitUntilIdle();
    }
  };
  let sweptAt = world.now();
  const runUntil = async (isDone: () => boolean, atMost: number): Promise<void> => {
    const end = world.now() + atMost;
    await work();
    while (!isDone() && world.now() < end) {
      const next = Math.min(
        sweptAt + MINUTE,
        ...sleepers.map(({ at }) => at),
        ...(["events", "pushes"] as const).map((name) => world.queues[name].nextAt() ?? Infinity),
      );
      world.skip(Math.max(1, next - world.now()));
      for (const one of sleepers.filter(({ at }) => at <= world.now())) {
        sleepers.splice(sleepers.indexOf(one), 1);
        one.wake();
      }
      if (world.now() >= sweptAt + MINUTE) {
        sweptAt = world.now();
        await runSweep(deps, Infinity);
      }
      await work();
    }
  };
  return { ...world, deps, requests, runUntil };
};
