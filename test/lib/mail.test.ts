import { Template } from "aws-cdk-lib/assertions";
import { expect, it } from "vitest";
import type { Context } from "../../lib/context.ts";
import { valueAt, aStack, type Resource, resourcesOf, textAt, listSendersAndGrants } from "./support.ts";

const SENDERS = ["sender", "test-device", "write-devices"];
const MAILERS = [...SENDERS, "write-invitations"];
const TEXTERS = ["inbound", ...SENDERS];

const readMailSenders = (context: Context) => listSendersAndGrants(resourcesOf(context), "MAIL_FROM", "ses");

it("a stage without an address to send from lets no function send email", () => {
  expect(readMailSenders({})).toEqual({ senders: [], grants: [] });
});

it("only the four functions that send email may send, and only from the stage's address", () => {
  const { senders, grants } = readMailSenders({ mailFrom: "alerts@example.com" });

  expect(senders.map(([name]) => name).sort()).toEqual(MAILERS);
  expect(new Set(senders.map(([, from]) => from))).toEqual(new Set(["alerts@example.com"]));
  expect(grants).toHaveLength(MAILERS.length);
  for (const grant of grants) {
    expect(new Set(grant.match(/ses:\w+/g))).toEqual(new Set(["ses:SendEmail"]));
    expect(grant).toContain(":identity/alerts@example.com");
  }
  // Codes and invitations are sent without the configuration set, which reports the delivery of all other emails.
  const sets = grants.map((grant) => grant.match(/:configuration-set\//g)?.length ?? 0);
  expect(sets.toSorted((one, other) => one - other)).toEqual([0, 0, 1, 1]);
});

it("bounces arrive by a topic that only SES may publish to, for the stage's own configuration set", () => {
  const of = resourcesOf({ mailFrom: "alerts@example.com" });
  const topicId = of("AWS::SNS::Topic").find(([id]) => id.startsWith("MailEvents"))?.[0] ?? "";
  const policies = JSON.stringify(of("AWS::SNS::TopicPolicy").filter(([id]) => id.startsWith("MailEvents")));
  const [subscription, ...others] = of("AWS::SNS::Subscription").map(([, { Properties }]) => Properties);

  expect(of("AWS::SES::ConfigurationSet").map(([, { Properties }]) => Properties)).toMatchObject([
    { Name: "event-alerting-dev", SuppressionOptions: { SuppressedReasons: ["BOUNCE", "COMPLAINT"] } },
  ]);
  expect(of("AWS::SES::ConfigurationSetEventDestination").map(([, { Properties }]) => Properties)).toMatchObject([
    {
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ["bounce", "complaint"],
        SnsDestination: { TopicARN: { Ref: topicId } },
      },
    },
  ]);
  expect(policies.match(/"Service":"[^"]+"/g)).toEqual(['"Service":"ses.amazonaws.com"']);
  expect(policies).toContain('"aws:SourceAccount"');
  expect(policies).toContain('"aws:SourceArn"');
  expect(others).toEqual([]);
  // Only bounces and complaints reach the queue.
  expect(subscription).toMatchObject({
    RawMessageDelivery: true,
    TopicArn: { Ref: topicId },
    FilterPolicyScope: "MessageBody",
    FilterPolicy: { eventType: ["Bounce", "Complaint"] },
  });
});

it("a stage that sends no email has no configuration set for email", () => {
  expect(resourcesOf({})("AWS::SES::ConfigurationSet")).toEqual([]);
  expect(resourcesOf({})("AWS::SNS::Subscription")).toEqual([]);
});

it("the user pool sends its emails from the stage's address, or by Cognito if the stage has no address", () => {
  const readEmailConfiguration = (context: Context) =>
    valueAt(resourcesOf(context)("AWS::Cognito::UserPool")[0]?.[1], "EmailConfiguration");

  expect(readEmailConfiguration({})).toBeUndefined();
  expect(readEmailConfiguration({ mailFrom: "alerts@example.com" })).toMatchObject({
    EmailSendingAccount: "DEVELOPER",
    From: "alerts@example.com",
    SourceArn: { "Fn::Join": ["", expect.arrayContaining([":identity/alerts@example.com"])] },
  });
});

it("an invitation email has the console's URL, and the name and password that Cognito inserts", () => {
  const [[, pool]] = resourcesOf({ domainName: "alerts.example.com", hostedZoneId: "Z0123456789ABC" })(
    "AWS::Cognito::UserPool",
  ) as [[string, Resource]];
  const text = textAt(pool, "AdminCreateUserConfig.InviteMessageTemplate.EmailMessage");

  expect(text).toContain('<a href="https://alerts.example.com/login">');
  for (const part of ["{username}", "{####}", "within 3 days", "innerhalb von 3 Tagen"]) expect(text).toContain(part);
  expect(valueAt(pool, "Policies.PasswordPolicy.TemporaryPasswordValidityDays")).toBe(3);
});

const POOL = "arn:aws:sms-voice:eu-central-1:123456789012:pool/pool-0123";

const readSmsSenders = (context: Context) => listSendersAndGrants(resourcesOf(context), "SMS", "sms-voice");

it("a stage without an identity to send from lets no function send text messages", () => {
  expect(readSmsSenders({})).toEqual({ senders: [], grants: [] });
});

it("only the four functions that send text messages may send, and only from the stage's identity", () => {
  const { senders, grants } = readSmsSenders({ smsFrom: POOL, smsCountries: "DE,AT" });

  expect(senders.map(([name]) => name).sort()).toEqual(TEXTERS);
  expect(JSON.parse(senders[0]?.[1] as string)).toEqual({
    from: POOL,
    countries: ["DE", "AT"],
    maxPrice: "0.20",
    monthly: 500,
    events: "event-alerting-dev",
  });
  expect(grants).toHaveLength(TEXTERS.length);
  for (const grant of grants) {
    expect(new Set(grant.match(/sms-voice:[A-Z]\w+/g))).toEqual(new Set(["sms-voice:SendTextMessage"]));
    expect(grant).toContain(`"${POOL}"`);
  }
  // Codes are sent without the configuration set, which reports the delivery of all other text messages.
  const sets = grants.map((grant) => grant.match(/\{"Fn::GetAtt":\["SmsRepliesEvents\w*","Arn"\]\}/g)?.length ?? 0);
  expect(sets.toSorted((one, other) => one - other)).toEqual([0, 0, 1, 1]);
});

it.each(["pool/pool-0123", "sender-id/Acme"])(
  "text messages that are sent from %s cause delivery reports of the event types that are read",
  (from) => {
    const of = resourcesOf({ smsFrom: POOL.replace("pool/pool-0123", from), smsCountries: "DE" });
    const topicId = of("AWS::SNS::Topic").find(([id]) => id.startsWith("SmsReplies"))?.[0] ?? "";

    expect(of("AWS::SMSVOICE::ConfigurationSet").map(([, { Properties }]) => Properties)).toMatchObject([
      {
        ConfigurationSetName: "event-alerting-dev",
        EventDestinations: [
          {
            Enabled: true,
            MatchingEventTypes: expect.arrayContaining(["TEXT_DELIVERED", "TEXT_INVALID", "TEXT_BLOCKED"]),
            SnsDestination: { TopicArn: { Ref: topicId } },
          },
        ],
      },
    ]);
    expect(of("AWS::SNS::Subscription")).toHaveLength(1);
  },
);

it("a stage that sends no text messages has no configuration set for them", () => {
  expect(resourcesOf({})("AWS::SMSVOICE::ConfigurationSet")).toEqual([]);
});

it("replies and delivery reports of text messages come only from AWS's SMS service, by a topic to the inbound queue", () => {
  const of = resourcesOf({ smsFrom: POOL, smsCountries: "DE" });
  const topicId = of("AWS::SNS::Topic").find(([id]) => id.startsWith("SmsReplies"))?.[0] ?? "";
  const policies = JSON.stringify(of("AWS::SNS::TopicPolicy").filter(([id]) => id.startsWith("SmsReplies")));
  const subscription = of("AWS::SNS::Subscription")[0]?.[1];
  const queuePolicies = of("AWS::SQS::QueuePolicy").filter(([, policy]) =>
    JSON.stringify(policy).includes("sns.amazonaws.com"),
  );

  expect(policies.match(/"Service":"[^"]+"/g)).toEqual(['"Service":"sms-voice.amazonaws.com"']);
  expect(policies).toContain('"aws:SourceAccount"');
  // The time of a reply is only in its SNS envelope.
  expect(subscription?.Properties).not.toHaveProperty("RawMessageDelivery");
  expect(JSON.stringify(valueAt(subscription, "TopicArn"))).toContain(topicId);
  expect(queuePolicies).toHaveLength(1);
  expect(JSON.stringify(queuePolicies)).toContain(`"aws:SourceArn":{"Ref":"${topicId}"}`);
});

it("a stage has a topic for SMS replies only with text messages, and an output with its ARN only if replies are possible", () => {
  expect(resourcesOf({})("AWS::SNS::Subscription")).toEqual([]);
  expect(resourcesOf({})("AWS::SNS::Topic").map(([id]) => id)).not.toContainEqual(
    expect.stringContaining("SmsReplies"),
  );
  const listOutputs = (smsFrom: string) =>
    Object.keys(Template.fromStack(aStack({ smsFrom: smsFrom, smsCountries: "DE" })).toJSON()["Outputs"] as object);
  expect(listOutputs(POOL)).toContain("SmsTopicArn");
  expect(listOutputs(POOL.replace("pool/", "sender-id/"))).not.toContain("SmsTopicArn");
});
