import { Queue } from "aws-cdk-lib/aws-sqs";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { expect, test } from "vitest";
import { createApp } from "../../lib/app.ts";
import { readConfig } from "../../lib/config.ts";
import type { Context } from "../../lib/context.ts";
import { findOtherSmsRegion, SmsStack } from "../../lib/sms-replies.ts";
import { addVoiceStack } from "../../lib/voice-calls.ts";
import { aStack } from "./support.ts";

test("the cdk-nag rule packs have no finding without a documented reason", () => {
  const app = createApp();
  aStack(
    {
      stage: "prod",
      alarmEmail: "oncall@example.com",
      dashboardOrigins: "https://a.example.com",
      githubRepository: "acme/alerts",
    },
    app,
  );
  aStack({ stage: "dev", removal: "destroy", tracing: "true" }, app);
  const fromElsewhere: Context = {
    stage: "bells",
    region: "eu-central-1",
    smsFrom: "arn:aws:sms-voice:eu-west-1:123456789012:pool/pool-0123",
    smsCountries: "DE",
    voiceInstance: "arn:aws:connect:eu-west-2:123456789012:instance/0123abcd-0000-4000-8000-000000000001",
    voiceFrom: "+442071234567",
    voiceCountries: "GB",
  };
  aStack(fromElsewhere, app);
  const config = readConfig(fromElsewhere);
  new SmsStack(app, { ...config, region: findOtherSmsRegion(config)! });
  expect(addVoiceStack(app, config)?.region).toBe("eu-west-2");

  expect(new AwsSolutionsChecks().validateScope(app).violations).toEqual([]);
  expect(new ServerlessChecks().validateScope(app).violations).toEqual([]);
});

test("the cdk-nag rule packs report a finding that has no documented reason", () => {
  const app = createApp();
  new Queue(aStack({}, app), "Careless");

  expect(new AwsSolutionsChecks().validateScope(app).violations.map(({ ruleName }) => ruleName)).toEqual([
    "AwsSolutions-SQS3",
    "AwsSolutions-SQS4",
  ]);
});
