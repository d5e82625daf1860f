import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createEngine } from "../../../local/dynamodb/engine.ts";
import { createMemoryStore, openFileStore } from "../../../local/dynamodb/item-store.ts";

const TableName = "events";
const dir = mkdtempSync(join(tmpdir(), "scan-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const stores = [
  ["in memory", () => createMemoryStore()],
  ["in a file", () => openFileStore(join(dir, "table.sqlite"), { waitMs: 0 })],
] as const;

describe.each(stores)("a local table %s", (_, open) => {
  it("is scanned page by page, with every item once", () => {
    const engine = createEngine({ tableName: TableName, store: open() });
    const filling = { S: "x".repeat(300_000) };
    const keys = ["b 1", "a 2", "a 1", "c 1", "a 3"].map((key) => key.split(" "));
    for (const [pk = "", sk = ""] of keys)
      engine.execute("PutItem", { TableName, Item: { pk: { S: pk }, sk: { S: sk }, filling } });

    const found: string[][] = [];
    let start: object | undefined;
    do {
      const { body } = engine.execute("Scan", { TableName, ...(start && { ExclusiveStartKey: start }) } as never);
      const items = body["Items"] as { pk: { S: string }; sk: { S: string } }[];
      found.push(items.map(({ pk, sk }) => `${pk.S} ${sk.S}`));
      start = body["LastEvaluatedKey"] as object | undefined;
    } while (start !== undefined);
    engine.close();

    expect(found.length).toBe(2);
    expect(found.flat().sort()).toEqual(["a 1", "a 2", "a 3", "b 1", "c 1"]);
  });

  it("compares whole maps and lists in a condition", () => {
    const engine = createEngine({ tableName: TableName, store: open() });
    const Key = { pk: { S: "p" }, sk: { S: "s" } };
    const by = { M: { id: { S: "usr_a" }, at: { N: "1" } } };
    engine.execute("PutItem", { TableName, Item: { ...Key, by, all: { L: [by] } } });
    const updateIfEqual = (wanted: object, stored: object) =>
      engine.execute("UpdateItem", {
        TableName,
        Key,
        UpdateExpression: "SET seen = :yes",
        ConditionExpression: "#by = :by AND #all = :all",
        ExpressionAttributeNames: { "#by": "by", "#all": "all" },
        ExpressionAttributeValues: { ":yes": { BOOL: true }, ":by": wanted, ":all": stored },
      } as never).status;
    const other = { M: { id: { S: "usr_b" }, at: { N: "1" } } };

    expect([
      updateIfEqual(other, { L: [by] }),
      updateIfEqual(by, { L: [other] }),
      updateIfEqual(by, { L: [] }),
    ]).toEqual([400, 400, 400]);
    expect(updateIfEqual({ M: { at: { N: "1" }, id: { S: "usr_a" } } }, { L: [by] })).toBe(200);
    engine.close();
  });
});
