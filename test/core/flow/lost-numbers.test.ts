import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as fc from "fast-check";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { sumCounts, TOP_LEVEL } from "../../../core/domain/event/lost-numbers.ts";
import { listEvents } from "../../../core/flow/read/list-events.ts";
import { deflate } from "../../../core/store/codec.ts";
import { eventItemKey } from "../../../core/store/keys.ts";
import { markLost, readLostCounts, unmarkLost } from "../../../core/store/events/sequence.ts";
import { withHook } from "../../world/interruption.ts";
import { startTable } from "../../world/table.ts";
import { useWorld } from "../../world/use-world.ts";
import type { World } from "../../world/world.ts";

/** More lost numbers than fit into one item of the table. */
const LOST = 85_000;

const setSequence = ({ deps, ws }: World, seq: number) =>
  deps.table.client.send(
    new UpdateCommand({
      TableName: deps.table.name,
      Key: { pk: `WS#${ws}`, sk: "CONTROL" },
      UpdateExpression: "SET seq = :seq",
      ExpressionAttributeValues: { ":seq": seq },
    }),
  );

describe("a sequence of event numbers that has lost more numbers than one item holds", () => {
  it("is listed page by page with few reads, and still accepts events and further losses", async () => {
    const world = await useWorld();
    const { deps, ws } = world;
    // Every second number is lost: 1, 3, 5 and so on.
    await markLost(
      deps,
      ws,
      Array.from({ length: LOST }, (_, index) => 2 * index + 1),
    );
    await setSequence(world, 2 * LOST);
    const content = deflate({ eventKey: "a.b", title: "Event", body: "", priority: "LOW" });
    const stored = [1, 84_000, 169_900].flatMap((from) =>
      Array.from({ length: 50 }, (_, index) => from + index + (from % 2)).filter((seq) => seq % 2 === 0),
    );
    await world.fill(
      stored.map((seq) => ({
        ...eventItemKey(ws, seq, false),
        nonce: "00000000000",
        by: "req_test",
        at: seq,
        rv: 1,
        pv: 1,
        content,
      })),
    );
    const costs: number[] = [];
    const readPage = async (page: number) => {
      world.usedUnits();
      const { total, items } = await listEvents(deps, ws, { page, limit: 10 });
      costs.push(world.usedUnits());
      return { total, numbers: items.map(({ receivedAt }) => Date.parse(receivedAt)) };
    };

    const oldest = await readPage(LOST / 10);
    expect(oldest).toEqual({ total: LOST, numbers: [20, 18, 16, 14, 12, 10, 8, 6, 4, 2] });
    const middle = await readPage((170_000 - 84_020) / 20 + 1);
    expect(middle.numbers).toEqual([84_020, 84_018, 84_016, 84_014, 84_012, 84_010, 84_008, 84_006, 84_004, 84_002]);
    await readPage(LOST / 10 + 1);
    // A page reads the control item, the events, and the tree of lost numbers from its root to a leaf. Beyond the last page,
    // only the control item and the root are read.
    expect(costs).toEqual([4.5, 4.5, 2]);

    world.usedUnits();
    expect(await world.post()).toMatchObject({ kind: "created" });
    await Promise.all([world.post({ dedupeKey: "one" }), world.post({ dedupeKey: "one" })]);
    await markLost(deps, ws, [170_001]);
    await unmarkLost(deps, ws, 170_001);
    expect((await listEvents(deps, ws, { page: 1, limit: 10 })).total).toBe(LOST + 2);
  });
});

describe("the counts of lost event numbers", () => {
  it("agree in the end with the numbers that are marked as lost, even if writers die and start again", async () => {
    const stand = await startTable();
    // Adjacent numbers, and numbers in other leaves and nodes of the tree of lost numbers.
    const numbers = [5, 6, 1_500, 262_200, 262_201, 70_000_000];
    let round = 0;
    const action = fc.record({
      number: fc.constantFrom(...numbers),
      lost: fc.boolean(),
      dies: fc.integer({ min: 0, max: 6 }),
      waits: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 8 }),
    });

    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 8 }), async (actions) => {
        round += 1;
        const ws = `ws_${round}` as const;
        const perform = async ({ number, lost, dies, waits }: (typeof actions)[number]) => {
          const table = withHook(stand.table, async (_, nr) => {
            if (nr === dies) throw new Error("died");
            for (let turn = waits[nr % waits.length] ?? 0; turn > 0; turn -= 1) await nextTurn();
          });
          const deps = { table };
          const markOrUnmark = () => (lost ? markLost(deps, ws, [number]) : unmarkLost(deps, ws, number));
          await markOrUnmark().catch(markOrUnmark);
        };

        await Promise.all(actions.map(perform));

        const leaves = await Promise.all(
          [0, 1, 256, 68_359].map((leaf) => readLostCounts(stand, ws, 0, leaf).then(sumCounts)),
        );
        const top = await readLostCounts(stand, ws, TOP_LEVEL, 0);
        expect(sumCounts(top)).toBe(leaves.reduce((sum, count) => sum + count, 0));
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it("include a number whose writer died before counting it, because a concurrent writer counts that number", async () => {
    const stand = await startTable();
    const stopBefore = (call: number, stop: () => Promise<void>) => ({
      table: withHook(stand.table, (_, nr) => (nr === call ? stop() : undefined)),
    });
    const [noted, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = stopBefore(2, () => {
      noted.resolve();
      return goesOn.promise;
    });
    const dying = stopBefore(3, () => Promise.reject(new Error("died")));

    const older = markLost(slow, "ws_1", [5]);
    await noted.promise;
    await expect(markLost(dying, "ws_1", [6])).rejects.toThrow("died");
    goesOn.resolve();
    await older;

    expect(sumCounts(await readLostCounts(stand, "ws_1", TOP_LEVEL, 0))).toBe(2);
  });
});
