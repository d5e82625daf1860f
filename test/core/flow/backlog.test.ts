import { describe, expect, it } from "vitest";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { eventMarkerKey } from "../../../core/store/keys.ts";
import { createAccount, memoryMb, timeoutSeconds } from "../../world/account.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers } from "../../world/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Adds the events of an outage, at 100 a second, which are all due when the outage ends. */
const addBacklog = (account: ReturnType<typeof createAccount>, events: number) => {
  for (let index = 0; index < events; index += 1) {
    const due = account.start - 11 * MINUTE + index * 10;
    const eventId = `evt_${String(index).padStart(20, "0")}`;
    account.put({ ...eventMarkerKey(due, "ws_1", eventId), ws: "ws_1", eventId, due, since: due, tries: 0 });
  }
};

describe("a backlog of ten minutes at 100 events a second", () => {
  it(
    "is sent within 3 minutes of the end of the outage, although the sweeper has only its share of a processor",
    { timeout: 60_000 },
    async () => {
      const account = createAccount(memoryMb);
      addBacklog(account, 60_000);

      // The first sweep begins at most a minute after the queue is available again.
      let took = MINUTE;
      for (let rounds = 0; account.sent.size < 60_000 && rounds < 10; rounds += 1) {
        const { ended, tookMs } = await account.sweep();
        expect(ended).toBe(true);
        const rest = account.sent.size < 60_000 ? MINUTE : tookMs;
        account.kernel.jump(account.kernel.now() + rest - tookMs);
        took += rest;
      }

      expect(account.sent.size).toBe(60_000);
      expect(took).toBeLessThan(3 * MINUTE);
      process.stdout.write(`backlog of 60,000: ${took / SECOND} s\n`);
    },
  );

  it("is sent even if the sweeper is slow, and the sweep ends in time", { timeout: 60_000 }, async () => {
    const account = createAccount(512);
    addBacklog(account, 60_000);

    const { ended, tookMs } = await account.sweep();

    expect(account.movesBeforeSend()).toBeLessThan(1000);
    expect(account.sent.size).toBeGreaterThan(7000);
    expect(ended).toBe(true);
    expect(tookMs).toBeLessThan(timeoutSeconds * SECOND);
    process.stdout.write(`one round at 512 MB: ${account.sent.size} in ${tookMs / SECOND} s\n`);
  });
});

describe("two concurrent sweeps", () => {
  it("leave one marker for an unfinished event, and no marker when the event is finished", async () => {
    const world = await useWorld();
    world.queues.events.setUp(false);
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    await world.post();
    world.skip(MINUTE);

    await Promise.allSettled([runSweep(world.deps, Infinity), runSweep(world.deps, Infinity)]);
    const between = listMarkers(world);
    world.queues.events.setUp(true);
    await world.runFor(5 * MINUTE);

    expect(between).toHaveLength(1);
    expect(world.pushed).toHaveLength(1);
    expect(listMarkers(world)).toEqual([]);
  });
});
