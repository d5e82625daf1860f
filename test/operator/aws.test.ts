import { describe, expect, it } from "vitest";
import { backupsOf, topicsOf } from "../../operator/first-day/aws.ts";

type Asked = { constructor: { name: string }; input: object };

/** A client of AWS that gives one answer after the other, and notes what it was asked. */
const aws = (...answers: object[]) => {
  const asked: [string, object][] = [];
  const send = async ({ constructor, input }: Asked) => {
    asked.push([constructor.name, { ...input }]);
    return answers.shift() ?? {};
  };
  return { asked, client: { send: send as never } };
};

describe("a topic of SNS", () => {
  it("is made, has a subscription over HTTPS, and is deleted", async () => {
    const { asked, client } = aws({ TopicArn: "arn:topic" }, { SubscriptionArn: "arn:sub" });
    const topics = topicsOf(client, "prod");

    expect([await topics.make(), await topics.subscribe("arn:topic", "https://x")]).toEqual(["arn:topic", "arn:sub"]);
    await topics.publish("arn:topic", "{}");
    await topics.remove("arn:topic");

    expect(asked).toEqual([
      ["CreateTopicCommand", { Name: "event-alerting-prod-first-day" }],
      [
        "SubscribeCommand",
        { TopicArn: "arn:topic", Protocol: "https", Endpoint: "https://x", ReturnSubscriptionArn: true },
      ],
      ["PublishCommand", { TopicArn: "arn:topic", Message: "{}" }],
      ["DeleteTopicCommand", { TopicArn: "arn:topic" }],
    ]);
  });

  it("has a subscription that is confirmed when it is not pending", async () => {
    const { asked, client } = aws(
      { Attributes: { PendingConfirmation: "true" } },
      {},
      { Attributes: { PendingConfirmation: "false" } },
    );
    const topics = topicsOf(client, "prod");
    const isConfirmed = () => topics.isConfirmed("arn:sub");

    expect([await isConfirmed(), await isConfirmed(), await isConfirmed()]).toEqual([false, false, true]);
    expect(asked[0]).toEqual(["GetSubscriptionAttributesCommand", { SubscriptionArn: "arn:sub" }]);
  });

  it("must have names that AWS gives", async () => {
    await expect(topicsOf(aws().client, "prod").make()).rejects.toThrow("AWS gave no topic.");
    await expect(topicsOf(aws().client, "prod").subscribe("t", "u")).rejects.toThrow("AWS gave no subscription.");
  });
});

describe("a table's backups", () => {
  const at = new Date("2026-11-21T10:00:00Z");

  it("are restored to a moment, into a table of its own, which is deleted", async () => {
    const { asked, client } = aws({
      ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { LatestRestorableDateTime: at } },
    });
    const backups = backupsOf({ dynamo: client });

    await backups.restore("t", "t-2", (await backups.latest("t"))!);
    await backups.remove("t-2");

    expect(asked).toEqual([
      ["DescribeContinuousBackupsCommand", { TableName: "t" }],
      ["RestoreTableToPointInTimeCommand", { SourceTableName: "t", TargetTableName: "t-2", RestoreDateTime: at }],
      ["DeleteTableCommand", { TableName: "t-2" }],
    ]);
  });

  it("have no newest moment where they are not kept", async () => {
    const { client } = aws(
      {},
      { ContinuousBackupsDescription: {} },
      { ContinuousBackupsDescription: { PointInTimeRecoveryDescription: {} } },
    );
    const backups = backupsOf({ dynamo: client });

    expect([await backups.latest("t"), await backups.latest("t"), await backups.latest("t")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("are there once the table is active", async () => {
    const { asked, client } = aws({ Table: { TableStatus: "CREATING" } }, {}, { Table: { TableStatus: "ACTIVE" } });
    const backups = backupsOf({ dynamo: client });
    const isReady = () => backups.isReady("t-2");

    expect([await isReady(), await isReady(), await isReady()]).toEqual([false, false, true]);
    expect(asked[0]).toEqual(["DescribeTableCommand", { TableName: "t-2" }]);
  });

  it("have the items of a workspace on all pages", async () => {
    const { asked, client } = aws(
      { Count: 2, LastEvaluatedKey: { pk: "a" } },
      { LastEvaluatedKey: { pk: "b" } },
      { Count: 3 },
    );

    expect(await backupsOf({ dynamo: client }).count("t", "ws_1")).toBe(5);
    const wanted = {
      TableName: "t",
      Select: "COUNT",
      ConsistentRead: true,
      FilterExpression: "contains(pk, :ws)",
      ExpressionAttributeValues: { ":ws": "ws_1" },
    };
    expect(asked).toEqual(
      [undefined, { pk: "a" }, { pk: "b" }].map((from) => ["ScanCommand", { ...wanted, ExclusiveStartKey: from }]),
    );
  });
});
