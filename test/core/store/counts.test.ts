import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import {
  lowerCount,
  reserveCounts,
  createIncreaseOfConditions,
  createIncreaseOfGroupMembers,
  createIncreaseByOne,
  type Countable,
} from "../../../core/store/configuration/counts.ts";
import { CONDITIONS_MAX_BYTES } from "../../../core/domain/basics/limits.ts";
import { deflate } from "../../../core/store/codec.ts";
import type { TestTable } from "../../world/table.ts";
import { useTable } from "../../world/use-table.ts";

const stand = await useTable();

const MAX = 5;
const countableRules = (ws: WorkspaceId): Countable => ({
  name: "rules",
  noun: "routing rules",
  max: MAX,
  range: { pk: `WS#${ws}#RULES` },
});

/** Stores items directly, without changing a count. */
const put = (ws: WorkspaceId, from: number, to: number) =>
  stand.fill(Array.from({ length: to - from }, (_, index) => ({ pk: `WS#${ws}#RULES`, sk: `rule_${from + index}` })));

const reserveOne = (deps: TestTable, ws: WorkspaceId, countable: Countable) =>
  reserveCounts(deps, ws, createIncreaseByOne(deps, countable));

const full = "A workspace has at most 5 routing rules. Delete one first.";

describe("a limited number of items in a workspace", () => {
  it("allows items up to the limit, and not one item more", async () => {
    await put("ws_a", 0, MAX - 1);
    await reserveOne(stand, "ws_a", countableRules("ws_a"));
    await put("ws_a", MAX - 1, MAX);

    await expect(reserveOne(stand, "ws_a", countableRules("ws_a"))).rejects.toMatchObject({
      kind: "limit_reached",
      message: full,
    });
  });

  it("allows another item for each deleted item", async () => {
    for (let number = 0; number < MAX; number += 1) await reserveOne(stand, "ws_b", countableRules("ws_b"));
    await put("ws_b", 0, MAX);
    await lowerCount(stand, "ws_b", countableRules("ws_b"));

    await reserveOne(stand, "ws_b", countableRules("ws_b"));

    await expect(reserveOne(stand, "ws_b", countableRules("ws_b"))).rejects.toThrow(full);
  });

  it("is counted again before a request is refused, so that deleted items free their slots", async () => {
    for (let number = 0; number < MAX; number += 1) await reserveOne(stand, "ws_c", countableRules("ws_c"));
    await put("ws_c", 0, 2);

    await reserveOne(stand, "ws_c", countableRules("ws_c"));
  });

  it("is not exceeded by requests at the same moment", async () => {
    await reserveOne(stand, "ws_d", countableRules("ws_d"));
    await put("ws_d", 0, MAX);

    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => reserveOne(stand, "ws_d", countableRules("ws_d"))),
    );

    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX - 1);
  });
});

describe("a limited total size in a workspace", () => {
  const countBytes = (conditions: unknown[]) => Buffer.byteLength(JSON.stringify(conditions));
  const conditionsOfSize = (size: number) => ["x".repeat(size - countBytes([""]))];
  const putRules = async (ws: WorkspaceId, sizes: number[]) => {
    const items = sizes.map((size, index) => ({ conditions: deflate(conditionsOfSize(size)), sk: `rule_${index}` }));
    await stand.fill(items.map((item) => ({ ...item, pk: `WS#${ws}#RULES` })));
  };
  const third = Math.floor(CONDITIONS_MAX_BYTES / 3);

  it("allows conditions of rules and silences up to the limit, and not a byte more", async () => {
    await putRules("ws_e", [third, third]);
    const rest = CONDITIONS_MAX_BYTES - 2 * third;

    await expect(
      reserveCounts(stand, "ws_e", ...createIncreaseOfConditions(stand, "ws_e", conditionsOfSize(rest + 1))),
    ).rejects.toMatchObject({
      kind: "limit_reached",
      message:
        "The conditions of a workspace's rules and silences may have at most 10000000 bytes as JSON; " +
        "with this change they would have 10000001. Shorten or delete some first.",
    });
    await reserveCounts(stand, "ws_e", ...createIncreaseOfConditions(stand, "ws_e", conditionsOfSize(rest)));
  });

  it("counts a change of an item by its difference in size", async () => {
    await putRules("ws_f", [third, third, third]);
    const increaseOfChange = (size: number) =>
      createIncreaseOfConditions(stand, "ws_f", conditionsOfSize(size), conditionsOfSize(third));

    await reserveCounts(stand, "ws_f", ...increaseOfChange(third + 1));
    await expect(reserveCounts(stand, "ws_f", ...increaseOfChange(third + 2))).rejects.toThrow("10000001");
    await reserveCounts(stand, "ws_f", ...increaseOfChange(third - 1));
  });

  it("accepts all items of a request, or none", async () => {
    await put("ws_g", 0, MAX);
    await reserveCounts(stand, "ws_g", createIncreaseOfGroupMembers(stand, "ws_g"));

    await expect(
      reserveCounts(
        stand,
        "ws_g",
        createIncreaseOfGroupMembers(stand, "ws_g"),
        createIncreaseByOne(stand, countableRules("ws_g")),
      ),
    ).rejects.toMatchObject({ kind: "limit_reached" });

    const { Item } = await stand.table.client.send(
      new GetCommand({ TableName: stand.table.name, Key: { pk: "WS#ws_g", sk: "COUNTS" } }),
    );
    expect(Item).toMatchObject({ groupPlaces: 1 });
  });

  it("counts the members of all groups together, and allows more members up to the limit", async () => {
    const increase = { ...createIncreaseOfGroupMembers(stand, "ws_h"), max: 2 };
    const addMember = async (user: string) => {
      await reserveCounts(stand, "ws_h", increase);
      await stand.table.client.send(
        new PutCommand({ TableName: stand.table.name, Item: { pk: "WS#ws_h#PEOPLE", sk: `IN#grp_1#${user}` } }),
      );
    };

    await addMember("usr_a");
    await addMember("usr_b");

    await expect(addMember("usr_c")).rejects.toMatchObject({ kind: "limit_reached" });
  });
});
