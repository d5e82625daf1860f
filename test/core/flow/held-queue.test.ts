import { describe, expect, it } from "vitest";
import { updateWebhook } from "../../../core/flow/admin/webhooks.ts";
import { type QueueDeps, processQueue } from "../../../core/flow/deliver/work-queue.ts";
import { aheadOfCalls, interruption } from "../../world/interruption.ts";
import { bodiesOf, MINUTE, setUp } from "./webhook-world.ts";

/** A webhook with three queued events, and an invocation that sends them. */
const aLine = async () => {
  const { world, ops, webhook } = await setUp({}, { paused: true });
  await world.rule([ops]);
  for (let n = 0; n < 3; n += 1) await world.post({ title: `Disk ${n}` });
  await world.runFor(MINUTE);
  await updateWebhook(world.deps, world.ws, webhook.id, { paused: false });
  // Removes the message for the queue, so that only the invocation below runs.
  world.queues.webhooks.drain();
  const work = (hasTime: () => boolean = () => true, deps: QueueDeps = world.deps) =>
    processQueue({ ...deps, sleep: async () => {} }, { kind: "line", ws: world.ws, id: webhook.id }, hasTime);
  const titles = () => bodiesOf(world).map(({ data }) => data["title"]);
  return { world, work, titles };
};

describe("an invocation that holds a delivery queue", () => {
  it("releases the queue when its time is up, so that the next invocation continues at once", async () => {
    const { world, work, titles } = await aLine();
    let left = 1;
    await work(() => left-- > 0);
    expect(titles()).toEqual(["Disk 0"]);

    await world.runFor(1000);

    expect(titles()).toEqual(["Disk 0", "Disk 1", "Disk 2"]);
  });

  it("also sends messages that are queued after it has found the queue empty", async () => {
    const { world, work, titles } = await aLine();
    const { beforeCall, arm, isArmed } = interruption(
      ({ input: { UpdateExpression = "", ConditionExpression = "" } }) =>
        UpdateExpression.includes("REMOVE") && ConditionExpression.startsWith("lease = "),
    );
    arm(async () => {
      await world.post({ title: "Disk 3" });
      await world.runFor(1000);
      expect(titles()).not.toContain("Disk 3");
    });
    await work(() => true, { ...world.deps, table: aheadOfCalls(world.deps.table, beforeCall) });

    expect(isArmed()).toBe(false);
    expect(titles()).toEqual(["Disk 0", "Disk 1", "Disk 2", "Disk 3"]);
  });
});

it("two invocations on one delivery queue send each message once", async () => {
  const { work, titles } = await aLine();
  await Promise.all([work(), work()]);

  expect(titles()).toEqual(["Disk 0", "Disk 1", "Disk 2"]);
});
