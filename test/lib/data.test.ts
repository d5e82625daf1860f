import { expect, test } from "vitest";
import { at, type Resource, resourcesOf } from "./support.ts";

const resources = resourcesOf();
const [[, table]] = resources("AWS::DynamoDB::Table") as [[string, Resource]];

test("any second of 35 days can be restored, and nothing is deleted by accident", () => {
  expect(table.Properties).toMatchObject({
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
    DeletionProtectionEnabled: true,
    BillingMode: "PAY_PER_REQUEST",
    TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
  });
  for (const type of ["AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::SecretsManager::Secret"])
    expect(new Set(resources(type).map(([, { DeletionPolicy }]) => DeletionPolicy))).toEqual(new Set(["Retain"]));
});

test("where data may go, it goes with the stack", () => {
  const throwaway = resourcesOf({ removal: "destroy" });

  for (const type of ["AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::SecretsManager::Secret"])
    expect(new Set(throwaway(type).map(([, { DeletionPolicy }]) => DeletionPolicy))).toEqual(new Set(["Delete"]));
  expect(at(throwaway("AWS::DynamoDB::Table")[0]?.[1], "DeletionProtectionEnabled")).toBe(false);
});

test("a restored table takes the place of the stack's own, in environment and permissions", () => {
  const restored = resourcesOf({ tableName: "restored-1" });

  expect(restored("AWS::DynamoDB::Table")).toEqual([]);
  const text = JSON.stringify([restored("AWS::Lambda::Function"), restored("AWS::IAM::Role")]);
  expect(text).toContain('"TABLE_NAME":"restored-1"');
  expect(text).toContain(":table/restored-1");
});
