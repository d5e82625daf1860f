import { describe, expect, it } from "vitest";
import { createBackupCalls, createTopicCalls } from "../../operator/first-day/aws.ts";
import { createAnsweringClient } from "./clients.ts";

describe("an SNS topic of the operator's tool", () => {
  it("is created, has a subscription over HTTPS, and is deleted", async () => {
    const { asked, client } = createAnsweringClient({ TopicArn: "arn:topic" }, { SubscriptionArn: "arn:sub" });
    const topics = createTopicCalls(client, "prod");

    expect([await topics.make(), await topics.subscribe("arn:topic", "https://x")]).toEqual(["arn:topic", "arn:sub"]);
    await topics.publish("arn:topic", "{}");
    await topics.remove("arn:topic");

    expect(asked).toEqual([
      ["CreateTopic", { Name: "event-alerting-prod-first-day" }],
      ["Subscribe", { TopicArn: "arn:topic", Protocol: "https", Endpoint: "https://x", ReturnSubscriptionArn: true }],
      ["Publish", { TopicArn: "arn:topic", Message: "{}" }],
      ["DeleteTopic", { TopicArn: "arn:topic" }],
    ]);
  });

  it("counts as confirmed once its subscription is no longer pending", async () => {
    const { asked, client } = createAnsweringClient(
      { Attributes: { PendingConfirmation: "true" } },
      {},
      { Attributes: { PendingConfirmation: "false" } },
    );
    const topics = createTopicCalls(client, "prod");
    const isConfirmed = () => topics.isConfirmed("arn:sub");

    expect([await isConfirmed(), await isConfirmed(), await isConfirmed()]).toEqual([false, false, true]);
    expect(asked[0]).toEqual(["GetSubscriptionAttributes", { SubscriptionArn: "arn:sub" }]);
  });

  it("must have a valid ARN", async () => {
    await expect(createTopicCalls(createAnsweringClient().client, "prod").make()).rejects.toThrow(
      "AWS returned no topic.",
    );
    await expect(createTopicCalls(createAnsweringClient().client, "prod").subscribe("t", "u")).rejects.toThrow(
      "AWS returned no subscription.",
    );
  });
});

describe("the backups of a table", () => {
  const at = new Date("2026-11-21T10:00:00Z");

  it("can be restored to a point in time into a new table, which can be deleted", async () => {
    const { asked, client } = createAnsweringClient({
      ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { LatestRestorableDateTime: at } },
    });
    const backups = createBackupCalls({ dynamo: client });

    await backups.restore("t", "t-2", (await backups.latest("t"))!);
    await backups.remove("t-2");

    expect(asked).toEqual([
      ["DescribeContinuousBackups", { TableName: "t" }],
      ["RestoreTableToPointInTime", { SourceTableName: "t", TargetTableName: "t-2", RestoreDateTime: at }],
      ["DeleteTable", { TableName: "t-2" }],
    ]);
  });

  it("have no latest restorable time while backups are disabled", async () => {
    const { client } = createAnsweringClient(
      {},
      { ContinuousBackupsDescription: {} },
      { ContinuousBackupsDescription: { PointInTimeRecoveryDescription: {} } },
    );
    const backups = createBackupCalls({ dynamo: client });

    expect([await backups.latest("t"), await backups.latest("t"), await backups.latest("t")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("are restored to a table that is ready once DynamoDB reports it as active", async () => {
    const { asked, client } = createAnsweringClient(
      { Table: { TableStatus: "CREATING" } },
      {},
      { Table: { TableStatus: "ACTIVE" } },
    );
    const backups = createBackupCalls({ dynamo: client });
    const isReady = () => backups.isReady("t-2");

    expect([await isReady(), await isReady(), await isReady()]).toEqual([false, false, true]);
    expect(asked[0]).toEqual(["DescribeTable", { TableName: "t-2" }]);
  });

  it("can be searched for the items of a workspace, on all pages", async () => {
    const { asked, client } = createAnsweringClient(
      { Count: 2, LastEvaluatedKey: { pk: "a" } },
      { LastEvaluatedKey: { pk: "b" } },
      { Count: 3 },
    );

    expect(await createBackupCalls({ dynamo: client }).count("t", "ws_1")).toBe(5);
    const wanted = {
      TableName: "t",
      Select: "COUNT",
      ConsistentRead: true,
      FilterExpression: "contains(pk, :ws)",
      ExpressionAttributeValues: { ":ws": "ws_1" },
    };
    expect(asked).toEqual(
      [undefined, { pk: "a" }, { pk: "b" }].map((from) => ["Scan", { ...wanted, ExclusiveStartKey: from }]),
    );
  });
});
