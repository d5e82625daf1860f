import { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { aStack, valueAt, idAt, idOf, listAt, type Resource, resourcesOf, textAt } from "./support.ts";

/** Creates one line for everything that a reviewer of a change would check. */
const createOutline = (): string => {
  const resources = resourcesOf({ synthetic: "true" });
  const roles = new Map(resources("AWS::IAM::Role"));
  const functions = new Map(resources("AWS::Lambda::Function"));
  const integrations = new Map(resources("AWS::ApiGatewayV2::Integration"));
  const removeHash = (id: string): string => id.replace(/[0-9A-F]{8}$/, "");

  type Statement = { Action: string | string[]; Resource: unknown };
  const describeGrants = (lambda: Resource | undefined): string =>
    listAt<{ PolicyName: string; PolicyDocument: { Statement: Statement[] } }>(
      roles.get(idAt(lambda, "Role")),
      "Policies",
    )
      .filter(({ PolicyName }) => PolicyName === "work")
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .map(({ Action, Resource: resource }) => {
        const ids = [resource].flat().map((one) => removeHash(idOf(one)));
        return `${ids.join(" ")}: ${[Action].flat().join(" ").replaceAll(/\w+:/g, "")}`;
      })
      .join("; ");
  const describeSizes = (lambda: Resource | undefined): string =>
    `${textAt(lambda, "Timeout")} s, ${textAt(lambda, "MemorySize")} MB` +
    (valueAt(lambda, "ReservedConcurrentExecutions") === undefined
      ? ""
      : `, ${textAt(lambda, "ReservedConcurrentExecutions")} reserved`);
  const describeEnvironment = (lambda: Resource | undefined): string =>
    Object.keys(valueAt(lambda, "Environment.Variables") as object)
      .filter((name) => !["STAGE", "TABLE_NAME", "NODE_OPTIONS"].includes(name))
      .join(" ");
  const describeFunction = (lambda: Resource | undefined): string =>
    [
      textAt(lambda, "FunctionName").replace("event-alerting-dev-", ""),
      describeSizes(lambda),
      describeGrants(lambda),
      describeEnvironment(lambda),
    ]
      .filter((part) => part !== "")
      .join(" | ");
  const describeTarget = (route: Resource): string => {
    const integration = integrations.get(idAt(route, "Target.Fn::Join.1.1"));
    return valueAt(integration, "IntegrationType") === "HTTP_PROXY"
      ? `the same by ${textAt(integration, "IntegrationMethod")}`
      : describeFunction(functions.get(idAt(integration, "IntegrationUri")));
  };

  return [
    "# Routes",
    ...resources("AWS::ApiGatewayV2::Route").map(
      ([, route]) => `${textAt(route, "RouteKey")} | ${textAt(route, "AuthorizationType")} | ${describeTarget(route)}`,
    ),
    "# Workers",
    ...resources("AWS::Lambda::EventSourceMapping").map(
      ([, mapping]) =>
        `${removeHash(idAt(mapping, "EventSourceArn"))} | ${textAt(mapping, "ScalingConfig.MaximumConcurrency")} at a time | ` +
        describeFunction(functions.get(idAt(mapping, "FunctionName"))),
    ),
    "# Timers",
    ...resources("AWS::Events::Rule").map(
      ([, rule]) =>
        `${textAt(rule, "ScheduleExpression")} | ${describeFunction(functions.get(idAt(rule, "Targets.0.Arn")))}`,
    ),
    "# Alarms",
    ...resources("AWS::CloudWatch::Alarm").map(
      ([, alarm]) =>
        `${textAt(alarm, "AlarmName").replace("event-alerting-dev-", "")} | ${textAt(alarm, "ComparisonOperator")} ` +
        `${textAt(alarm, "Threshold")} | ${textAt(alarm, "DatapointsToAlarm")} of ${textAt(alarm, "EvaluationPeriods")}`,
    ),
    "",
  ].join("\n");
};

test("a change of the stack shows in the snapshot of its outline", async () => {
  await expect(createOutline()).toMatchFileSnapshot("__snapshots__/outline.txt");
});

test("the stack stays well below CloudFormation's 500 resources, with all settings", () => {
  const stack = aStack({
    synthetic: "true",
    domainName: "api.example.com",
    hostedZoneId: "Z0123456789ABC",
    alarmEmail: "a@b.cd",
    smsFrom: "arn:aws:sms-voice:eu-central-1:123456789012:pool/pool-0123",
    smsCountries: "DE",
    machines: Array.from({ length: 3 }, (_, n) => `machine-${n}`),
    singleSignOn: "beside",
    ssoMetadataUrl: "https://login.example.com/metadata.xml",
    mailFrom: "alerts@example.com",
    slack: "true",
    voiceInstance: "arn:aws:connect:eu-central-1:123456789012:instance/0123abcd-0000-4000-8000-000000000001",
    voiceFrom: "+4930123456",
    voiceCountries: "DE",
    githubRepository: "acme/alerts",
    account: "123456789012",
    region: "eu-central-1",
    edge: "beside",
    tracing: "true",
  });
  const { Resources: all } = Template.fromStack(stack).toJSON() as { Resources: object };

  expect(Object.keys(all).length).toBeLessThan(435);
});
