import { expect, test } from "vitest";
import type { Context } from "../../lib/context.ts";
import { aStack, valueAt, type Resource, resourcesOf, templateWith } from "./support.ts";

const resources = resourcesOf();
const [[, table]] = resources("AWS::DynamoDB::Table") as [[string, Resource]];

test("any second of the last 35 days can be restored, and no data is deleted by accident", () => {
  expect(table.Properties).toMatchObject({
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
    DeletionProtectionEnabled: true,
    BillingMode: "PAY_PER_REQUEST",
    TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
  });
  for (const type of ["AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::SecretsManager::Secret"])
    expect(new Set(resources(type).map(([, { DeletionPolicy }]) => DeletionPolicy))).toEqual(
      new Set(["RetainExceptOnCreate"]),
    );
});

test("a first deployment that fails leaves nothing that blocks the next attempt or costs money", () => {
  const first = resourcesOf({ firstDeployment: "true" });
  const kept = Object.entries(templateWith({ firstDeployment: "true" })).filter(
    ([, { DeletionPolicy }]) => DeletionPolicy === "Retain",
  );

  expect(kept.map(([id]) => id)).toEqual([]);
  // CloudFormation cannot delete a protected table.
  expect(valueAt(first("AWS::DynamoDB::Table")[0]?.[1], "DeletionProtectionEnabled")).toBe(false);
  expect(valueAt(first("AWS::Cognito::UserPool")[0]?.[1], "DeletionProtection")).toBe("INACTIVE");
  expect([aStack({ firstDeployment: "true" }).terminationProtection, aStack().terminationProtection]).toEqual([
    false,
    true,
  ]);
});

test("data is deleted with the stack if the stage allows that", () => {
  const throwaway = resourcesOf({ removal: "destroy" });

  for (const type of ["AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::SecretsManager::Secret"])
    expect(new Set(throwaway(type).map(([, { DeletionPolicy }]) => DeletionPolicy))).toEqual(new Set(["Delete"]));
  expect(valueAt(throwaway("AWS::DynamoDB::Table")[0]?.[1], "DeletionProtectionEnabled")).toBe(false);
});

test("a table has no warm throughput of its own, which costs more, unless the stage sets one", () => {
  const readWarmThroughput = (context: Context) =>
    valueAt(resourcesOf(context)("AWS::DynamoDB::Table")[0]?.[1], "WarmThroughput.WriteUnitsPerSecond");

  expect([readWarmThroughput({}), readWarmThroughput({ tableWritesPerSecond: 8000 })]).toEqual([undefined, 8000]);
});

test("a restored table replaces the stack's own table in environment variables and permissions", () => {
  const restored = resourcesOf({ tableName: "restored-1" });

  expect(restored("AWS::DynamoDB::Table")).toEqual([]);
  const text = JSON.stringify([restored("AWS::Lambda::Function"), restored("AWS::IAM::Role")]);
  expect(text).toContain('"TABLE_NAME":"restored-1"');
  expect(text).toContain(":table/restored-1");
});
