import {
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  RestoreTableToPointInTimeCommand,
} from "@aws-sdk/client-dynamodb";
import {
  CreateTopicCommand,
  DeleteTopicCommand,
  GetSubscriptionAttributesCommand,
  PublishCommand,
  type SNSClient,
  SubscribeCommand,
} from "@aws-sdk/client-sns";
import { ScanCommand, type ScanCommandOutput } from "@aws-sdk/lib-dynamodb";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import type { Clients } from "../clients.ts";

export type Topics = {
  make: () => Promise<string>;
  subscribe: (topic: string, url: string) => Promise<string>;
  isConfirmed: (subscription: string) => Promise<boolean>;
  publish: (topic: string, message: string) => Promise<void>;
  remove: (topic: string) => Promise<void>;
};

export type Backups = {
  latest: (table: string) => Promise<number | undefined>;
  restore: (table: string, target: string, at: number) => Promise<void>;
  isReady: (table: string) => Promise<boolean>;
  /** Counts a workspace's items by reading the whole table. */
  count: (table: string, ws: WorkspaceId) => Promise<number>;
  remove: (table: string) => Promise<void>;
};

const requireValue = (value: string | undefined, name: string): string => {
  if (value === undefined) throw new Error(`AWS returned no ${name}.`);
  return value;
};

/** Returns functions that create, use and delete an SNS topic for the check of a stage. */
export const createTopicCalls = (sns: Pick<SNSClient, "send">, stage: string): Topics => ({
  make: async () => {
    const { TopicArn } = await sns.send(new CreateTopicCommand({ Name: `event-alerting-${stage}-first-day` }));
    return requireValue(TopicArn, "topic");
  },
  subscribe: async (TopicArn, Endpoint) => {
    const { SubscriptionArn } = await sns.send(
      new SubscribeCommand({ TopicArn, Protocol: "https", Endpoint, ReturnSubscriptionArn: true }),
    );
    return requireValue(SubscriptionArn, "subscription");
  },
  isConfirmed: async (SubscriptionArn) => {
    const { Attributes } = await sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn }));
    return Attributes?.["PendingConfirmation"] === "false";
  },
  publish: async (TopicArn, Message) => {
    await sns.send(new PublishCommand({ TopicArn, Message }));
  },
  remove: async (TopicArn) => {
    await sns.send(new DeleteTopicCommand({ TopicArn }));
  },
});

/** Returns functions that restore a table to an earlier time, and read and delete the restored table. */
export const createBackupCalls = ({ dynamo }: Pick<Clients, "dynamo">): Backups => ({
  latest: async (TableName) => {
    const { ContinuousBackupsDescription: found } = await dynamo.send(
      new DescribeContinuousBackupsCommand({ TableName }),
    );
    return found?.PointInTimeRecoveryDescription?.LatestRestorableDateTime?.getTime();
  },
  restore: async (SourceTableName, TargetTableName, at) => {
    await dynamo.send(
      new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, RestoreDateTime: new Date(at) }),
    );
  },
  isReady: async (TableName) => {
    const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
    return Table?.TableStatus === "ACTIVE";
  },
  count: async (TableName, ws) => {
    let items = 0;
    let next: ScanCommandOutput["LastEvaluatedKey"];
    do {
      const page: ScanCommandOutput = await dynamo.send(
        new ScanCommand({
          TableName,
          Select: "COUNT",
          ConsistentRead: true,
          FilterExpression: "contains(pk, :ws)",
          ExpressionAttributeValues: { ":ws": ws },
          ExclusiveStartKey: next,
        }),
      );
      items += page.Count ?? 0;
      next = page.LastEvaluatedKey;
    } while (next !== undefined);
    return items;
  },
  remove: async (TableName) => {
    await dynamo.send(new DeleteTableCommand({ TableName }));
  },
});
