import { expect, it } from "vitest";
import { joinTemplates } from "../../../local/template/join.ts";

const createReference = (fields: object = {}) => ({
  "Fn::GetStackOutput": { StackName: "Calls", OutputName: "FlowId", Region: "eu-west-2", ...fields },
});
const createTemplate = (value: unknown) => ({ Resources: { Function: { Properties: { flow: ["id", value] } } } });
const beside = {
  stackName: "Calls",
  region: "eu-west-2",
  template: {
    Resources: { Flow: { Type: "AWS::Connect::ContactFlow" } },
    Outputs: { FlowId: { Value: { "Fn::GetAtt": ["Flow", "ContactFlowArn"] } } },
    Parameters: { BootstrapVersion: {} },
  },
};

it("joining two templates replaces references to the other stack with the other stack's resources", () => {
  expect(joinTemplates(createTemplate(createReference()), beside)).toEqual({
    Resources: {
      Function: { Properties: { flow: ["id", { "Fn::GetAtt": ["Flow", "ContactFlowArn"] }] } },
      Flow: { Type: "AWS::Connect::ContactFlow" },
    },
  });
});

it.each([
  ["an output that does not exist", { OutputName: "FlowArn" }],
  ["another stack", { StackName: "Other" }],
  ["another region", { Region: "eu-west-1" }],
])("joining two templates refuses references to %s", (_, fields) => {
  expect(() => joinTemplates(createTemplate(createReference(fields)), beside)).toThrow("no other stack has the output");
});

it("joining two templates refuses two resources with one name", () => {
  const twice = { ...beside, template: { ...beside.template, Resources: { Function: {} } } };

  expect(() => joinTemplates(createTemplate(createReference()), twice)).toThrow("both stacks have a resource Function");
});
