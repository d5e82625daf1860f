import type { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { expect, it } from "vitest";
import { readStage } from "../../operator/stage.ts";

const aws = (...stacks: object[]) => {
  const asked: string[] = [];
  const send = async ({ input }: DescribeStacksCommand) => {
    asked.push(input.StackName ?? "");
    return { Stacks: stacks };
  };
  return { asked, client: { send: send as never } };
};

it("a stage is what its stack puts out", async () => {
  const { asked, client } = aws({
    Outputs: [
      { OutputKey: "TableName", OutputValue: "events" },
      { OutputKey: "UserPoolId", OutputValue: "pool" },
    ],
  });

  const stage = await readStage(client, "prod");

  expect(asked).toEqual(["EventAlerting-prod"]);
  expect([stage("TableName"), stage("UserPoolId"), stage.optional("UserPoolId")]).toEqual(["events", "pool", "pool"]);
  expect(stage.optional("SyntheticSecretArn")).toBeUndefined();
  expect(() => stage("SyntheticSecretArn")).toThrow("The stack EventAlerting-prod has no output SyntheticSecretArn.");
});

it.each([[[]], [[{}]]])("a stack that puts nothing out has nothing: %j", async (stacks) => {
  const stage = await readStage(aws(...stacks).client, "dev");

  expect(() => stage("TableName")).toThrow("The stack EventAlerting-dev has no output TableName.");
});
