import { expect, it } from "vitest";
import { countPages, type PagesItem } from "../../../core/store/delivery/pages.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();
const { deps: clock } = createTestClock();

const deps = { ...clock, table: stand.table };
const countPageFor = async (userId: string, pageId: string, known?: PagesItem) => {
  const one = { by: pageId, at: clock.now(), priority: "NORMAL" as const };
  const { allowed, item } = await countPages(deps, "ws_1", userId, [{ one, limit: 2, uncounted: [] }], known);
  return { isAllowed: allowed[0], item };
};

it("pages of a person that are counted at the same moment do not exceed the page limit together", async () => {
  const countPage = async (pageId: string) => (await countPageFor("usr_ann", pageId)).isAllowed;

  expect(await countPage("1")).toBe(true);
  const atOnce = await Promise.all(["2", "3", "4"].map(countPage));

  expect(atOnce.filter((pages) => pages === true)).toHaveLength(1);
  // An allowed page stays allowed if the same page is counted again.
  expect(await countPage(String(atOnce.indexOf(true) + 2))).toBe(true);
});

it("a page is counted once, even if the cached count of the person's pages is out of date", async () => {
  const { item: old } = await countPageFor("usr_bob", "1");
  await countPageFor("usr_bob", "2");

  expect(await countPageFor("usr_bob", "2", old)).toMatchObject({
    isAllowed: true,
    item: { rung: [{ by: "1" }, { by: "2" }] },
  });
  expect(await countPageFor("usr_bob", "3", old)).toMatchObject({
    isAllowed: false,
    item: { rung: [{ by: "1" }, { by: "2" }] },
  });
});
