import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import { expect, it } from "vitest";
import { runPreflight } from "../../operator/preflight.ts";
import { testClock } from "../world/clock.ts";
import { useTable } from "../world/use-table.ts";
import { mockedClients } from "./clients.ts";

const stand = await useTable();

const INSTANCE = "arn:aws:connect:eu-west-2:123456789012:instance/0123abcd-0000-4000-8000-000000000001";
const STAGES = JSON.stringify({
  prod: {
    region: "eu-central-1",
    mailFrom: "alerts@example.com",
    smsFrom: "arn:aws:sms-voice:eu-west-1:123456789012:pool/pool-0123",
    smsCountries: "DE",
    voiceInstance: INSTANCE,
    voiceFrom: "+4930123456",
    voiceCountries: "DE",
  },
});

const accountWith = (account: {
  unreserved: number;
  production: boolean;
  mails: number;
  tier: string;
  spend: number;
  calls: { perSecond: number; atOnce: number };
  isProtected?: boolean;
}) => {
  const { clients, mocks } = mockedClients(stand, testClock().deps);
  mocks.lambda
    .on(GetAccountSettingsCommand)
    .resolves({ AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: account.unreserved } });
  if (account.isProtected === undefined)
    mocks.cloudFormation
      .on(DescribeStacksCommand)
      .rejects(new Error("Stack with id EventAlerting-prod does not exist"));
  else
    mocks.cloudFormation.on(DescribeStacksCommand).resolves({
      Stacks: [
        {
          StackName: "EventAlerting-prod",
          CreationTime: new Date(0),
          StackStatus: "CREATE_COMPLETE",
          EnableTerminationProtection: account.isProtected,
        },
      ],
    });
  const answers: Readonly<Record<string, object>> = {
    "email.eu-central-1 /v2/email/account": {
      ProductionAccessEnabled: account.production,
      SendQuota: { MaxSendRate: account.mails, Max24HourSend: 200 },
    },
    "sms-voice.eu-west-1 PinpointSMSVoiceV2.DescribeAccountAttributes": {
      AccountAttributes: [{ Name: "ACCOUNT_TIER", Value: account.tier }],
    },
    "sms-voice.eu-west-1 PinpointSMSVoiceV2.DescribeSpendLimits": {
      SpendLimits: [{ Name: "TEXT_MESSAGE_MONTHLY_SPEND_LIMIT", EnforcedLimit: account.spend, MaxLimit: 1 }],
    },
  };
  const createQuota = (QuotaName: string, Value: number, ContextId?: string) => ({
    QuotaName,
    Value,
    ...(ContextId === undefined ? {} : { QuotaContext: { ContextId } }),
  });
  const { perSecond, atOnce } = account.calls;
  const AT_ONCE = "Concurrent active calls per instance";
  // There are two pages; another Connect instance of the account has a higher limit.
  const pages: Readonly<Record<string, object>> = {
    "": { NextToken: "2", Quotas: [createQuota(AT_ONCE, 100, "*"), createQuota("Users per instance", 500)] },
    "2": {
      Quotas: [
        createQuota(AT_ONCE, atOnce, INSTANCE),
        createQuota("Rate of StartOutboundVoiceContact API requests", perSecond),
      ],
    },
  };
  return {
    ...clients,
    askAws: async ({ host, region, path, target, input }: Parameters<typeof clients.askAws>[0]) => {
      if (`${host}.${region}` !== "servicequotas.eu-west-2") return answers[`${host}.${region} ${target ?? path}`];
      return pages[input !== undefined && "NextToken" in input ? String(input.NextToken) : ""];
    },
  };
};

it("preflight reports for a new account everything it lacks, and what to request", async () => {
  const clients = accountWith({
    unreserved: 10,
    production: false,
    mails: 1,
    tier: "SANDBOX",
    spend: 1,
    calls: { perSecond: 1, atOnce: 2 },
  });

  const { ready, missing } = await runPreflight(clients, "prod", STAGES);

  expect(ready).toBe(false);
  expect(missing).toEqual([
    'Lambda: unreserved concurrent executions: 10, needed: 202. Request concurrent executions of Lambda in Service Quotas, and set "ingestConcurrency": 0 until then.',
    "SES: production access: sandbox, needed: granted. Request production access in SES. It takes one or two days.",
    'SES: emails a second: 1, needed: 14. Set "mailsPerSecond": 1, or request a higher sending rate.',
    "SMS: account tier: SANDBOX, needed: PRODUCTION. Move the account out of the SMS sandbox. It takes one or two days.",
    "SMS: monthly spend limit in US dollars, for the budget of one workspace: 1, needed: 100. Request a higher spend threshold in Service Quotas, or lower smsMonthly.",
    'Connect: calls begun a second: 1, needed: 2. Set "callsPerSecond" to the quota, or request a higher quota in Service Quotas.',
    'Connect: calls at once: 2, needed: 10. Request "Concurrent active calls per instance" in Service Quotas. It takes up to three weeks.',
  ]);
});

it("preflight reports an account with sufficient quotas as ready", async () => {
  const clients = accountWith({
    unreserved: 1000,
    production: true,
    mails: 14,
    tier: "PRODUCTION",
    spend: 100,
    calls: { perSecond: 2, atOnce: 10 },
  });

  expect(await runPreflight(clients, "prod", STAGES)).toMatchObject({ ready: true, missing: [] });
});

it("preflight reports a stage as unprotected if its first deployment was not followed by a second one", async () => {
  const limits = {
    unreserved: 1000,
    production: true,
    mails: 14,
    tier: "PRODUCTION",
    spend: 100,
    calls: { perSecond: 2, atOnce: 10 },
  };

  const { missing } = await runPreflight(accountWith({ ...limits, isProtected: false }), "prod", STAGES);
  const trial = STAGES.replace('"region"', '"removal":"destroy","region"');
  expect(await runPreflight(accountWith({ ...limits, isProtected: false }), "prod", trial)).toMatchObject({
    ready: true,
  });

  expect(missing).toEqual([
    "EventAlerting-prod: protection against deletion: off, needed: on. Deploy without firstDeployment: npx cdk deploy --all -c stage=prod",
  ]);
});
