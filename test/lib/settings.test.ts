import { CfnResource, Stack } from "aws-cdk-lib";
import { expect, test } from "vitest";
import { createApp, refuseTooManyResources, countResources } from "../../lib/app.ts";
import { ConfigError, type Context, settings } from "../../lib/context.ts";
import { aStack, templateWith } from "./support.ts";

const RESOURCES_MAX = 500;

/** Settings that belong together, each with a value other than the default. */
const groups: Readonly<Record<string, Context>> = {
  stage: { stage: "prod" },
  account: { account: "123456789012" },
  dashboardOrigins: { dashboardOrigins: "https://alerts.example.com" },
  logRetentionDays: { logRetentionDays: 90 },
  alarmEmail: { alarmEmail: "oncall@example.com" },
  mail: { mailFrom: "alerts@example.com", mailsPerSecond: 20 },
  sms: {
    smsFrom: "arn:aws:sms-voice:eu-central-1:123456789012:pool/pool-0123",
    smsCountries: "DE",
    smsMaxPrice: "0.30",
    smsMonthly: 100,
    smsPerSecond: 10,
    smsIndiaEntityId: "1101000000000000001",
    smsIndiaTemplateId: "1107000000000000001",
  },
  slack: { slack: true },
  voice: {
    voiceInstance: "arn:aws:connect:eu-central-1:123456789012:instance/10ca1000-0000-4000-8000-000000000001",
    voiceFrom: "+4930123456",
    voiceCountries: "DE",
    voiceMonthly: 100,
    callsPerSecond: 4,
  },
  domain: { domainName: "api.example.com", hostedZoneId: "Z0123456789ABC" },
  edge: {
    domainName: "api.example.com",
    hostedZoneId: "Z0123456789ABC",
    region: "eu-central-1",
    edge: "only",
    edgeRequestsPerMinute: 1000,
  },
  plan: { planMonthlyEvents: 1000, planEventsPerMinute: 60, planBurst: 10, planRetentionDays: 90 },
  throttle: { requestsPerSecond: 100, requestsBurst: 200 },
  ingestConcurrency: { ingestConcurrency: 0 },
  tableWritesPerSecond: { tableWritesPerSecond: 8000 },
  synthetic: { synthetic: true },
  tracing: { tracing: true },
  mfa: { mfa: "required" },
  machines: { machines: ["one", "two", "three"] },
  singleSignOn: {
    singleSignOn: "only",
    ssoIssuer: "https://login.example.com",
    ssoClientId: "alerts",
    ssoSessionHours: 12,
  },
  saml: { singleSignOn: "beside", ssoMetadataUrl: "https://login.example.com/metadata.xml" },
  tableName: { tableName: "restored-1" },
  removal: { removal: "destroy" },
  firstDeployment: { firstDeployment: true },
  github: { githubRepository: "acme/alerts", githubProvider: "make" },
};

/** Pairs of settings that exclude each other. */
const either = new Set(["singleSignOn saml"]);

const listLogicalIds = (context: Context): string => Object.keys(templateWith(context)).sort().join(" ");
const countStackResources = (context: Context): number => countResources(aStack(context));

test("every setting of a stage has a test value", () => {
  const named = new Set(Object.values(groups).flatMap((group) => Object.keys(group)));

  expect(settings.filter((name) => !named.has(name))).toEqual([]);
});

test(
  "each setting can be synthesized, and any two together stay within CloudFormation's limits",
  { timeout: 600_000 },
  () => {
    const plain = listLogicalIds({});
    // A setting that changes no resource cannot change the number of resources.
    const counting = Object.entries(groups).filter(([, group]) => listLogicalIds(group) !== plain);
    const over = counting.flatMap(([one, first], index) =>
      counting.slice(index + 1).flatMap(([other, second]) => {
        if (either.has(`${one} ${other}`)) return [];
        const count = countStackResources({ ...first, ...second });
        return count > RESOURCES_MAX ? [`${one} with ${other}: ${count}`] : [];
      }),
    );

    expect(over).toEqual([]);
  },
);

/** Lists the sentences that the operator reads instead of a stack trace. */
const listRefusals = (stack: Stack): string[] => {
  try {
    refuseTooManyResources(stack);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [error.message];
  }
};

const createAllSettings = (): Context =>
  Object.assign({}, ...Object.entries(groups).flatMap(([name, group]) => (name === "saml" ? [] : [group]))) as Context;

test("all settings together fit into a stack, or the operator gets one sentence that says why not", () => {
  const stack = aStack({ ...createAllSettings(), tableName: undefined });
  const count = countResources(stack);
  const said =
    count <= RESOURCES_MAX
      ? []
      : [
          `The settings of EventAlerting-prod need ${count} resources, and CloudFormation allows 500: leave out a setting, such as machines or synthetic.`,
        ];

  expect(listRefusals(stack)).toEqual(said);
});

test("a stack of 500 resources is accepted, and a stack of 501 resources is refused with one sentence", () => {
  const createStackOf = (count: number): Stack => {
    const stack = new Stack(createApp(), "EventAlerting-prod");
    for (let nr = 0; nr < count; nr += 1) new CfnResource(stack, `Topic${nr}`, { type: "AWS::SNS::Topic" });
    return stack;
  };

  expect(listRefusals(createStackOf(500))).toEqual([]);
  expect(listRefusals(createStackOf(501))).toEqual([
    "The settings of EventAlerting-prod need 501 resources, and CloudFormation allows 500: leave out a setting, such as machines or synthetic.",
  ]);
});
