import { workers } from "../lib/workers.ts";
import { awsTimes, findMsAtQuantile, type Times } from "./aws-times.ts";
import { createRandom } from "../tools/random.ts";
import { createQueue } from "../local/sqs/queue.ts";
import { createSchedule } from "../local/sqs/schedule.ts";
import { MINUTE_MS } from "../core/domain/basics/units.ts";

/*
 * Simulates in virtual time how long an event waits on AWS behind another workspace's events. The simulated queues are fair, as
 * documented for SQS. The time of each step is random.
 */

/** The time that a worker needs for a batch, without the calls to AWS. */
const BATCH_MS = 15;
const WRITES_AT_ONCE = 8;
const PART_PACKS = 64;
const BATCH = 10;

export type SentEvent = { at: number; ws: string; cpuMs: number; packs: number };

type QueuedWork = { kind: "event" | "part" | "pack"; sent: SentEvent; packs: number };

const findMaxConcurrency = (workerName: string): number =>
  workers.find((worker) => worker.entry === workerName)?.maxConcurrency ?? 0;

/** Returns the simulated ms from each event of `ws` to its push. `isFair`: queues give each workspace its turn. */
export const simulateWaits = (ws: string, sentEvents: readonly SentEvent[], isFair: boolean): number[] => {
  const random = createRandom(1);
  const drawMs = (times: Times): number => findMsAtQuantile(times, random());
  const steps = createSchedule<() => void>();
  const works = new Map<string, QueuedWork>();
  const done = new Map<SentEvent, number>();
  let now = 0;
  let ids = 0;

  /** Creates a queue with `atOnce` workers, and returns a function that adds work. `run`: computes how many ms a batch takes. */
  const createWorkers = (
    name: string,
    atOnce: number,
    run: (batch: readonly QueuedWork[]) => number,
    then: (work: QueuedWork) => void,
  ) => {
    let running = 0;
    const startBatches = (): void => {
      while (running < atOnce) {
        const batch = queue.receive(BATCH);
        if (batch.length === 0) return;
        const taken = batch.flatMap(({ body }) => works.get(body) ?? []);
        running += 1;
        steps.add(now + run(taken), () => {
          running -= 1;
          for (const { receipt } of batch) if (receipt !== undefined) queue.remove(receipt);
          for (const one of taken) then(one);
          startBatches();
        });
      }
    };
    const queue = createQueue(
      { name, visibilitySeconds: 180, delaySeconds: 0, redrive: undefined },
      { now: () => now, newId: () => String((ids += 1)), wake: () => {}, moveToDeadLetters: () => {} },
    );
    return (work: QueuedWork): void => {
      const body = String((ids += 1));
      works.set(body, work);
      const lane = work.kind === "event" || work.sent.packs <= PART_PACKS ? "" : ".great";
      steps.add(now + drawMs(awsTimes.queue), () => {
        // Within a message group, the oldest messages come first.
        queue.send(body, { group: isFair ? `${work.sent.ws}${lane}` : "all" });
        startBatches();
      });
    };
  };

  const drawMsOfTableCalls = (calls: number): number => {
    let sum = 0;
    for (let call = 0; call < calls; call += 1) sum += drawMs(awsTimes.table);
    return sum;
  };
  const drawMatchMs = (batch: readonly QueuedWork[]): number => {
    const cpuMs = batch.reduce((sum, { kind, sent }) => sum + (kind === "event" ? sent.cpuMs : 1), 0);
    const turns = Math.max(...batch.map(({ packs }) => Math.ceil(packs / WRITES_AT_ONCE)));
    return BATCH_MS + cpuMs + drawMsOfTableCalls(4 + turns);
  };
  const send = createWorkers(
    "pushes",
    findMaxConcurrency("sender"),
    () => BATCH_MS + drawMsOfTableCalls(4) + drawMs(awsTimes.push),
    ({ sent }) => {
      if (!done.has(sent)) done.set(sent, now);
    },
  );
  const match = createWorkers("events", findMaxConcurrency("matcher"), drawMatchMs, ({ kind, sent, packs }) => {
    if (kind === "event" && sent.packs > PART_PACKS) {
      for (let left = sent.packs; left > 0; left -= PART_PACKS)
        match({ kind: "part", sent, packs: Math.min(left, PART_PACKS) });
      return;
    }
    for (let pack = 0; pack < packs; pack += 1) send({ kind: "pack", sent, packs: 0 });
  });

  for (const sent of sentEvents)
    steps.add(sent.at, () => match({ kind: "event", sent, packs: sent.packs > PART_PACKS ? 0 : sent.packs }));
  for (let step = steps.first(); step !== undefined; step = steps.first()) {
    steps.removeFirst();
    now = Math.max(now, step.at);
    step.item();
  }
  return sentEvents.filter((sent) => sent.ws === ws).map((sent) => (done.get(sent) ?? Number.NaN) - sent.at);
};

/** Lists the events of a minute, one every `ms` milliseconds. */
const listEventsEvery = (ms: number, sent: Omit<SentEvent, "at">): SentEvent[] =>
  Array.from({ length: Math.floor(MINUTE_MS / ms) }, (_, index) => ({ ...sent, at: index * ms + (index % 7) }));

/** The events of the measured workspace: four per second for a minute, for one person each. */
export const victimOnAws = listEventsEvery(250, { ws: "victim", cpuMs: 2, packs: 1 });
export const attacksOnAws: readonly { name: string; sent: SentEvent[] }[] = [
  {
    name: "300 events a minute, each as expensive to match as possible",
    sent: listEventsEvery(200, { ws: "a", cpuMs: 400, packs: 1 }),
  },
  {
    name: "300 events a minute, matched by 10,000 rules for one person each",
    sent: listEventsEvery(200, { ws: "a", cpuMs: 60, packs: 625 }),
  },
  { name: "300 events a minute for 5,000 people", sent: listEventsEvery(200, { ws: "a", cpuMs: 20, packs: 313 }) },
  { name: "300 events a minute of 256 KB", sent: listEventsEvery(200, { ws: "a", cpuMs: 20, packs: 1 }) },
  {
    name: "300 events at once for one person each",
    sent: Array.from({ length: 300 }, () => ({ at: 30_000, ws: "a", cpuMs: 2, packs: 1 })),
  },
  {
    name: "30,000 events at once for one person each",
    sent: Array.from({ length: 30_000 }, () => ({ at: 30_000, ws: "a", cpuMs: 2, packs: 1 })),
  },
];
