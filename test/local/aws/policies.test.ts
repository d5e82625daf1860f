import { expect, it } from "vitest";
import { createPolicies } from "../../../local/aws/policies.ts";

const table = "arn:aws:dynamodb:us-east-1:000000000000:table/events";
const policiesOf = (...statements: Parameters<typeof createPolicies>[0][number]["statements"]) =>
  createPolicies([{ name: "reader", statements }]);

it("the stand-in for IAM allows only what a statement allows", () => {
  const policies = policiesOf({ Effect: "Allow", Action: ["dynamodb:GetItem"], Resource: [table] });

  expect(policies.authorize("reader", "dynamodb:GetItem", table)).toStrictEqual({ allowed: true });
  expect(policies.authorize("reader", "dynamodb:PutItem", table)).toStrictEqual({
    allowed: false,
    message:
      `User: reader is not authorized to perform: dynamodb:PutItem on resource: ${table} ` +
      "because no identity-based policy allows the dynamodb:PutItem action",
  });
  expect(policies.authorize("reader", "dynamodb:GetItem", `${table}2`).allowed).toBe(false);
  expect(policies.authorize("somebody", "dynamodb:GetItem", table).allowed).toBe(false);
});

it("the stand-in for IAM lets only wildcards match any text; dots and brackets match only themselves", () => {
  const policies = policiesOf({ Effect: "Allow", Action: ["DynamoDB:*Item"], Resource: ["arn:*:table/ev?nts"] });

  expect(policies.authorize("reader", "dynamodb:GetItem", table).allowed).toBe(true);
  expect(policies.authorize("reader", "dynamodb:Query", table).allowed).toBe(false);
  expect(policies.authorize("reader", "dynamodb:GetItem", `${table}s`).allowed).toBe(false);
});

it("the stand-in for IAM denies what one statement denies, whatever others allow", () => {
  const policies = policiesOf(
    { Effect: "Allow", Action: ["*"], Resource: ["*"] },
    { Effect: "Deny", Action: ["dynamodb:DeleteItem"], Resource: ["*"] },
  );

  expect(policies.authorize("reader", "dynamodb:GetItem", table).allowed).toBe(true);
  expect(policies.authorize("reader", "dynamodb:DeleteItem", table)).toMatchObject({
    message: expect.stringContaining("with an explicit deny") as string,
  });
});

it("the stand-in for IAM reports grants that no call has needed", () => {
  const policies = policiesOf(
    { Effect: "Allow", Action: ["dynamodb:GetItem", "dynamodb:Query"], Resource: [table] },
    { Effect: "Allow", Action: ["logs:PutLogEvents"], Resource: ["*"] },
  );

  policies.authorize("reader", "dynamodb:GetItem", table);

  expect(policies.unusedGrants("dynamodb")).toStrictEqual([
    { functionName: "reader", action: "dynamodb:Query", resource: table },
  ]);
});
