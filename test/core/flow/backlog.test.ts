import { afterEach, describe, expect, it } from "vitest";
import type { Deps } from "../../../core/deps.ts";
import { sweep } from "../../../core/flow/sweep.ts";
import { eventMarkerKey } from "../../../core/store/keys.ts";
import { timers } from "../../../lib/workers.ts";
import { createKernel } from "../../faults/engine/kernel.ts";
import { closeWorlds, createWorld, markersOf } from "../../world/world.ts";

afterEach(closeWorlds);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Measured: the processor time of one request through the SDK's client, on a whole processor. */
const REQUEST_CPU_MS = 0.86;
const ANSWER_MS = 5;
const WHOLE_PROCESSOR_MB = 1769;

const { memoryMb, timeoutSeconds } = timers.find(({ entry }) => entry === "sweeper")!;

type Item = Record<string, unknown> & { pk: string; sk: string };
type Input = {
  Item?: Item;
  Key?: Item;
  Limit?: number;
  Entries?: { MessageBody: string }[];
  ExpressionAttributeValues?: Record<string, string>;
};

/** A table and queues in virtual time, whose caller has a share of a processor: every request uses some of it. */
const createAccount = (megabytes: number) => {
  const start = Date.UTC(2026, 10, 21, 12);
  const kernel = createKernel(start);
  const items = new Map<string, Map<string, Item>>();
  const sent = new Map<string, number>();
  let freeAt = start;
  let moves = 0;
  let movesBeforeSend = 0;
  const takeTime = () => {
    freeAt = Math.max(freeAt, kernel.now()) + (REQUEST_CPU_MS * WHOLE_PROCESSOR_MB) / megabytes;
    return new Promise<void>((resolve) => {
      kernel.at(freeAt + ANSWER_MS, resolve);
    });
  };
  const put = (item: Item) => {
    const of = items.get(item.pk) ?? new Map<string, Item>();
    items.set(item.pk, of.set(item.sk, item));
  };
  /** Markers are added in the order of their due times. */
  const query = ({ Limit = Infinity, ExpressionAttributeValues: values = {} }: Input) => {
    const found: Item[] = [];
    for (const item of items.get(values[":pk"] ?? "")?.values() ?? []) {
      if (found.length === Limit || item.sk > values[":to"]!) break;
      if (item.sk >= (values[":from"] ?? "")) found.push(item);
    }
    return { Items: found };
  };
  const send = async ({ constructor: { name }, input }: { constructor: { name: string }; input: Input }) => {
    await takeTime();
    if (name === "QueryCommand") return query(input);
    if (name === "PutCommand") {
      put(input.Item!);
      moves += 1;
    }
    if (name === "DeleteCommand") items.get(input.Key!.pk)?.delete(input.Key!.sk);
    for (const { MessageBody } of input.Entries ?? []) {
      sent.set(MessageBody.match(/evt_\w+/)![0], kernel.now());
      movesBeforeSend ||= moves;
    }
    return {};
  };
  const client = { send } as never;
  const log = { info: () => {}, warn: () => {}, error: () => {}, metric: () => {} };
  const queue = { url: "q", client };
  const deps: Pick<Deps, "table" | "now" | "newId" | "log"> & {
    queues: Pick<Deps["queues"], "events" | "escalations">;
  } = {
    table: { name: "t", client },
    now: kernel.now,
    newId: (prefix) => `${prefix}_0`,
    log,
    queues: { events: queue, escalations: queue },
  };
  /** One round of the sweeper, which ends when its invocation dies. */
  const round = async () => {
    const began = kernel.now();
    let over = false;
    void sweep(deps, began + (timeoutSeconds - 3) * SECOND).then(() => {
      over = true;
    });
    while (!over && kernel.now() < began + timeoutSeconds * SECOND) await kernel.step();
    return { over, tookMs: kernel.now() - began };
  };
  return { kernel, start, put, sent, round, movesBeforeSend: () => movesBeforeSend };
};

/** The events of an outage at 100 a second, all due when it ends. */
const fill = (account: ReturnType<typeof createAccount>, events: number) => {
  for (let index = 0; index < events; index += 1) {
    const due = account.start - 11 * MINUTE + index * 10;
    const eventId = `evt_${String(index).padStart(20, "0")}`;
    account.put({ ...eventMarkerKey(due, "ws_1", eventId), ws: "ws_1", eventId, due, since: due, tries: 0 });
  }
};

describe("a backlog of ten minutes at 100 events a second", () => {
  it(
    "is sent within 3 minutes of the end of the outage, the sweeper having its share of a processor",
    { timeout: 60_000 },
    async () => {
      const account = createAccount(memoryMb);
      fill(account, 60_000);

      // The first round begins at most a minute after the queue is back.
      let took = MINUTE;
      for (let rounds = 0; account.sent.size < 60_000 && rounds < 10; rounds += 1) {
        const { over, tookMs } = await account.round();
        expect(over).toBe(true);
        const rest = account.sent.size < 60_000 ? MINUTE : tookMs;
        account.kernel.jump(account.kernel.now() + rest - tookMs);
        took += rest;
      }

      expect(account.sent.size).toBe(60_000);
      expect(took).toBeLessThan(3 * MINUTE);
      process.stdout.write(`backlog of 60,000: ${took / SECOND} s\n`);
    },
  );

  it(
    "goes out behind its moves also where the sweeper is slow, and the round ends in time",
    { timeout: 60_000 },
    async () => {
      const account = createAccount(512);
      fill(account, 60_000);

      const { over, tookMs } = await account.round();

      expect(account.movesBeforeSend()).toBeLessThan(1000);
      expect(account.sent.size).toBeGreaterThan(7000);
      expect(over).toBe(true);
      expect(tookMs).toBeLessThan(timeoutSeconds * SECOND);
      process.stdout.write(`one round at 512 MB: ${account.sent.size} in ${tookMs / SECOND} s\n`);
    },
  );
});

describe("two rounds of the sweeper at once", () => {
  it("leave one marker of an event, and nothing when it is finished", async () => {
    const world = await createWorld();
    world.queues.events.setUp(false);
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    await world.post();
    world.skip(MINUTE);

    await Promise.allSettled([sweep(world.deps, Infinity), sweep(world.deps, Infinity)]);
    const between = markersOf(world);
    world.queues.events.setUp(true);
    await world.runFor(5 * MINUTE);

    expect(between).toHaveLength(1);
    expect(world.pushed).toHaveLength(1);
    expect(markersOf(world)).toEqual([]);
  });
});
