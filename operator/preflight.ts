import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import * as v from "valibot";
import type { Config } from "../lib/config.ts";
import { stackName } from "../lib/stage-stack.ts";
import { readStage as readStageConfig, readStagesFile } from "../lib/stages.ts";
import type { Clients } from "./clients.ts";
import { need, type Command } from "./options.ts";

/** One limit of the account: what it is, what the stage needs, and what to do where it is too little. */
type Limit = { what: string; has: number | string; needs: number | string; enough: boolean; todo: string };

/** Lambda leaves 100 unreserved in every account; the sweeper reserves 2 beside ingest. */
const UNRESERVED_LEFT = 100;
const SWEEPER_RESERVED = 2;

const concurrency = async ({ lambda }: Clients, { ingestConcurrency }: Config): Promise<Limit> => {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const has = AccountLimit?.UnreservedConcurrentExecutions ?? 0;
  const needs = ingestConcurrency === 0 ? UNRESERVED_LEFT : UNRESERVED_LEFT + SWEEPER_RESERVED + ingestConcurrency;
  const todo = `Request concurrent executions of Lambda in Service Quotas${ingestConcurrency === 0 ? "" : ', and set "ingestConcurrency": 0 until then'}.`;
  return { what: "Lambda: unreserved concurrent executions", has, needs, enough: has >= needs, todo };
};

const SesAccount = v.object({
  ProductionAccessEnabled: v.boolean(),
  SendQuota: v.object({ MaxSendRate: v.number(), Max24HourSend: v.number() }),
});

const mails = async ({ askAws }: Clients, { pace: { email }, region }: Config): Promise<Limit[]> => {
  if (email === undefined) return [];
  const account = v.parse(
    SesAccount,
    await askAws({ service: "ses", host: "email", method: "GET", path: "/v2/email/account", region }),
  );
  const { MaxSendRate: rate } = account.SendQuota;
  return [
    {
      what: "SES: production access",
      has: account.ProductionAccessEnabled ? "granted" : "sandbox",
      needs: "granted",
      enough: account.ProductionAccessEnabled,
      todo: "Request production access in SES. It takes one or two days.",
    },
    {
      what: "SES: mails a second",
      has: rate,
      needs: email,
      enough: rate >= email,
      todo: `Set "mailsPerSecond": ${Math.max(1, Math.floor(rate))}, or request a higher sending rate.`,
    },
  ];
};

const SmsAttributes = v.object({ AccountAttributes: v.array(v.object({ Name: v.string(), Value: v.string() })) });
const SpendLimits = v.object({
  SpendLimits: v.array(v.object({ Name: v.string(), EnforcedLimit: v.number(), MaxLimit: v.number() })),
});

const texts = async ({ askAws }: Clients, { sms }: Config): Promise<Limit[]> => {
  if (sms === undefined) return [];
  const [, , , region] = sms.from.split(":");
  const ask = (operation: string) =>
    askAws({
      service: "sms-voice",
      host: "sms-voice",
      method: "POST",
      path: "/",
      region,
      target: `PinpointSMSVoiceV2.${operation}`,
    });
  const { AccountAttributes } = v.parse(SmsAttributes, await ask("DescribeAccountAttributes"));
  const { SpendLimits: limits } = v.parse(SpendLimits, await ask("DescribeSpendLimits"));
  const tier = AccountAttributes.find(({ Name }) => Name === "ACCOUNT_TIER")?.Value ?? "unknown";
  const limit = limits.find(({ Name }) => Name === "TEXT_MESSAGE_MONTHLY_SPEND_LIMIT")?.EnforcedLimit ?? 0;
  const needs = Math.ceil(Number(sms.maxPrice) * sms.monthly);
  return [
    {
      what: "SMS: account tier",
      has: tier,
      needs: "PRODUCTION",
      enough: tier === "PRODUCTION",
      todo: "Move the account out of the SMS sandbox. It takes one or two days.",
    },
    {
      what: "SMS: monthly spend limit in US dollars, for the budget of one workspace",
      has: limit,
      needs,
      enough: limit >= needs,
      todo: "Request a higher spend threshold in Service Quotas, or lower smsMonthly.",
    },
  ];
};

/** Whether the stack is protected, once it exists. */
const protection = async ({ cloudFormation }: Clients, config: Config): Promise<Limit[]> => {
  const name = stackName(config.stage);
  const found = await cloudFormation.send(new DescribeStacksCommand({ StackName: name })).catch((error: unknown) => {
    if (error instanceof Error && error.message.includes("does not exist")) return undefined;
    throw error;
  });
  const [stack] = found?.Stacks ?? [];
  if (stack === undefined || config.removal === "destroy") return [];
  const isOn = stack.EnableTerminationProtection === true;
  return [
    {
      what: `${name}: protection against deletion`,
      has: isOn ? "on" : "off",
      needs: "on",
      enough: isOn,
      todo: `Deploy without firstDeployment: npx cdk deploy --all -c stage=${config.stage}`,
    },
  ];
};

/** Compares the account's limits with what a stage's settings need. `stages`: the content of stages.json. */
export const preflight = async (clients: Clients, stage: string, stages: string) => {
  const config = readStageConfig({ stage }, stages);
  const limits = [
    await concurrency(clients, config),
    ...(await mails(clients, config)),
    ...(await texts(clients, config)),
    ...(await protection(clients, config)),
  ];
  const missing = limits.filter(({ enough }) => !enough);
  return {
    ready: missing.length === 0,
    missing: missing.map(({ what, has, needs, todo }) => `${what}: ${has}, needed: ${needs}. ${todo}`),
    limits: limits.map(({ what, has, needs, enough }) => ({ what, has, needs, enough })),
  };
};

export const preflightCommand: Command = {
  does: "Reads the limits of the AWS account and says which of them are too low for the stage's settings, before a deployment.",
  needs: {},
  run: (clients, options) => preflight(clients, need(options, "stage"), readStagesFile()),
};
