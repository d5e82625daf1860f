import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { toIso } from "../../../core/domain/basics/time.ts";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { listSites, readSitePage, registerSiteEvents } from "../../../core/store/events/sites.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";
import { toSeconds, type Seconds } from "../../../core/domain/basics/seconds.ts";

const SHOP = "https://shop.example";
const stand = await useTable();
const { deps: clock, advance } = createTestClock();
const deps = () => ({ ...clock, table: stand.table });

const registerAll = (
  ws: WorkspaceId,
  seqs: readonly number[],
  {
    at = clock.now(),
    spread = true,
    name = "Shop",
    keptUntil,
  }: { at?: number; spread?: boolean; name?: string; keptUntil?: Seconds } = {},
) =>
  registerSiteEvents(
    deps(),
    ws,
    { site: SHOP, name, spread },
    seqs.map((seq) => ({ seq, receivedAt: at, keptUntil })),
  );
const register = (ws: WorkspaceId, seq: number, receivedAt = clock.now()) => registerAll(ws, [seq], { at: receivedAt });

const listAllSeqs = async (ws: WorkspaceId, limit: number) => {
  const seqs: number[] = [];
  for (let page = 1; ; page += 1) {
    const found = await readSitePage(deps(), ws, SHOP, { page, limit, edge: 0 });
    if (found.seqs.length === 0) return seqs;
    expect(found.seqs.length).toBeLessThanOrEqual(limit);
    seqs.push(...found.seqs);
  }
};

describe("the events in a website's list (stored in chunks of 100)", () => {
  it("are counted and listed once each, newest first", async () => {
    for (let seq = 1; seq <= 250; seq += 1) {
      await register("ws_a", seq);
      advance(10);
    }

    expect(await listSites(deps(), "ws_a")).toEqual([
      {
        site: SHOP,
        name: "Shop",
        firstSeenAt: "2026-11-21T12:07:23.456Z",
        lastSeenAt: "2026-11-21T12:07:25.946Z",
        events: 250,
      },
    ]);
    expect(await listAllSeqs("ws_a", 40)).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index));
    expect(await readSitePage(deps(), "ws_a", SHOP, { page: 3, limit: 100, edge: 0 })).toMatchObject({ total: 250 });
  });

  it("cost one write and one read each when they are added", async () => {
    await register("ws_b", 1);
    advance(120_000);
    stand.usedUnits();

    await register("ws_b", 2);

    expect(stand.usedUnits()).toBe(2);
  });

  it("are added once, even if they come again at once or hours later", async () => {
    const received = clock.now();
    const seqs = Array.from({ length: 230 }, (_, index) => index + 1);
    for (let from = 0; from < seqs.length; from += 10)
      await Promise.all(
        seqs
          .slice(from, from + 10)
          .flatMap((seq) => [register("ws_c", seq, received), register("ws_c", seq, received)]),
      );
    advance(3_600_000);
    for (const seq of [1, 99, 100, 101, 200, 201, 230]) await register("ws_c", seq, received);

    expect((await listSites(deps(), "ws_c"))[0]?.events).toBe(230);
    expect((await listAllSeqs("ws_c", 100)).toSorted((a, b) => a - b)).toEqual(seqs);
  });

  it("cost one write and one read for a whole batch, and one more write if the batch fills a chunk", async () => {
    const batches = Array.from({ length: 50 }, (_, batch) =>
      Array.from({ length: 10 }, (__, nr) => 10 * batch + nr + 1),
    );
    const costs: number[] = [];
    stand.usedUnits();
    for (const batch of batches) {
      await registerAll("ws_e", batch.toReversed());
      costs.push(stand.usedUnits());
    }

    // Each tenth batch fills a chunk, which costs one write more.
    expect(costs.filter((cost) => cost > 2)).toEqual([3, 3, 3, 3]);
    expect((await listAllSeqs("ws_e", 100)).toSorted((a, b) => a - b)).toEqual(batches.flat());
  });

  it("fill each chunk completely, even if a batch ends within a chunk", async () => {
    const batches = [[1], [2, 3, 4], Array.from({ length: 97 }, (_, nr) => 5 + nr), [102, 103], [50, 104, 3, 103]];
    for (const batch of [...batches, Array.from({ length: 250 }, (_, nr) => 105 + nr)])
      await registerAll("ws_f", batch);

    expect((await listAllSeqs("ws_f", 100)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 354 }, (_, nr) => nr + 1),
    );
    const chunks = (await stand.listItems()).filter(({ pk }) => String(pk).startsWith("WS#ws_f#SITE#"));
    expect(chunks.map(({ seqs }) => (seqs as Set<number>).size)).toEqual([100, 100, 100]);
  });

  it("are listed once each, even if their batches come twice and in any order", async () => {
    const seqs = Array.from({ length: 600 }, (_, index) => index + 1);
    const batches = Array.from({ length: 60 }, (_, batch) => seqs.filter((seq) => (seq * 7) % 60 === batch));
    for (let from = 0; from < 60; from += 4)
      await Promise.all(
        batches.slice(from, from + 4).flatMap((batch) => [registerAll("ws_g", batch), registerAll("ws_g", batch)]),
      );
    await registerAll("ws_g", [1, 300, 600, 2]);

    expect((await listAllSeqs("ws_g", 100)).toSorted((a, b) => a - b)).toEqual(seqs);
  });

  it("are counted once each, even if the chunk with the highest event numbers is not the newest chunk", async () => {
    const seqs = Array.from({ length: 100 }, (_, nr) => nr + 1);
    for (const batch of [seqs.map((seq) => seq + 100), seqs, [201], [150]]) await registerAll("ws_o", batch);

    expect((await listSites(deps(), "ws_o"))[0]?.events).toBe(201);
  });

  it("that are not spread over partitions are listed after newer events that are spread, and counted with them", async () => {
    const seqs = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
    const firstSeenAt = toIso(clock.now());
    await registerAll("ws_h", seqs(1, 130), { spread: false, name: "Old shop" });
    advance(1_000);
    const lastSeenAt = toIso(clock.now());
    await registerAll("ws_h", seqs(131, 120));

    expect(await listSites(deps(), "ws_h")).toEqual([
      { site: SHOP, name: "Shop", events: 250, firstSeenAt, lastSeenAt },
    ]);
    for (const limit of [1, 7, 50, 100, 250])
      expect(await listAllSeqs("ws_h", limit)).toEqual(seqs(1, 250).toReversed());
    const page = await readSitePage(deps(), "ws_h", SHOP, { page: 1, limit: 30, below: 140, edge: 0 });
    expect(page).toMatchObject({ total: 250, seqs: seqs(111, 30).toReversed(), first: 110 });
  });

  it("that are not spread over partitions are listed once each, however late they come again", async () => {
    for (let from = 1; from <= 231; from += 10)
      await registerAll(
        "ws_i",
        Array.from({ length: 10 }, (_, nr) => from + nr),
        { spread: false },
      );
    for (const seq of [1, 100, 101, 240]) await registerAll("ws_i", [seq], { spread: false });

    expect((await listAllSeqs("ws_i", 100)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 240 }, (_, nr) => nr + 1),
    );
  });

  it("within retention are read with eleven read units at most, whether or not older chunks are deleted", async () => {
    for (let batch = 0; batch < 64; batch += 1) {
      // Each batch of fifty repeats some events of the previous batch.
      const seqs = Array.from({ length: 50 }, (_, nr) => 50 * batch + nr + 1 - (nr % 3 === 0 ? 9 : 0));
      await registerAll("ws_j", seqs, { keptUntil: toSeconds(1_800_000_000_000) });
    }
    const all = await listAllSeqs("ws_j", 500);
    const readPage = (edge: number, page = 1) => readSitePage(deps(), "ws_j", SHOP, { page, limit: 100, edge });

    for (const edge of [1, 99, 1_234, 2_000, 3_190]) {
      stand.usedUnits();
      const { total, oldest } = await readPage(edge);
      expect(stand.usedUnits()).toBeLessThanOrEqual(11);
      expect(total + oldest).toBe(all.length);
      const shown: number[] = [];
      for (let page = 1; page <= Math.ceil(total / 100) + 1; page += 1)
        shown.push(...(await readPage(edge, page)).seqs);
      expect(shown).toHaveLength(total);
      expect(shown.filter((seq) => seq > edge)).toEqual(all.filter((seq) => seq > edge));
      // Late events up to `edge` are shown if they came together with newer events.
      expect(shown.filter((seq) => seq <= edge).length).toBeLessThan(18);
    }

    const before = await readPage(2_000);
    const chunks = (await stand.listItems()).filter(({ pk }) => String(pk).startsWith("WS#ws_j#SITE#"));
    for (const { pk, sk, seqs } of chunks)
      if (Math.max(...(seqs as Set<number>)) <= 2_000)
        await stand.table.client.send(new DeleteCommand({ TableName: stand.table.name, Key: { pk, sk } }));
    expect(await readPage(2_000)).toEqual(before);
    expect(chunks.every(({ ttl }) => ttl === 1_800_000_000)).toBe(true);
  });

  it("are none if the website is unknown", async () => {
    expect(await readSitePage(deps(), "ws_d", SHOP, { page: 1, limit: 50, edge: 0 })).toEqual({
      total: 0,
      seqs: [],
      first: 0,
      oldest: 0,
    });
  });
});
