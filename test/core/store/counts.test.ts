import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { givePlaceBack, takePlace, type Countable } from "../../../core/store/counts.ts";
import { startTable, type TestTable } from "../../world/table.ts";

let stand: TestTable;
beforeAll(async () => {
  stand = await startTable();
});
afterAll(() => stand.close());

const MAX = 5;
const counted = (ws: string): Countable => ({
  name: "rules",
  noun: "routing rules",
  max: MAX,
  range: { pk: `WS#${ws}#RULES` },
});

/** So many things in the table, counted or not. */
const put = (ws: string, from: number, to: number) =>
  stand.fill(Array.from({ length: to - from }, (_, index) => ({ pk: `WS#${ws}#RULES`, sk: `rule_${from + index}` })));

const full = "A workspace has at most 5 routing rules. Delete one first.";

describe("a limited number of things", () => {
  it("has room for the last one and not for one more", async () => {
    await put("ws_a", 0, MAX - 1);
    await takePlace(stand, "ws_a", counted("ws_a"));
    await put("ws_a", MAX - 1, MAX);

    await expect(takePlace(stand, "ws_a", counted("ws_a"))).rejects.toMatchObject({
      kind: "limit_reached",
      message: full,
    });
  });

  it("has room again for each that is gone", async () => {
    for (let place = 0; place < MAX; place += 1) await takePlace(stand, "ws_b", counted("ws_b"));
    await put("ws_b", 0, MAX);
    await givePlaceBack(stand, "ws_b", counted("ws_b"));

    await takePlace(stand, "ws_b", counted("ws_b"));

    await expect(takePlace(stand, "ws_b", counted("ws_b"))).rejects.toThrow(full);
  });

  it("is counted before it is refused: places that were taken for nothing are free", async () => {
    for (let place = 0; place < MAX; place += 1) await takePlace(stand, "ws_c", counted("ws_c"));
    await put("ws_c", 0, 2);

    await takePlace(stand, "ws_c", counted("ws_c"));
  });

  it("is not exceeded by requests at the same moment", async () => {
    await takePlace(stand, "ws_d", counted("ws_d"));
    await put("ws_d", 0, MAX);

    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => takePlace(stand, "ws_d", counted("ws_d"))));

    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX - 1);
  });
});
