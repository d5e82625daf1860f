import { AttributeType, BillingMode, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";
import { isProtectedAgainstDeletion, toRemovalPolicy, type Config } from "./config.ts";

/** The interface of the table that the stack uses: its own table or a restored table. */
export type DataTable = Pick<
  Table,
  "tableArn" | "tableName" | "metric" | "metricConsumedReadCapacityUnits" | "metricConsumedWriteCapacityUnits"
>;

type TableConfig = Pick<Config, "removal" | "firstDeployment" | "tableName" | "tableWritesPerSecond">;

/**
 * The service's only table. The table is on-demand, so that nobody plans capacity, and encrypted with a key owned by AWS, which
 * is free. Point-in-time recovery covers the last 35 days. The table is protected against deletion if data is retained. A table
 * restored from a backup can replace this table.
 */
export class ServiceTable extends Construct {
  readonly table: DataTable;

  constructor(scope: Construct, id: string, config: TableConfig) {
    super(scope, id);
    const { removal, tableName, tableWritesPerSecond } = config;
    if (tableName !== undefined) {
      this.table = Table.fromTableName(this, "Table", tableName);
      return;
    }
    this.table = new Table(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      timeToLiveAttribute: "ttl",
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...(tableWritesPerSecond === undefined ? {} : { warmThroughput: { writeUnitsPerSecond: tableWritesPerSecond } }),
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
      deletionProtection: isProtectedAgainstDeletion(config),
      removalPolicy: toRemovalPolicy(removal),
    });
  }
}
