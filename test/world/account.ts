import type { Deps } from "../../core/deps.ts";
import { runSweep } from "../../core/flow/sweep/sweep.ts";
import { timers } from "../../lib/workers.ts";
import { createKernel } from "../faults/engine/kernel.ts";

const SECOND = 1000;
/** Measured: the processor time of one request through the SDK's client, with a full CPU core. */
const REQUEST_CPU_MS = 0.86;
const ANSWER_MS = 5;
const WHOLE_PROCESSOR_MB = 1769;

export const { memoryMb, timeoutSeconds } = timers.find(({ entry }) => entry === "sweeper")!;

type Item = Record<string, unknown> & { pk: string; sk: string };
type Input = {
  Item?: Item;
  Key?: Item;
  Limit?: number;
  Entries?: { MessageBody: string }[];
  ExpressionAttributeValues?: Record<string, string>;
};

/** Creates an AWS account in virtual time. `megabytes`: the memory of its caller, which decides how fast requests are made. */
export const createAccount = (megabytes: number) => {
  const start = Date.UTC(2026, 10, 21, 12);
  const kernel = createKernel(start);
  const items = new Map<string, Map<string, Item>>();
  const sent = new Map<string, number>();
  let messages = 0;
  const readAt = new Map<string, number>();
  let freeAt = start;
  let moves = 0;
  let movesBeforeSend = 0;
  const takeTime = () => {
    freeAt = Math.max(freeAt, kernel.now()) + (REQUEST_CPU_MS * WHOLE_PROCESSOR_MB) / megabytes;
    return new Promise<void>((resolve) => {
      kernel.at(freeAt + ANSWER_MS, resolve);
    });
  };
  const putItem = (item: Item) => {
    const of = items.get(item.pk) ?? new Map<string, Item>();
    items.set(item.pk, of.set(item.sk, item));
  };
  /** Returns the items of a query. Items are added in the order of their due times, so they need no sorting. */
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
      putItem(input.Item!);
      moves += 1;
    }
    if (name === "GetCommand") readAt.set(`${input.Key!.pk} ${input.Key!.sk}`, kernel.now());
    if (name === "DeleteCommand") items.get(input.Key!.pk)?.delete(input.Key!.sk);
    for (const { MessageBody } of input.Entries ?? []) {
      messages += 1;
      sent.set(MessageBody.match(/evt_\w+/)![0], kernel.now());
      movesBeforeSend ||= moves;
    }
    return {};
  };
  const client = { send } as never;
  const log = { info: () => {}, warn: () => {}, error: () => {}, metric: () => {} };
  const queue = { url: "q", client };
  const deps: Pick<Deps, "table" | "now" | "newId" | "log"> & {
    queues: Pick<Deps["queues"], "events" | "pushes" | "escalations" | "webhooks">;
  } = {
    table: { name: "t", client },
    now: kernel.now,
    newId: (prefix) => `${prefix}_0`,
    log,
    queues: { events: queue, pushes: queue, escalations: queue, webhooks: queue },
  };
  /** Runs a sweep, which ends when its invocation dies. */
  const sweepOnce = async () => {
    const began = kernel.now();
    let ended = false;
    void runSweep(deps, began + (timeoutSeconds - 3) * SECOND).then(() => {
      ended = true;
    });
    while (!ended && kernel.now() < began + timeoutSeconds * SECOND) await kernel.step();
    return { ended, tookMs: kernel.now() - began };
  };
  return {
    kernel,
    start,
    put: putItem,
    sent,
    messages: () => messages,
    readAt,
    sweep: sweepOnce,
    movesBeforeSend: () => movesBeforeSend,
  };
};
