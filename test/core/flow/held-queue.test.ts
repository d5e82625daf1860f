import { describe, expect, it } from "vitest";
import { updateWebhook } from "../../../core/flow/admin/webhooks.ts";
import { type QueueDeps, processQueue } from "../../../core/flow/deliver/work-queue.ts";
import { createEnqueuer } from "../../../core/flow/deliver/enqueue.ts";
import { claimQueue, putDueQueue, readQueue } from "../../../core/store/delivery/delivery-queues.ts";
import type { WorldOptions } from "../../world/world.ts";
import { withHook, createInterruption } from "../../world/interruption.ts";
import { listBodies, MINUTE, setUp } from "./webhook-world.ts";

/** Creates a webhook with three queued events, and a function that processes its delivery queue. */
const setUpQueue = async (options: WorldOptions = {}) => {
  const { world, ops, webhook } = await setUp(options, { paused: true });
  await world.rule([ops]);
  for (let n = 0; n < 3; n += 1) await world.post({ title: `Disk ${n}` });
  await world.runFor(MINUTE);
  await updateWebhook(world.deps, world.ws, webhook.id, { paused: false });
  // Removes the message that starts the processing of the delivery queue, so that only `processOnce` processes it.
  world.queues.webhooks.drain();
  const processOnce = (hasTime: () => boolean = () => true, deps: QueueDeps = world.deps, due?: number) =>
    processQueue(
      { ...deps, sleep: async () => {} },
      { kind: "line", ws: world.ws, id: webhook.id, ...(due === undefined ? {} : { due }) },
      hasTime,
    );
  const sentTitles = () => listBodies(world).map(({ data }) => data["title"]);
  return { world, ref: { ws: world.ws, id: webhook.id }, processOnce, sentTitles };
};

describe("an invocation with the lease of a delivery queue", () => {
  it("releases the queue when the invocation's time is up, so that the next invocation continues at once", async () => {
    const { world, processOnce, sentTitles } = await setUpQueue();
    let left = 1;
    await processOnce(() => left-- > 0);
    expect(sentTitles()).toEqual(["Disk 0"]);

    await world.runFor(1000);

    expect(sentTitles()).toEqual(["Disk 0", "Disk 1", "Disk 2"]);
  });

  it("prevents other invocations from removing the queue's marker until the marker is 20 minutes old", async () => {
    const { world, ref, processOnce } = await setUpQueue();
    await claimQueue(world.deps, ref, { id: "lease_1", from: world.now(), until: world.now() + 60 * MINUTE });
    const due = world.now() - 1000;
    await putDueQueue(world.deps, { ...ref, due });
    const isKept = () => [...world.markers.keys()].some((name) => name.includes(String(due)));

    await processOnce(undefined, world.deps, due);
    expect(isKept()).toBe(true);
    world.skip(20 * MINUTE);
    await processOnce(undefined, world.deps, due);
    expect(isKept()).toBe(false);
  });

  it("keeps the count of failed attempts if it has no time for another attempt", async () => {
    const { world, ref, processOnce } = await setUpQueue({ receive: () => ({ kind: "failed", code: "HTTP_500" }) });
    await processOnce();
    const { failingSince, due = 0 } = await readQueue(world.deps, ref);
    world.skip(due - world.now());

    await processOnce(() => false);

    expect(await readQueue(world.deps, ref)).toMatchObject({ tries: 1, failingSince });
  });

  it("sends a message that is queued just after the invocation found the queue empty", async () => {
    const { world, processOnce, sentTitles } = await setUpQueue();
    const { beforeCall, arm, isArmed } = createInterruption(
      ({ input: { UpdateExpression = "", ConditionExpression = "" } }) =>
        UpdateExpression.includes("REMOVE") && ConditionExpression.startsWith("lease = "),
    );
    arm(async () => {
      await world.post({ title: "Disk 3" });
      await world.runFor(1000);
      expect(sentTitles()).not.toContain("Disk 3");
    });
    await processOnce(() => true, { ...world.deps, table: withHook(world.deps.table, beforeCall) });

    expect(isArmed()).toBe(false);
    expect(sentTitles()).toEqual(["Disk 0", "Disk 1", "Disk 2", "Disk 3"]);
  });
});

it("a delivery queue is processed a second time after a minute if storing its first message took long", async () => {
  const { world } = await setUp();
  let puts = 0;
  const table = withHook(world.deps.table, ({ constructor }) => {
    if (constructor.name === "PutCommand" && (puts += 1) === 2) world.skip(600);
  });
  const enqueuer = createEnqueuer({ ...world.deps, table }, world.ws);
  const message = { type: "event.opened", sequence: 1, told: world.start, tries: 0, body: "" } as const;
  for (const [index, id] of ["wh_quick", "wh_slow", "wh_slow"].entries())
    await enqueuer.put(id, { ...message, sk: `${index}`, id: `msg_${index}` });
  await enqueuer.wake();

  expect([...world.queues.webhooks.messages].map(({ visibleAt }) => visibleAt - world.now())).toEqual([0, 0, MINUTE]);
});

it("two invocations on one delivery queue send each message once", async () => {
  const { processOnce, sentTitles } = await setUpQueue();
  await Promise.all([processOnce(), processOnce()]);

  expect(sentTitles()).toEqual(["Disk 0", "Disk 1", "Disk 2"]);
});
