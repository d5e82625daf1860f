import { describe, expect, it } from "vitest";
import { createEscalator } from "../../../functions/escalator.ts";
import { createMatcher } from "../../../functions/matcher.ts";
import { createSender } from "../../../functions/sender.ts";
import { useWorld } from "../../world/use-world.ts";
import { stepTo } from "../../world/world.ts";

/** Creates a Lambda context whose time suffices for `messages` messages: each message reads the remaining time once. */
const createTimeFor = (messages: number) => {
  let looks = 0;
  return { getRemainingTimeInMillis: () => ((looks += 1) <= messages ? 20_000 : 1_000) };
};

const createOpsWorld = async (events: number) => {
  const world = await useWorld();
  const groupId = await world.group("Ops", ["usr_a"]);
  await world.rule([groupId]);
  for (let count = 0; count < events; count += 1) await world.post({ event: `disk.full${count}` });
  return world;
};

describe("a batch of queue records that runs short of time", () => {
  it("returns events that the matcher has not started, so that the queue delivers them again at once", async () => {
    const world = await createOpsWorld(4);
    const { events } = world.queues;
    const batch = events.batch()!;

    const answer = await createMatcher(world.deps)(batch, createTimeFor(1));

    expect(batch.Records).toHaveLength(4);
    expect(answer.batchItemFailures).toHaveLength(3);
    events.settle(batch, answer);
    // The message is visible at once, without its visibility timeout.
    expect(events.nextAt()).toBeLessThanOrEqual(world.now());
    await world.work();
    expect(world.pushed).toHaveLength(4);
  });

  it("returns the packs that the sender has not started, and sends no push twice", async () => {
    const world = await createOpsWorld(3);
    const { events, pushes } = world.queues;
    const batch = events.batch()!;
    events.settle(batch, await createMatcher(world.deps)(batch));
    const packs = pushes.batch()!;

    const answer = await createSender(world.deps)(packs, createTimeFor(2));

    expect(answer.batchItemFailures).toHaveLength(1);
    expect(world.pushed).toHaveLength(2);
    pushes.settle(packs, answer);
    expect(pushes.nextAt()).toBeLessThanOrEqual(world.now());
    await world.work();
    expect(world.pushed).toHaveLength(3);
    expect(new Set(world.pushed.map(({ message }) => message.data["eventId"])).size).toBe(3);
  });

  it("returns the steps that the escalator has not started, and each step notifies its people once", async () => {
    const world = await useWorld();
    const groupId = await world.group("Ops", ["usr_a"]);
    const second = await world.group("Next", ["usr_b"]);
    const escalationPolicyId = await world.policy([stepTo(second, 1)]);
    await world.rule([groupId], { requiresAck: true, escalationPolicyId });
    for (const event of ["disk.full", "disk.failed", "disk.slow"]) await world.post({ event });
    await world.work();
    world.skip(60_000);
    const { escalations } = world.queues;
    const batch = escalations.batch()!;

    const answer = await createEscalator(world.deps)(batch, createTimeFor(1));

    expect(batch.Records).toHaveLength(3);
    expect(answer.batchItemFailures).toHaveLength(2);
    escalations.settle(batch, answer);
    expect(escalations.nextAt()).toBeLessThanOrEqual(world.now());
    await world.work();
    expect(world.pushed).toHaveLength(6);
    expect(new Set(world.pushed.map(({ message }) => message.data["notificationId"])).size).toBe(6);
  });

  it("is deleted from its queue after several tries, because the sweeper finds the markers of the unfinished work", async () => {
    const world = await createOpsWorld(1);
    const { events } = world.queues;
    for (let tries = 0; tries < 10 && events.messages.size > 0; tries += 1) {
      const batch = events.batch()!;
      events.settle(batch, await createMatcher(world.deps)(batch, createTimeFor(0)));
    }

    expect(events.messages.size).toBe(0);
    expect(events.dead.size).toBe(0);
    await world.runFor(5 * 60_000);
    expect(world.pushed).toHaveLength(1);
  });
});
