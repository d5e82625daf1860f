import { expect, it } from "vitest";
import { processConcurrently, rotateItems, mapLimit } from "../../../../core/domain/basics/in-turns.ts";

const createWork = () => {
  const seen = { atOnce: 0, most: 0, begun: [] as number[] };
  const work = async (item: number): Promise<void> => {
    seen.begun.push(item);
    seen.atOnce += 1;
    seen.most = Math.max(seen.most, seen.atOnce);
    // Within a batch, the first item finishes last.
    for (let turn = 10 - item; turn > 0; turn -= 1) await Promise.resolve();
    seen.atOnce -= 1;
    if (item === 3) throw new Error("three");
  };
  return { seen, work };
};

it("items are processed with limited concurrency, and the results keep the order of the items", async () => {
  const { seen, work } = createWork();

  const results = await mapLimit([1, 2, 4, 5, 6], 2, async (item) => {
    await work(item);
    return item * 10;
  });

  expect(results).toEqual([10, 20, 40, 50, 60]);
  expect(seen).toMatchObject({ most: 2, begun: [1, 2, 4, 5, 6] });
  expect(await mapLimit([], 2, work)).toEqual([]);
  await expect(mapLimit([3], 1, work)).rejects.toThrow("three");
});

it("a list is processed a few items per turn: each turn has the next items, and after the last item comes the first", () => {
  const turns = [0, 1, 2, 3].map((turn) => rotateItems(["a", "b", "c", "d", "e"], 2, turn).join(""));

  expect(turns).toEqual(["ab", "cd", "ea", "bc"]);
  expect(rotateItems(["a", "b"], 3, 7)).toEqual(["b", "a"]);
  expect(rotateItems([], 3, 7)).toEqual([]);
});

it("each item is processed once, even after another item failed", async () => {
  const { seen, work } = createWork();

  const ends = await processConcurrently([1, 2, 3, 4, 5], 2, work);

  expect(seen).toMatchObject({ most: 2, begun: [1, 2, 3, 4, 5] });
  expect(ends.map(({ status }) => status).toSorted()).toEqual([...Array<string>(4).fill("fulfilled"), "rejected"]);
  expect(await processConcurrently([], 2, work)).toEqual([]);
});
