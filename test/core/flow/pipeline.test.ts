import { describe, expect, it } from "vitest";
import { readEvent } from "../../../core/store/events/events.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers } from "../../world/world.ts";

const SECOND = 1000;

/** Creates a world with a rule that notifies Ann and Bob, who have two devices each, of all events. */
const setUp = async () => {
  const world = await useWorld();
  const group = await world.group("Ops", ["usr_ann", "usr_bob"], 2);
  await world.rule([group], { requiresAck: true, priorityOverride: "CRITICAL" });
  return world;
};

describe("an event that a rule matches", () => {
  it("reaches every device of every member, and leaves no unfinished work", async () => {
    const world = await setUp();

    const answer = await world.post();
    await world.work();

    expect(answer.kind).toBe("created");
    expect(world.pushed.map(({ token }) => token).sort()).toEqual(["usr_ann-1", "usr_ann-2", "usr_bob-1", "usr_bob-2"]);
    const notifications = await world.notifications();
    expect(notifications.map(({ status, priority }) => [status, priority])).toEqual([
      ["SENT", "URGENT"],
      ["SENT", "URGENT"],
    ]);
    expect((await readEvent(world.deps, world.ws, answer.eventId))?.notifications).toBe(2);
    expect(listMarkers(world)).toEqual([]);
  });

  it.each([
    [true, 8],
    [false, 6],
  ])(
    "costs 3 capacity units to receive and, with requiresAck %s, at most %i to deliver (warm workers)",
    async (requiresAck, most) => {
      const world = await setUp();
      await world.post({ requiresAck });
      await world.work();
      world.usedUnits();

      await world.post({ requiresAck });
      const ingest = world.usedUnits();
      await world.work();

      expect(ingest).toBe(3);
      expect(world.usedUnits()).toBeLessThanOrEqual(most);
    },
  );

  it("is delivered by the sweeper if the queue was unavailable when the event came", async () => {
    const world = await setUp();

    world.queues.events.setUp(false);
    const answer = await world.post();
    world.queues.events.setUp(true);
    await world.runFor(120 * SECOND);

    expect(answer.kind).toBe("created");
    expect(world.pushed).toHaveLength(4);
    expect(listMarkers(world)).toEqual([]);
  });

  it.each([1, 14, 16, 59])(
    "is delivered within a minute if it comes at second %i of a minute and the queue is unavailable",
    async (at) => {
      const world = await setUp();
      await world.runFor(at * SECOND);

      world.queues.events.setUp(false);
      await world.post();
      world.queues.events.setUp(true);
      await world.runFor(60 * SECOND);

      expect(world.pushed).toHaveLength(4);
    },
  );

  it.each(["\u{FFFE}", "\u{FFFF}", "\u{1F525}"])("is delivered with the character %j in its texts", async (text) => {
    const world = await setUp();

    await world.post({ title: text, body: text, url: `https://acme.example/${text}` });
    await world.work();

    expect(world.pushed.map(({ message }) => message.notification?.title)).toEqual([text, text, text, text]);
  });
});

describe("simultaneous posts with the same dedupeKey", () => {
  it("create one event, and every post gets the id of that event", async () => {
    const world = await setUp();

    const answers = await Promise.all(Array.from({ length: 20 }, () => world.post({ dedupeKey: "disk-full" })));

    expect(answers.filter(({ kind }) => kind === "created")).toHaveLength(1);
    expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(1);
  });
});
