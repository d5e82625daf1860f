import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import { listStoredNumbers } from "../../../core/store/events/sequence.ts";
import { putItem, queryItems } from "../../../core/store/table.ts";
import { toSeconds } from "../../../core/domain/basics/seconds.ts";

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: "local" }));
const dynamodb = mockClient(client);
const deps = { table: { name: "events", client } };

const page = (from: number, hasMore: boolean) => ({
  Items: [from, from + 1].map((n) => ({ pk: "WS#ws_1", sk: `${n}`, n })),
  ...(hasMore ? { LastEvaluatedKey: { pk: "WS#ws_1", sk: `${from + 1}` } } : {}),
});
const read = (limit?: number) =>
  queryItems(deps, { pk: "WS#ws_1" }, v.object({ n: v.number() }), limit === undefined ? {} : { limit });
const listQueries = () => dynamodb.commandCalls(QueryCommand).map(({ args }) => args[0].input);

beforeEach(() => {
  dynamodb.reset();
  // DynamoDB ends a page at 1 MB, however many items are requested, and may end it without an item.
  dynamodb
    .on(QueryCommand)
    .resolvesOnce(page(1, true))
    .resolvesOnce({ Items: [], LastEvaluatedKey: { pk: "WS#ws_1", sk: "2" } })
    .resolvesOnce(page(3, true))
    .resolves(page(5, false));
});

describe("a query for more than 1 MB", () => {
  it("is read to its end, and each page continues where the last one ended", async () => {
    expect((await read()).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);

    expect(listQueries().map(({ ExclusiveStartKey }) => ExclusiveStartKey?.["sk"] as string | undefined)).toEqual([
      undefined,
      "2",
      "2",
      "4",
    ]);
  });

  it("with a limit returns that number of items, even if a page of the table ends earlier", async () => {
    expect((await read(4)).map(({ n }) => n)).toEqual([1, 2, 3, 4]);

    expect(listQueries().map(({ Limit }) => Limit)).toEqual([4, 2, 2]);
  });

  it("for event numbers is read to its end, because unread numbers would count as lost", async () => {
    expect(await listStoredNumbers(deps, "ws_1", { from: 1, to: 9 })).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });
});

it("an item's time to live must be in seconds: code with milliseconds does not compile", async () => {
  const key = { pk: "WS#ws_1", sk: "1" };
  await putItem(deps, key, { ttl: toSeconds(1_800_000_000_001) });
  // @ts-expect-error: milliseconds
  await putItem(deps, key, { ttl: 1_800_000_000_001 });

  expect(dynamodb.commandCalls(PutCommand)[0]?.args[0].input.Item).toEqual({ ...key, ttl: 1_800_000_001 });
});
