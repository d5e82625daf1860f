import { expect, it } from "vitest";
import { at, resourcesOf } from "./support.ts";

const SENDERS = ["register-device", "sender", "test-device"];
const MAILERS = ["create-invitation", ...SENDERS];

const mailOf = (context: Parameters<typeof resourcesOf>[0]) => {
  const of = resourcesOf(context);
  const senders = of("AWS::Lambda::Function").flatMap(([, resource]) => {
    const from = at(resource, "Environment.Variables.MAIL_FROM");
    return from === undefined ? [] : [[String(at(resource, "FunctionName")), from] as const];
  });
  const grants = of("AWS::IAM::Role").flatMap(([, role]) =>
    JSON.stringify(role.Properties).includes("ses:") ? [JSON.stringify(role.Properties)] : [],
  );
  return { senders, grants };
};

it("grants nothing and sets nothing for e-mail unless the stage has an address to send from", () => {
  expect(mailOf({})).toEqual({ senders: [], grants: [] });
});

it("lets the four functions that send e-mail do so from that one address alone", () => {
  const { senders, grants } = mailOf({ mailFrom: "alerts@example.com" });

  expect(senders.map(([name]) => name.replace("event-alerting-dev-", "")).sort()).toEqual(MAILERS);
  expect(new Set(senders.map(([, from]) => from))).toEqual(new Set(["alerts@example.com"]));
  expect(grants).toHaveLength(MAILERS.length);
  for (const grant of grants) {
    expect(grant.match(/ses:\w+/g)).toEqual(["ses:SendEmail"]);
    expect(grant).toContain(":identity/alerts@example.com");
  }
});

const POOL = "arn:aws:sms-voice:eu-central-1:123456789012:pool/pool-0123";

const smsOf = (context: Parameters<typeof resourcesOf>[0]) => {
  const of = resourcesOf(context);
  const senders = of("AWS::Lambda::Function").flatMap(([, resource]) => {
    const setting = at(resource, "Environment.Variables.SMS");
    return typeof setting === "string" ? [[String(at(resource, "FunctionName")), setting] as const] : [];
  });
  const grants = of("AWS::IAM::Role").flatMap(([, role]) =>
    JSON.stringify(role.Properties).includes("sms-voice:") ? [JSON.stringify(role.Properties)] : [],
  );
  return { senders, grants };
};

it("grants nothing and sets nothing for text messages unless the stage has an identity to send from", () => {
  expect(smsOf({})).toEqual({ senders: [], grants: [] });
});

it("lets the three functions that send text messages do so from that one identity alone", () => {
  const { senders, grants } = smsOf({ smsFrom: POOL, smsCountries: "DE,AT" });

  expect(senders.map(([name]) => name.replace("event-alerting-dev-", "")).sort()).toEqual(SENDERS);
  expect(JSON.parse(senders[0]?.[1] ?? "")).toEqual({
    from: POOL,
    countries: ["DE", "AT"],
    maxPrice: "0.20",
    monthly: 500,
  });
  expect(grants).toHaveLength(SENDERS.length);
  for (const grant of grants) {
    expect(grant.match(/sms-voice:[A-Z]\w+/g)).toEqual(["sms-voice:SendTextMessage"]);
    expect(grant).toContain(`"${POOL}"`);
  }
});

it("lets answers in by a topic that only the SMS service publishes to, and into no queue but that of pushes", () => {
  const of = resourcesOf({ smsFrom: POOL, smsCountries: "DE" });
  const topicId = of("AWS::SNS::Topic").find(([id]) => id.startsWith("SmsReplies"))?.[0] ?? "";
  const policies = JSON.stringify(of("AWS::SNS::TopicPolicy").filter(([id]) => id.startsWith("SmsReplies")));
  const subscription = of("AWS::SNS::Subscription")[0]?.[1];
  const queuePolicies = of("AWS::SQS::QueuePolicy").filter(([, policy]) =>
    JSON.stringify(policy).includes("sns.amazonaws.com"),
  );

  expect(policies.match(/"Service":"[^"]+"/g)).toEqual(['"Service":"sms-voice.amazonaws.com"']);
  expect(policies).toContain('"aws:SourceAccount"');
  expect(at(subscription, "RawMessageDelivery")).toBe(true);
  expect(JSON.stringify(at(subscription, "TopicArn"))).toContain(topicId);
  expect(queuePolicies).toHaveLength(1);
  expect(JSON.stringify(queuePolicies)).toContain(`"aws:SourceArn":{"Ref":"${topicId}"}`);
});

it.each([{}, { smsFrom: POOL.replace("pool/", "sender-id/"), smsCountries: "DE" }])(
  "has no such topic where nobody can answer: %j",
  (context) => {
    expect(resourcesOf(context)("AWS::SNS::Subscription")).toEqual([]);
    expect(resourcesOf(context)("AWS::SNS::Topic").map(([id]) => id)).not.toContainEqual(
      expect.stringContaining("SmsReplies"),
    );
  },
);
