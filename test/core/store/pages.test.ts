import { expect, it } from "vitest";
import { countPages } from "../../../core/store/delivery/pages.ts";
import { testClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();
const { deps: clock } = testClock();

it("pages that two invocations count at once are counted one after the other", async () => {
  const deps = { ...clock, table: stand.table };
  const page = (by: string) => ({
    one: { by, at: clock.now(), priority: "NORMAL" as const },
    limit: 2,
    uncounted: [],
  });
  const count = async (by: string) => (await countPages(deps, "ws_1", "usr_ann", [page(by)]))[0];

  expect(await count("1")).toBe(true);
  const atOnce = await Promise.all(["2", "3", "4"].map(count));

  expect(atOnce.filter((pages) => pages === true)).toHaveLength(1);
  // Asked again, what rang rings.
  expect(await count(String(atOnce.indexOf(true) + 2))).toBe(true);
});
