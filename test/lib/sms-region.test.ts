import { describe, expect, it } from "vitest";
import { createApp } from "../../lib/app.ts";
import { readConfig } from "../../lib/config.ts";
import type { Context } from "../../lib/context.ts";
import { findOtherSmsRegion, SmsStack } from "../../lib/sms-replies.ts";
import { valueAt, type Resource, resourcesOf, templateOf, templateWith, listSendersAndGrants } from "./support.ts";

const POOL = "arn:aws:sms-voice:eu-west-1:123456789012:pool/pool-0123";
const here: Context = { stage: "prod", region: "eu-west-1", smsFrom: POOL, smsCountries: "DE" };
const elsewhere: Context = { ...here, region: "eu-central-1" };

const listOfType = (template: Record<string, Resource>, type: string): Resource[] =>
  Object.values(template).filter(({ Type }) => Type === type);
const createSmsStack = () => {
  const config = readConfig(elsewhere);
  return new SmsStack(createApp(), { ...config, region: findOtherSmsRegion(config) ?? "" });
};
const there = templateOf(createSmsStack());
const stage = templateWith(elsewhere);
const TOPIC = "sns:eu-west-1:";

describe("text messages sent from a region other than the stage's", () => {
  it("are recognised by the region of the identity that sends them", () => {
    expect(findOtherSmsRegion(readConfig(here))).toBeUndefined();
    expect(findOtherSmsRegion(readConfig({}))).toBeUndefined();
    expect(findOtherSmsRegion(readConfig({ smsFrom: POOL, smsCountries: "DE" }))).toBeUndefined();
    expect(findOtherSmsRegion(readConfig(elsewhere))).toBe("eu-west-1");
  });

  it("have only a topic and a configuration set in the region of the identity that sends them", () => {
    expect(createSmsStack().region).toBe("eu-west-1");
    expect(Object.values(there).map(({ Type }) => Type)).toEqual([
      "AWS::SNS::Topic",
      "AWS::SNS::TopicPolicy",
      "AWS::SMSVOICE::ConfigurationSet",
    ]);
    expect(valueAt(listOfType(there, "AWS::SNS::Topic")[0], "TopicName")).toBe("event-alerting-prod-sms");
    expect(valueAt(listOfType(there, "AWS::SMSVOICE::ConfigurationSet")[0], "ConfigurationSetName")).toBe(
      "event-alerting-prod",
    );
    const policy = JSON.stringify(listOfType(there, "AWS::SNS::TopicPolicy"));
    expect(policy.match(/"Service":"[^"]+"/g)).toEqual(['"Service":"sms-voice.amazonaws.com"']);
    expect(policy).toContain('"aws:SourceAccount"');
  });

  it("have replies and reports in the inbound queue, which accepts only the SNS topic of that region", () => {
    expect(listOfType(stage, "AWS::SMSVOICE::ConfigurationSet")).toEqual([]);
    const [subscription, ...others] = listOfType(stage, "AWS::SNS::Subscription");
    expect(others).toEqual([]);
    expect(subscription?.Properties).toMatchObject({ Protocol: "sqs", Region: "eu-west-1" });
    const topicArn = valueAt(subscription, "TopicArn");
    expect(JSON.stringify(topicArn)).toContain(TOPIC);
    expect(JSON.stringify(topicArn)).toContain("event-alerting-prod-sms");

    const policies = listOfType(stage, "AWS::SQS::QueuePolicy").filter((policy) =>
      JSON.stringify(policy).includes("sns.amazonaws.com"),
    );
    expect(policies).toHaveLength(1);
    expect(JSON.stringify(policies)).toContain(`"aws:SourceArn":${JSON.stringify(topicArn)}`);
  });

  it("are sent only by the stage's identity, with the configuration set of the identity's region", () => {
    const { grants } = listSendersAndGrants(resourcesOf(elsewhere), "SMS", "sms-voice");

    expect(grants).toHaveLength(4);
    for (const grant of grants) expect(grant).toContain(`"${POOL}"`);
    expect(
      grants.filter((grant) => /sms-voice:eu-west-1:.*configuration-set\/event-alerting-prod/.test(grant)),
    ).toHaveLength(2);
  });
});
