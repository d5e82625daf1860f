import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import * as v from "valibot";
import type { Config } from "../lib/config.ts";
import { sumReservedConcurrency } from "../lib/ceilings.ts";
import { quotas } from "../lib/quotas.ts";
import { toStackName } from "../lib/stage-stack.ts";
import { extractRegion } from "../lib/voice-region.ts";
import { readStageSettings as readStageConfig, readStagesFile } from "../lib/stages.ts";
import type { Clients } from "./clients.ts";
import { requireOption, type Command } from "./options.ts";

/** A limit of the AWS account: its value, what the stage needs, whether it suffices, and how to raise it. */
type CheckedLimit = { what: string; has: number | string; needs: number | string; enough: boolean; todo: string };

const readConcurrencyLimit = async ({ lambda }: Clients, config: Config): Promise<CheckedLimit> => {
  const { ingestConcurrency } = config;
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const has = AccountLimit?.UnreservedConcurrentExecutions ?? 0;
  const needs = quotas.lambdaUnreserved + sumReservedConcurrency(config);
  const todo = `Request more concurrent executions of Lambda in Service Quotas${ingestConcurrency === 0 ? "" : ', and set "ingestConcurrency": 0 until then'}.`;
  return { what: "Lambda: unreserved concurrent executions", has, needs, enough: has >= needs, todo };
};

const SesAccount = v.object({
  ProductionAccessEnabled: v.boolean(),
  SendQuota: v.object({ MaxSendRate: v.number(), Max24HourSend: v.number() }),
});

const listMailLimits = async ({ askAws }: Clients, { pace: { email }, region }: Config): Promise<CheckedLimit[]> => {
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
      what: "SES: emails a second",
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

const listSmsLimits = async ({ askAws }: Clients, { sms }: Config): Promise<CheckedLimit[]> => {
  if (sms === undefined) return [];
  const [, , , region] = sms.from.split(":");
  const askSmsService = (operation: string) =>
    askAws({
      service: "sms-voice",
      host: "sms-voice",
      method: "POST",
      path: "/",
      region,
      target: `PinpointSMSVoiceV2.${operation}`,
    });
  const { AccountAttributes } = v.parse(SmsAttributes, await askSmsService("DescribeAccountAttributes"));
  const { SpendLimits: limits } = v.parse(SpendLimits, await askSmsService("DescribeSpendLimits"));
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

const Quotas = v.object({
  NextToken: v.nullish(v.string()),
  Quotas: v.array(
    v.object({
      QuotaName: v.string(),
      Value: v.number(),
      QuotaContext: v.nullish(v.object({ ContextId: v.nullish(v.string()) })),
    }),
  ),
});

/** The number of concurrent calls that a stage needs: Connect's default quota, enough for about twenty short calls a minute. */
const CALLS_AT_ONCE = 10;

const listCallLimits = async (
  { askAws }: Clients,
  { voice, pace: { voice: perSecond = 0 } }: Config,
): Promise<CheckedLimit[]> => {
  if (voice === undefined) return [];
  const found: v.InferOutput<typeof Quotas>["Quotas"] = [];
  let next: string | undefined;
  do {
    const page = v.parse(
      Quotas,
      await askAws({
        service: "servicequotas",
        host: "servicequotas",
        method: "POST",
        path: "/",
        region: extractRegion(voice.instance),
        target: "ServiceQuotasV20190624.ListServiceQuotas",
        version: "1.1",
        input: {
          ServiceCode: "connect",
          QuotaAppliedAtLevel: "ALL",
          ...(next === undefined ? {} : { NextToken: next }),
        },
      }),
    );
    found.push(...page.Quotas);
    next = page.NextToken ?? undefined;
  } while (next !== undefined);
  const compareWithQuota = (label: string, quotaName: RegExp, needs: number, todo: string): CheckedLimit => {
    const named = found.filter(({ QuotaName }) => quotaName.test(QuotaName));
    const own = named.find(({ QuotaContext }) => QuotaContext?.ContextId === voice.instance);
    const has = (own ?? named[0])?.Value;
    return { what: label, has: has ?? "not listed", needs, enough: has !== undefined && has >= needs, todo };
  };
  return [
    compareWithQuota(
      "Connect: calls started per second",
      /StartOutboundVoiceContact/,
      perSecond,
      'Set "callsPerSecond" to the quota, or request a higher quota in Service Quotas.',
    ),
    compareWithQuota(
      "Connect: calls at once",
      /^Concurrent active calls per instance$/,
      CALLS_AT_ONCE,
      'Request "Concurrent active calls per instance" in Service Quotas. It takes up to three weeks.',
    ),
  ];
};

/** Lists the stack's protection against deletion as a limit; nothing if the stack is not deployed, or need not be kept. */
const listDeletionProtection = async ({ cloudFormation }: Clients, config: Config): Promise<CheckedLimit[]> => {
  const name = toStackName(config.stage);
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

/** Compares the limits of account and stack with the stage's needs. `ready`: all limits suffice. `stages`: stages.json's text. */
export const runPreflight = async (clients: Clients, stage: string, stages: string) => {
  const config = readStageConfig({ stage }, stages);
  const limits = [
    await readConcurrencyLimit(clients, config),
    ...(await listMailLimits(clients, config)),
    ...(await listSmsLimits(clients, config)),
    ...(await listCallLimits(clients, config)),
    ...(await listDeletionProtection(clients, config)),
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
  run: (clients, options) => runPreflight(clients, requireOption(options, "stage"), readStagesFile()),
};
