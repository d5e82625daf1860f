import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { createGroup } from "../../../functions/groups/create-group.ts";
import { testClock } from "../../world/clock.ts";
import { call } from "../../support/http.ts";

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: "local" }));
const dynamodb = mockClient(client);

const setUp = () => {
  const { deps } = testClock();
  return createGroup({ ...deps, table: { name: "events", client } });
};

const ann = { pk: "WS#ws_1#PEOPLE", sk: "MEMBER#usr_ann", userId: "usr_ann", name: "Ann", email: "ann@acme.example" };

beforeEach(() => {
  dynamodb.reset();
  dynamodb.on(GetCommand).resolves({});
  dynamodb
    .on(GetCommand, { Key: { pk: "WS#ws_1#PEOPLE", sk: "MEMBER#usr_ann" }, ConsistentRead: true })
    .resolves({ Item: { ...ann, createdAt: "2026-11-01T00:00:00.000Z" } });
  dynamodb.on(PutCommand).resolves({});
  dynamodb
    .on(UpdateCommand)
    .resolves({ Attributes: { seq: 0, month: "", used: 0, tat: 0, limit: 1, rate: 1, burst: 1, rv: 1, pv: 2 } });
});

describe("creating a group", () => {
  it("stores it under the workspace, tells the workers, and answers with the whole of it", async () => {
    const answer = await call(setUp(), { as: "usr_ann", path: { workspaceId: "ws_1" }, body: { name: "Ops" } });

    expect(answer).toMatchObject({
      status: 201,
      body: { id: "grp_0000000000100000", name: "Ops", workspaceId: "ws_1", createdAt: "2026-11-21T12:00:00.000Z" },
    });
    expect(dynamodb.commandCalls(PutCommand)[0]?.args[0].input).toMatchObject({
      TableName: "events",
      Item: { pk: "WS#ws_1#PEOPLE", sk: "GROUP#grp_0000000000100000", name: "Ops" },
    });
    expect(dynamodb.commandCalls(UpdateCommand)[0]?.args[0].input).toMatchObject({
      Key: { pk: "WS#ws_1", sk: "CONTROL" },
      ExpressionAttributeNames: { "#version": "pv" },
    });
  });

  it("writes nothing for somebody who is no member", async () => {
    const answer = await call(setUp(), { as: "usr_eve", path: { workspaceId: "ws_1" }, body: { name: "Ops" } });

    expect(answer).toMatchObject({ status: 403, body: { code: "not_a_member" } });
    expect(dynamodb.commandCalls(PutCommand)).toHaveLength(0);
  });
});
