import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import { expect, it } from "vitest";
import { runPreflight } from "../../operator/preflight.ts";
import { createTestClock } from "../world/clock.ts";
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
  calls: { perSecond?: number; atOnce: number };
  isProtectedAgainstDeletion?: boolean;
  stackError?: string;
}) => {
  const { clients, mocks } = mockedClients(stand, createTestClock().deps);
  mocks.lambda
    .on(GetAccountSettingsCommand)
    .resolves({ AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: account.unreserved } });
  if (account.isProtectedAgainstDeletion === undefined)
    mocks.cloudFormation
      .on(DescribeStacksCommand)
      .rejects(new Error(account.stackError ?? "Stack with id EventAlerting-prod does not exist"));
  else
    mocks.cloudFormation.on(DescribeStacksCommand, { StackName: "EventAlerting-prod" }).resolves({
      Stacks: [
        {
          StackName: "EventAlerting-prod",
          CreationTime: new Date(0),
          StackStatus: "CREATE_COMPLETE",
          EnableTerminationProtection: account.isProtectedAgainstDeletion,
        },
      ],
    });
  const answers: Readonly<Record<string, object>> = {
    "GET email.eu-central-1/v2/email/account ses": {
      ProductionAccessEnabled: account.production,
      SendQuota: { MaxSendRate: account.mails, Max24HourSend: 200 },
    },
    "POST sms-voice.eu-west-1/ sms-voice PinpointSMSVoiceV2.DescribeAccountAttributes": {
      AccountAttributes: [
        { Name: "DEFAULT_PROTECT_CONFIGURATION_ID", Value: "protect-1" },
        { Name: "ACCOUNT_TIER", Value: account.tier },
      ],
    },
    "POST sms-voice.eu-west-1/ sms-voice PinpointSMSVoiceV2.DescribeSpendLimits": {
      SpendLimits: [
        { Name: "VOICE_MESSAGE_MONTHLY_SPEND_LIMIT", EnforcedLimit: 5, MaxLimit: 1 },
        { Name: "TEXT_MESSAGE_MONTHLY_SPEND_LIMIT", EnforcedLimit: account.spend, MaxLimit: 1 },
      ],
    },
  };
  const createQuota = (QuotaName: string, Value: number, ContextId?: string) => ({
    QuotaName,
    Value,
    ...(ContextId === undefined ? {} : { QuotaContext: { ContextId } }),
  });
  const { perSecond, atOnce } = account.calls;
  const AT_ONCE = "Concurrent active calls per instance";
  // AWS lists the quotas on two pages, some of them for the account and some for one Connect instance.
  const LIST_QUOTAS = "POST servicequotas.eu-west-2/ servicequotas ServiceQuotasV20190624.ListServiceQuotas 1.1";
  const query = { ServiceCode: "connect", QuotaAppliedAtLevel: "ALL" };
  const pages: Readonly<Record<string, object>> = {
    [`${LIST_QUOTAS} ${JSON.stringify(query)}`]: {
      NextToken: "2",
      Quotas: [createQuota(AT_ONCE, 100, "*"), createQuota("Users per instance", 500)],
    },
    [`${LIST_QUOTAS} ${JSON.stringify({ ...query, NextToken: "2" })}`]: {
      Quotas: [
        createQuota(`${AT_ONCE} and user`, 0),
        createQuota(`Chats: ${AT_ONCE}`, 0),
        createQuota(AT_ONCE, atOnce, INSTANCE),
        ...(perSecond === undefined ? [] : [createQuota("Rate of StartOutboundVoiceContact API requests", perSecond)]),
      ],
    },
  };
  return {
    ...clients,
    askAws: async (request: Parameters<typeof clients.askAws>[0]) => {
      const { service, host, region, method, path, target, version, input } = request;
      const asked = [`${method} ${host}.${region}${path}`, service, target, version, input && JSON.stringify(input)];
      return { ...answers, ...pages }[asked.filter((part) => part !== undefined).join(" ")];
    },
  };
};

const GOOD = {
  unreserved: 202,
  production: true,
  mails: 14,
  tier: "PRODUCTION",
  spend: 100,
  calls: { perSecond: 2, atOnce: 10 },
};

it("preflight reports for a new account everything it lacks, and what to request", async () => {
  const clients = accountWith({
    unreserved: 10,
    production: false,
    mails: 1,
    tier: "SANDBOX",
    spend: 1,
    calls: { atOnce: 2 },
  });

  const { ready, missing } = await runPreflight(clients, "prod", STAGES);

  expect(ready).toBe(false);
  expect(missing).toEqual([
    'Lambda: unreserved concurrent executions: 10, needed: 202. Request more concurrent executions of Lambda in Service Quotas, and set "ingestConcurrency": 0 until then.',
    "SES: production access: sandbox, needed: granted. Request production access in SES. It takes one or two days.",
    'SES: emails a second: 1, needed: 14. Set "mailsPerSecond": 1, or request a higher sending rate.',
    "SMS: account tier: SANDBOX, needed: PRODUCTION. Move the account out of the SMS sandbox. It takes one or two days.",
    "SMS: monthly spend limit in US dollars, for the budget of one workspace: 1, needed: 100. Request a higher spend threshold in Service Quotas, or lower smsMonthly.",
    'Connect: calls started per second: not listed, needed: 2. Set "callsPerSecond" to the quota, or request a higher quota in Service Quotas.',
    'Connect: calls at once: 2, needed: 10. Request "Concurrent active calls per instance" in Service Quotas. It takes up to three weeks.',
  ]);
});

it("preflight reports an account with just sufficient quotas as ready, and lists each quota", async () => {
  expect(await runPreflight(accountWith(GOOD), "prod", STAGES)).toEqual({
    ready: true,
    missing: [],
    limits: [
      ["Lambda: unreserved concurrent executions", 202, 202],
      ["SES: production access", "granted", "granted"],
      ["SES: emails a second", 14, 14],
      ["SMS: account tier", "PRODUCTION", "PRODUCTION"],
      ["SMS: monthly spend limit in US dollars, for the budget of one workspace", 100, 100],
      ["Connect: calls started per second", 2, 2],
      ["Connect: calls at once", 10, 10],
    ].map(([what, has, needs]) => ({ what, has, needs, enough: true })),
  });
});

it("preflight checks only the channels of the stage, and suggests an email rate that the account allows", async () => {
  const pushOnly = JSON.stringify({ prod: { region: "eu-central-1" } });
  const { limits } = await runPreflight(accountWith(GOOD), "prod", pushOnly);
  const { missing } = await runPreflight(accountWith({ ...GOOD, mails: 3.5 }), "prod", STAGES);

  expect(limits.map(({ what }) => what)).toEqual(["Lambda: unreserved concurrent executions"]);
  expect(missing).toEqual([
    'SES: emails a second: 3.5, needed: 14. Set "mailsPerSecond": 3, or request a higher sending rate.',
  ]);
});

it("preflight reports missing deletion protection if the first deployment was not followed by a second one", async () => {
  const listMissing = async (isProtectedAgainstDeletion: boolean, stages = STAGES) =>
    (await runPreflight(accountWith({ ...GOOD, isProtectedAgainstDeletion }), "prod", stages)).missing;

  expect(await listMissing(false)).toEqual([
    "EventAlerting-prod: protection against deletion: off, needed: on. Deploy without firstDeployment: npx cdk deploy --all -c stage=prod",
  ]);
  expect(await listMissing(true)).toEqual([]);
  expect(await listMissing(false, STAGES.replace('"region"', '"removal":"destroy","region"'))).toEqual([]);
});

it("preflight fails if CloudFormation refuses to describe the stack", async () => {
  const clients = accountWith({ ...GOOD, stackError: "AccessDenied: cloudformation:DescribeStacks" });

  await expect(runPreflight(clients, "prod", STAGES)).rejects.toThrow("AccessDenied");
});
