import { describe, expect, it } from "vitest";
import { updateWebhook } from "../../../core/flow/admin/webhooks.ts";
import { type QueueDeps, processQueue } from "../../../core/flow/deliver/work-queue.ts";
import { aheadOfCalls, interruption } from "../../world/interruption.ts";
import { bodiesOf, MINUTE, setUp } from "./webhook-world.ts";

/** Creates a webhook with three queued events, and a function that processes its delivery queue. */
const setUpQueue = async () => {
  const { world, ops, webhook } = await setUp({}, { paused: true });
  await world.rule([ops]);
  for (let n = 0; n < 3; n += 1) await world.post({ title: `Disk ${n}` });
  await world.runFor(MINUTE);
  await updateWebhook(world.deps, world.ws, webhook.id, { paused: false });
  // Removes the message for the queue, so that only the invocation below runs.
  world.queues.webhooks.drain();
  const processOnce = (hasTime: () => boolean = () => true, deps: QueueDeps = world.deps) =>
    processQueue({ ...deps, sleep: async () => {} }, { kind: "line", ws: world.ws, id: webhook.id }, hasTime);
  const sentTitles = () => bodiesOf(world).map(({ data }) => data["title"]);
  return { world, processOnce, sentTitles };
};

describe("an invocation that holds a delivery queue", () => {
  it("releases the queue when its time is up, so that the next invocation continues at once", async () => {
    const { world, processOnce, sentTitles } = await setUpQueue();
    let left = 1;
    await processOnce(() => left-- > 0);
    expect(sentTitles()).toEqual(["Disk 0"]);

    await world.runFor(1000);

    expect(sentTitles()).toEqual(["Disk 0", "Disk 1", "Disk 2"]);
  });

  it("also sends messages that are queued after it has found the queue empty", async () => {
    const { world, processOnce, sentTitles } = await setUpQueue();
    const { beforeCall, arm, isArmed } = interruption(
      ({ input: { UpdateExpression = "", ConditionExpression = "" } }) =>
        UpdateExpression.includes("REMOVE") && ConditionExpression.startsWith("lease = "),
    );
    arm(async () => {
      await world.post({ title: "Disk 3" });
      await world.runFor(1000);
      expect(sentTitles()).not.toContain("Disk 3");
    });
    await processOnce(() => true, { ...world.deps, table: aheadOfCalls(world.deps.table, beforeCall) });

    expect(isArmed()).toBe(false);
    expect(sentTitles()).toEqual(["Disk 0", "Disk 1", "Disk 2", "Disk 3"]);
  });
});

it("two invocations on one delivery queue send each message once", async () => {
  const { processOnce, sentTitles } = await setUpQueue();
  await Promise.all([processOnce(), processOnce()]);

  expect(sentTitles()).toEqual(["Disk 0", "Disk 1", "Disk 2"]);
});
