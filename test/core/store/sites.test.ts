import { describe, expect, it } from "vitest";
import { listSites, pageOfSite, registerSiteEvent } from "../../../core/store/sites.ts";
import { testClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const SHOP = "https://shop.example";
const stand = await useTable();
const { deps: clock, advance } = testClock();
const deps = () => ({ ...clock, table: stand.table });

const register = (ws: string, seq: number, receivedAt = clock.now()) =>
  registerSiteEvent(deps(), ws, { site: SHOP, name: "Shop", seq, receivedAt });

const allOf = async (ws: string, limit: number) => {
  const seqs: number[] = [];
  for (let page = 1; ; page += 1) {
    const found = await pageOfSite(deps(), ws, SHOP, { page, limit });
    if (found.seqs.length === 0) return seqs;
    expect(found.seqs.length).toBeLessThanOrEqual(limit);
    seqs.push(...found.seqs);
  }
};

describe("the events of a site", () => {
  it("are counted and listed once each, the newest first", async () => {
    for (let seq = 1; seq <= 250; seq += 1) {
      await register("ws_a", seq);
      advance(10);
    }

    expect(await listSites(deps(), "ws_a")).toEqual([
      {
        site: SHOP,
        name: "Shop",
        firstSeenAt: "2026-11-21T12:00:00.000Z",
        lastSeenAt: "2026-11-21T12:00:02.490Z",
        events: 250,
      },
    ]);
    expect(await allOf("ws_a", 40)).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index));
    expect(await pageOfSite(deps(), "ws_a", SHOP, { page: 3, limit: 100 })).toMatchObject({ total: 250 });
  });

  it("cost one write and one read each", async () => {
    await register("ws_b", 1);
    advance(120_000);
    stand.usedUnits();

    await register("ws_b", 2);

    expect(stand.usedUnits()).toBe(2);
  });

  it("are registered once when they come again, at once or hours later", async () => {
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
    expect((await allOf("ws_c", 100)).toSorted((a, b) => a - b)).toEqual(seqs);
  });

  it("are none of a site that is not known", async () => {
    expect(await pageOfSite(deps(), "ws_d", SHOP, { page: 1, limit: 50 })).toEqual({ total: 0, seqs: [], first: 0 });
  });
});
