import { expect, it } from "vitest";
import { readStageOutputs } from "../../operator/stage.ts";
import { createAnsweringClient, createStackDescription } from "./clients.ts";

it("a stage is described by the outputs of its stack", async () => {
  const { asked, client } = createAnsweringClient(createStackDescription({ TableName: "events", UserPoolId: "pool" }));

  const stage = await readStageOutputs(client, "prod");

  expect(asked).toEqual([["DescribeStacks", { StackName: "EventAlerting-prod" }]]);
  expect([stage("TableName"), stage("UserPoolId"), stage.optional("UserPoolId")]).toEqual(["events", "pool", "pool"]);
  expect(stage.optional("SyntheticSecretArn")).toBeUndefined();
  expect(() => stage("SyntheticSecretArn")).toThrow("The stack EventAlerting-prod has no output SyntheticSecretArn.");
});

it.each([
  ["that does not exist", []],
  ["without outputs", [{}]],
])("a stack %s describes no stage", async (_, stacks) => {
  const stage = await readStageOutputs(createAnsweringClient({ Stacks: stacks }).client, "dev");

  expect(() => stage("TableName")).toThrow("The stack EventAlerting-dev has no output TableName.");
});
