import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { defaultUsagePlan } from "../../core/domain/workspace/usage-plan.ts";
import { hashApiKey } from "../../core/domain/workspace/api-key-text.ts";
import { deflate } from "../../core/store/codec.ts";
import * as apiKeys from "../../functions/api-keys.ts";
import * as escalationPolicies from "../../functions/escalation-policies.ts";
import { createEscalator } from "../../functions/escalator.ts";
import { createPing } from "../../functions/doors/ping.ts";
import { createPostEvent } from "../../functions/doors/post-event.ts";
import * as groups from "../../functions/groups.ts";
import { createMatcher } from "../../functions/matcher.ts";
import { createSender } from "../../functions/sender.ts";
import { createSweeper } from "../../functions/sweeper.ts";
import * as workspaces from "../../functions/workspaces.ts";
import { call, findRouteKey } from "../world/http.ts";
import { NOON, createTestClock } from "../world/clock.ts";
import { toPush } from "../support/push.ts";

/*
 * Runs each kind of handler alone. The test decides what the AWS clients answer, including whether the condition of a write is
 * met. Other tests check the conditions of writes on a table.
 */

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: "local" }));
const sqsClient = new SQSClient({ region: "local" });
const dynamodb = mockClient(client);
const sqs = mockClient(sqsClient);

const KEY = ["eak", "acme", "trub2FyVctupvHc2deTyHnm1nb1k66isBUhV-ELvaZg", "1czva54"].join("_");
const EVENT = "evt_00000000700000000001";
const createdAt = "2026-11-01T00:00:00.000Z";

const startFunctionTest = () => {
  const { deps } = createTestClock(NOON);
  const createQueue = (name: string) => ({ url: `http://sqs.local/1/${name}`, client: sqsClient });
  const queues = {
    events: createQueue("events"),
    pushes: createQueue("pushes"),
    escalations: createQueue("escalations"),
    webhooks: createQueue("webhooks"),
    inbound: createQueue("inbound"),
  };
  return { ...deps, table: { name: "events", client }, queues };
};

const path = { workspaceId: "ws_acme" };
const listWrittenItems = (command: typeof PutCommand) =>
  dynamodb.commandCalls(command).map(({ args }) => args[0].input.Item);
const listAuditedItems = () =>
  dynamodb.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.TransactItems?.[0] ?? {});
const listSentMessages = () => {
  const single = sqs.commandCalls(SendMessageCommand).map(({ args }) => args[0].input.MessageBody);
  const batches = sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries ?? []);
  return [...single, ...batches.map(({ MessageBody }) => MessageBody)].map((body) => JSON.parse(body ?? "") as object);
};
const batchOf = (message: object) => ({
  Records: [
    {
      messageId: "m1",
      receiptHandle: "r1",
      body: JSON.stringify(message),
      attributes: { ApproximateReceiveCount: "1" },
    },
  ],
});

beforeEach(async () => {
  const control = { seq: 7, month: "2026-11", used: 6, tat: 0, limit: 100, rate: 60, burst: 10, rv: 1, pv: 1 };
  const hashes = new Set([await hashApiKey(KEY)]);
  const member = { pk: "WS#ws_acme#PEOPLE", sk: "MEMBER#usr_ann", userId: "usr_ann", name: "Ann", email: "a@b" };
  dynamodb.reset();
  sqs.reset();
  dynamodb.on(GetCommand).resolves({});
  dynamodb.on(QueryCommand).resolves({ Items: [] });
  dynamodb.on(BatchGetCommand).resolves({});
  dynamodb.on(PutCommand).resolves({});
  dynamodb.on(DeleteCommand).resolves({});
  dynamodb.on(TransactWriteCommand).resolves({});
  dynamodb.on(UpdateCommand).resolves({ Attributes: { ...control, hashes } });
  dynamodb.on(GetCommand, { Key: { pk: "WS#ws_acme", sk: "CONTROL" } }).resolves({ Item: { ...control, hashes } });
  dynamodb
    .on(GetCommand, { Key: { pk: member.pk, sk: member.sk }, ConsistentRead: true })
    .resolves({ Item: { ...member, createdAt } });
  sqs.on(SendMessageCommand).resolves({});
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
});

describe("an API key endpoint:", () => {
  it("ingest admits the event, writes marker and event, sends to the queue, and answers 201", async () => {
    const answer = await call(createPostEvent(startFunctionTest()), {
      headers: { "x-api-key": KEY },
      body: { event: "order.failed", title: "Order failed", body: "No stock" },
    });

    expect(answer).toMatchObject({ status: 201, body: { ok: true, eventType: "order.failed", matchedRules: 0 } });
    expect(listWrittenItems(PutCommand).map((item) => item?.["pk"] as string)).toEqual([
      expect.stringMatching(/^PENDING#\d\d$/),
      "WS#ws_acme#EVENTS",
    ]);
    expect(listSentMessages()).toMatchObject([{ kind: "accepted", event: { workspaceId: "ws_acme" } }]);
  });

  it("ping names the key's workspace, and answers 401 to an unknown key", async () => {
    dynamodb
      .on(GetCommand, { Key: { pk: "WS#ws_acme", sk: "META" } })
      .resolves({ Item: { id: "ws_acme", name: "Acme", createdAt } });
    const ping = createPing(startFunctionTest());

    expect(await call(ping, { headers: { "x-api-key": KEY } })).toMatchObject({
      status: 200,
      body: { ok: true, workspaceId: "ws_acme", workspaceName: "Acme" },
    });
    expect(await call(ping, { headers: { "x-api-key": `${KEY}x` } })).toMatchObject({
      status: 401,
      headers: { "WWW-Authenticate": "ApiKey" },
    });
  });
});

describe("an endpoint for signed-in people", () => {
  it("creates a group: stores it, informs the workers, and answers with the whole group", async () => {
    const answer = await call(groups.writes(startFunctionTest()), {
      routeKey: findRouteKey("create-group"),
      as: "usr_ann",
      path,
      body: { name: "Ops" },
    });

    expect(answer).toMatchObject({ status: 201, body: { name: "Ops", workspaceId: "ws_acme" } });
    expect(listAuditedItems()).toMatchObject([
      { Put: { Item: { pk: "WS#ws_acme#PEOPLE", sk: "GROUP#grp_0000000000100000" } } },
    ]);
    expect(dynamodb.commandCalls(UpdateCommand).at(-1)?.args[0].input).toMatchObject({
      Key: { pk: "WS#ws_acme", sk: "CONTROL" },
      ExpressionAttributeNames: { "#version": "pv" },
    });
  });

  it("writes no group for a person who is not a member", async () => {
    const answer = await call(groups.writes(startFunctionTest()), {
      routeKey: findRouteKey("create-group"),
      as: "usr_eve",
      path,
      body: { name: "Ops" },
    });

    expect(answer).toMatchObject({ status: 403, body: { code: "not_a_member" } });
    expect(listAuditedItems()).toEqual([]);
  });

  it("lists the groups of the workspace with one query", async () => {
    const group = { id: "grp_1", name: "Ops", workspaceId: "ws_acme", createdAt };
    dynamodb.on(QueryCommand).resolves({ Items: [{ pk: "WS#ws_acme#PEOPLE", sk: "GROUP#grp_1", ...group }] });

    const answer = await call(groups.reads(startFunctionTest()), {
      routeKey: findRouteKey("list-groups"),
      as: "usr_ann",
      path,
    });

    expect(answer).toMatchObject({ status: 200, body: [group] });
    expect(dynamodb.commandCalls(QueryCommand)).toHaveLength(1);
  });

  it("returns an item of the workspace, and 404 for any other id", async () => {
    const read = escalationPolicies.reads(startFunctionTest());

    const answer = await call(read, {
      routeKey: findRouteKey("get-escalation-policy"),
      as: "usr_ann",
      path: { ...path, policyId: "pol_1" },
    });

    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(dynamodb.commandCalls(GetCommand).at(-1)?.args[0].input.Key).toEqual({
      pk: "WS#ws_acme#PEOPLE",
      sk: "POLICY#pol_1",
    });
  });

  it("changes the given fields of an item, and refuses an unknown field", async () => {
    dynamodb
      .on(GetCommand, { Key: { pk: "WS#ws_acme", sk: "META" } })
      .resolves({ Item: { id: "ws_acme", name: "Acme", createdAt } });
    dynamodb.on(UpdateCommand).resolves({ Attributes: { id: "ws_acme", name: "Acme 2", version: 2, createdAt } });
    const update = workspaces.writes({
      ...startFunctionTest(),
      ways: ["push"],
      plan: defaultUsagePlan,
      readProfile: async () => ({}),
    });

    expect(
      await call(update, { routeKey: findRouteKey("update-workspace"), as: "usr_ann", path, body: { name: "Acme 2" } }),
    ).toMatchObject({
      status: 200,
      body: { name: "Acme 2" },
    });
    expect(
      await call(update, { routeKey: findRouteKey("update-workspace"), as: "usr_ann", path, body: { nmae: "Acme 2" } }),
    ).toMatchObject({
      status: 422,
      body: { errors: [{ field: "nmae", code: "unknown_field" }] },
    });
  });

  it("invalidates an API key before it deletes the item of the key, and answers 204", async () => {
    const hash = new Uint8Array(16);
    dynamodb
      .on(GetCommand, { Key: { pk: "WS#ws_acme#KEYS", sk: "key_1" } })
      .resolves({ Item: { id: "key_1", name: "CI", createdAt, hash } });

    const answer = await call(apiKeys.writes(startFunctionTest()), {
      routeKey: findRouteKey("delete-api-key"),
      as: "usr_ann",
      path: { ...path, id: "key_1" },
    });

    expect(answer).toMatchObject({ status: 204, body: undefined });
    expect(dynamodb.commandCalls(UpdateCommand)[0]?.args[0].input.UpdateExpression).toBe("DELETE hashes :hashes");
    expect(listAuditedItems()).toMatchObject([{ Delete: { Key: { pk: "WS#ws_acme#KEYS", sk: "key_1" } } }]);
  });
});

describe("a worker function:", () => {
  const content = { eventKey: "order.failed", title: "Order failed", body: "No stock", priority: "NORMAL" };
  const event = {
    workspaceId: "ws_acme",
    eventId: EVENT,
    receivedAt: NOON,
    rulesVersion: 1,
    peopleVersion: 1,
    content,
  };

  it("matcher plans an event that no rule matches, and removes its marker", async () => {
    const plan = { at: NOON, rulesVersion: 1, peopleVersion: 1, rules: [] };
    dynamodb.on(UpdateCommand).resolves({
      Attributes: {
        pk: "WS#ws_acme#EVENTS",
        sk: "000000000007",
        nonce: EVENT.slice(-11),
        by: "req_1",
        at: NOON,
        rv: 1,
        pv: 1,
        content: deflate(content),
        plan: deflate(plan),
      },
    });

    const answer = await createMatcher(startFunctionTest())(batchOf({ kind: "accepted", event, due: NOON + 30_000 }));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(dynamodb.commandCalls(DeleteCommand)[0]?.args[0].input.Key?.["sk"]).toContain(EVENT);
    expect(listSentMessages()).toEqual([]);
  });

  it("matcher leaves a message in the queue if the message cannot be processed, and logs why", async () => {
    const deps = startFunctionTest();
    dynamodb.on(UpdateCommand).rejects(new Error("the table is away"));

    const answer = await createMatcher(deps)(batchOf({ kind: "accepted", event, due: NOON + 30_000 }));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "m1" }] });
    expect(deps.log.error).toHaveBeenCalledOnce();
  });

  it("sender does not report a pack as done if the pack is not stored", async () => {
    const push = toPush(vi.fn());
    dynamodb.on(UpdateCommand).rejects(Object.assign(new Error("no"), { name: "ConditionalCheckFailedException" }));

    const answer = await createSender({ ...startFunctionTest(), push, baseUrl: "https://alerts.example" })(
      batchOf({
        marker: { ws: "ws_acme", eventId: EVENT, due: NOON },
        packId: "00000000100000000200000000",
        userIds: ["usr_ann"],
        sizes: [[0, 1]],
        text: { title: "Order failed", body: "No stock" },
      }),
    );

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "m1" }] });
    expect(push.send).not.toHaveBeenCalled();
  });

  it("escalator does nothing for a step of a deleted event, and keeps the step's marker until the marker is old", async () => {
    const marker = {
      ws: "ws_acme",
      eventId: EVENT,
      due: NOON,
      step: { rule: 0, cursor: 1 },
      since: NOON - 1,
      tries: 0,
    };

    const answer = await createEscalator(startFunctionTest())(batchOf({ marker }));

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(dynamodb.commandCalls(DeleteCommand)).toEqual([]);
    expect(listSentMessages()).toEqual([]);
  });

  it("sweeper postpones an overdue marker and sends its event to the matcher, but not in the last three seconds of its time", async () => {
    const marker = { ws: "ws_acme", eventId: EVENT, due: NOON - 1, since: NOON - 60_000, tries: 0 };
    dynamodb
      .on(QueryCommand, { ExpressionAttributeValues: { ":pk": "PENDING#00", ":to": `${NOON + 60_000}~` } })
      .resolves({ Items: [{ pk: "PENDING#00", sk: `${NOON - 1}#ws_acme#${EVENT}`, ...marker }] });

    const sweep = createSweeper(startFunctionTest());
    await sweep(undefined, { getRemainingTimeInMillis: () => 3_000 });
    expect(listWrittenItems(PutCommand)).toEqual([]);
    await sweep(undefined, { getRemainingTimeInMillis: () => 60_000 });

    expect(listWrittenItems(PutCommand)).toMatchObject([{ eventId: EVENT, tries: 1, due: NOON + 30_000 }]);
    expect(listSentMessages()).toMatchObject([{ kind: "unfinished", marker: { eventId: EVENT, tries: 1 } }]);
  });
});
