import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { createApp } from "../../lib/app.ts";
import { readConfig } from "../../lib/config.ts";
import type { Context } from "../../lib/context.ts";
import { addVoiceStack } from "../../lib/voice-calls.ts";
import { findOtherVoiceRegion } from "../../lib/voice-region.ts";
import { valueAt, type Resource, resourcesOf, templateOf, templateWith, listSendersAndGrants } from "./support.ts";

const INSTANCE = "arn:aws:connect:eu-west-2:123456789012:instance/0123abcd-0000-4000-8000-000000000001";
const calls: Context = { stage: "prod", voiceInstance: INSTANCE, voiceFrom: "+442071234567", voiceCountries: "GB" };
const here: Context = { ...calls, region: "eu-west-2" };
const elsewhere: Context = { ...calls, region: "eu-north-1" };

const listOfType = (template: Record<string, Resource>, type: string): Resource[] =>
  Object.values(template).filter(({ Type }) => Type === type);
const createVoiceStack = () => {
  const stack = addVoiceStack(createApp(), readConfig(elsewhere));
  if (stack === undefined) throw new Error("calls are made from elsewhere");
  return stack;
};
const stage = templateWith(elsewhere);

describe("phone calls from a Connect instance in another region than the stage's", () => {
  it("are set up only if the instance's region is not the stage's", () => {
    expect(findOtherVoiceRegion(readConfig(here))).toBeUndefined();
    expect(findOtherVoiceRegion(readConfig({}))).toBeUndefined();
    expect(findOtherVoiceRegion(readConfig(calls))).toBeUndefined();
    expect(findOtherVoiceRegion(readConfig(elsewhere))).toEqual({ region: "eu-west-2", home: "eu-north-1" });
  });

  it("have their contact flow, and no function, role or topic, in the instance's region", () => {
    const stack = createVoiceStack();
    const template = Template.fromStack(stack).toJSON() as { Resources: Record<string, Resource>; Outputs: object };

    expect(stack.region).toBe("eu-west-2");
    expect(Object.values(template.Resources).map(({ Type }) => Type)).toEqual(["AWS::Connect::ContactFlow"]);
    const [flow] = listOfType(template.Resources, "AWS::Connect::ContactFlow");
    expect(valueAt(flow, "InstanceArn")).toBe(INSTANCE);
    expect(Object.keys(template.Outputs)).toEqual(["FlowId"]);
  });

  it("report pressed keys to the voice function in the stage's region", () => {
    const [flow] = listOfType(templateOf(createVoiceStack()), "AWS::Connect::ContactFlow");
    const content = JSON.stringify(valueAt(flow, "Content"));
    const names = listOfType(stage, "AWS::Lambda::Function").map((resource) => valueAt(resource, "FunctionName"));

    expect(content).toContain(":lambda:eu-north-1:");
    expect(content).toContain(":function:event-alerting-prod-voice");
    expect(content).not.toContain("eu-west-2");
    expect(names).toContain("event-alerting-prod-voice");
  });

  it("can invoke a function only from the contact flows of that instance", () => {
    const permissions = listOfType(stage, "AWS::Lambda::Permission").filter(
      (permission) => valueAt(permission, "Principal") === "connect.amazonaws.com",
    );

    expect(permissions).toHaveLength(1);
    expect(permissions[0]?.Properties).toMatchObject({
      Action: "lambda:InvokeFunction",
      SourceArn: INSTANCE,
      SourceAccount: { Ref: "AWS::AccountId" },
    });
    for (const type of ["AWS::Connect::ContactFlow", "AWS::Connect::IntegrationAssociation", "AWS::Lambda::Url"])
      expect(listOfType(stage, type)).toEqual([]);
  });

  it("can be started only by three functions, only on that instance and with its stack's contact flow", () => {
    const { senders, grants } = listSendersAndGrants(resourcesOf(elsewhere), "VOICE", "connect");

    expect(senders).toHaveLength(3);
    for (const [, value] of senders) {
      const setting = JSON.stringify(value);
      expect(setting).toContain(String.raw`\"region\":\"eu-west-2\"`);
      expect(setting).toContain(
        '{"Fn::GetStackOutput":{"StackName":"EventAlerting-prod-voice","Region":"eu-west-2","OutputName":"FlowId"}}',
      );
    }
    expect(grants).toHaveLength(3);
    for (const grant of grants) {
      expect(grant.match(/connect:[A-Z]\w+/g)).toEqual(["connect:StartOutboundVoiceContact"]);
      expect(grant).toContain(`"${INSTANCE}/contact/*"`);
    }
  });
});

describe("the Connect instance for phone calls", () => {
  const moveInstanceTo = (region: string): string => INSTANCE.replace("eu-west-2", region);

  it.each([
    [
      "a region that does not exist",
      { ...calls, voiceInstance: moveInstanceTo("eu-wets-2") },
      /^The setting "voiceInstance" must be in a region that has Amazon Connect \(us-east-1, .*eu-west-2/,
    ],
    [
      "a region without Connect",
      { ...calls, voiceInstance: moveInstanceTo("eu-north-1") },
      /^The setting "voiceInstance" must be in a region that has Amazon Connect .*, not "arn:aws:connect:eu-north-1:/,
    ],
    [
      "another AWS partition than the stage's",
      { ...elsewhere, voiceInstance: moveInstanceTo("us-gov-west-1") },
      /^The setting "voiceInstance" must be in the same partition of AWS as the stage's region, eu-north-1, not "/,
    ],
  ])("is refused in %s", (_, context, message) => {
    expect(() => readConfig(context)).toThrow(message);
  });
});
