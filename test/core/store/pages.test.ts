import { expect, it } from "vitest";
import { countPages, type PagesItem } from "../../../core/store/delivery/pages.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();
const { deps: clock } = createTestClock();

const deps = { ...clock, table: stand.table };
const countFor = async (userId: string, by: string, known?: PagesItem) => {
  const one = { by, at: clock.now(), priority: "NORMAL" as const };
  const { allowed, item } = await countPages(deps, "ws_1", userId, [{ one, limit: 2, uncounted: [] }], known);
  return { rang: allowed[0], item };
};

it("pages of a person that are counted at the same moment do not exceed the page limit together", async () => {
  const count = async (by: string) => (await countFor("usr_ann", by)).rang;

  expect(await count("1")).toBe(true);
  const atOnce = await Promise.all(["2", "3", "4"].map(count));

  expect(atOnce.filter((pages) => pages === true)).toHaveLength(1);
  // An allowed page stays allowed if the same page is counted again.
  expect(await count(String(atOnce.indexOf(true) + 2))).toBe(true);
});

it("a page is counted once, even if the cached count of the person's pages is out of date", async () => {
  const { item: old } = await countFor("usr_bob", "1");
  await countFor("usr_bob", "2");

  expect(await countFor("usr_bob", "2", old)).toMatchObject({ rang: true, item: { rung: [{ by: "1" }, { by: "2" }] } });
  expect(await countFor("usr_bob", "3", old)).toMatchObject({
    rang: false,
    item: { rung: [{ by: "1" }, { by: "2" }] },
  });
});
