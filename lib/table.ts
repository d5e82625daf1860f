import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, BillingMode, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";
import type { Config } from "./config.ts";

/** What the stack uses of the table, wherever it comes from. */
export type DataTable = Pick<
  Table,
  "tableArn" | "tableName" | "metric" | "metricConsumedReadCapacityUnits" | "metricConsumedWriteCapacityUnits"
>;

/**
 * The one table. On-demand, so that nobody plans capacity; encrypted by a key that AWS owns, which costs nothing; any
 * second of the last 35 days can be restored. Where data is kept, it cannot be deleted by accident either. A table that was restored from a backup can take its place.
 */
export class ServiceTable extends Construct {
  readonly table: DataTable;

  constructor(scope: Construct, id: string, { removal, tableName }: Pick<Config, "removal" | "tableName">) {
    super(scope, id);
    if (tableName !== undefined) {
      this.table = Table.fromTableName(this, "Table", tableName);
      return;
    }
    const retain = removal === "retain";
    this.table = new Table(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      timeToLiveAttribute: "ttl",
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
