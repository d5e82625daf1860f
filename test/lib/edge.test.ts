import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { describe, expect, test } from "vitest";
import { createApp } from "../../lib/app.ts";
import { readConfig } from "../../lib/config.ts";
import { type Context } from "../../lib/context.ts";
import { EdgeStack, toEdgeProps } from "../../lib/edge.ts";
import { aStack, valueAt, idAt, type Resource, templateOf, textAt, templateWith } from "./support.ts";
import { walkUpgrade } from "./walk.ts";

const prod: Context = {
  stage: "prod",
  region: "eu-central-1",
  domainName: "alerts.example.com",
  hostedZoneId: "Z0123456789ABC",
};
const PATH = "{{resolve:secretsmanager:event-alerting/prod/origin-path:SecretString:key::}}";

const createServiceTemplate = (context: Context): Record<string, Resource> => templateWith(context);
const createEdgeTemplate = (context: Context): Record<string, Resource> =>
  templateOf(new EdgeStack(createApp(), toEdgeProps(readConfig(context))!));
const listOfType = (template: Record<string, Resource>, type: string): Resource[] =>
  Object.values(template).filter(({ Type }) => Type === type);

const direct = createServiceTemplate(prod);
const beside = createServiceTemplate({ ...prod, edge: "beside" });
const only = createServiceTemplate({ ...prod, edge: "only" });
const edge = createEdgeTemplate({ ...prod, edge: "only" });

const readDnsRecords = (template: Record<string, Resource>): Record<string, unknown> =>
  Object.fromEntries(
    listOfType(template, "AWS::Route53::RecordSet")
      .filter((record) => textAt(record, "Type") === "A")
      .map((record) => [textAt(record, "Name"), valueAt(record, "AliasTarget.DNSName")]),
  );
const listMappings = (template: Record<string, Resource>): unknown[] =>
  listOfType(template, "AWS::ApiGatewayV2::ApiMapping").map((mapping) => {
    const name = template[idAt(mapping, "DomainName")];
    return [textAt(name, "DomainName"), valueAt(mapping, "ApiMappingKey")];
  });
const readAwsUrlDisabled = (template: Record<string, Resource>): unknown =>
  valueAt(listOfType(template, "AWS::ApiGatewayV2::Api")[0], "DisableExecuteApiEndpoint");

test("a stage has no CloudFront edge unless it sets one", () => {
  expect(toEdgeProps(readConfig(prod))).toBeUndefined();
  expect(listMappings(direct)).toEqual([["alerts.example.com", undefined]]);
  expect(readAwsUrlDisabled(direct)).toBeUndefined();
});

describe("with a CloudFront edge,", () => {
  test("the API answers only below the edge's secret path, and not at its AWS URL, if only the edge may call it", () => {
    expect(listMappings(only)).toEqual([["origin.alerts.example.com", PATH]]);
    expect(readAwsUrlDisabled(only)).toBe(true);
  });

  test("the path from the edge to the API is secret: only CloudFormation reads it", () => {
    const [secret] = listOfType(edge, "AWS::SecretsManager::Secret");
    const path = JSON.stringify(
      valueAt(listOfType(edge, "AWS::CloudFront::Distribution")[0], "DistributionConfig.Origins.0"),
    );

    expect(secret?.Properties).toMatchObject({
      Name: "event-alerting/prod/origin-path",
      GenerateSecretString: { GenerateStringKey: "key", PasswordLength: 64, ExcludePunctuation: true },
      ReplicaRegions: [{ Region: "eu-central-1" }],
    });
    expect(path).toContain(`["/{{resolve:secretsmanager:",{"Ref":"OriginPath`);
    expect(path).toContain(`":SecretString:key::}}"]`);
    for (const type of ["AWS::Lambda::Function", "AWS::IAM::Role"])
      expect(JSON.stringify(listOfType(only, type))).not.toContain("origin-path");
    const near = createEdgeTemplate({ ...prod, region: "us-east-1", edge: "only" });
    expect(valueAt(listOfType(near, "AWS::SecretsManager::Secret")[0], "ReplicaRegions")).toBeUndefined();
  });

  test("people and programs use the stage's domain name, and the edge reaches the API under another name", () => {
    expect(readDnsRecords(only)).toMatchObject({ "alerts.example.com": "edge.alerts.example.com" });
    expect(readDnsRecords(edge)).toEqual({
      "edge.alerts.example.com": { "Fn::GetAtt": [expect.stringMatching(/^Distribution/), "DomainName"] },
    });
    const [distribution] = listOfType(edge, "AWS::CloudFront::Distribution");
    expect(valueAt(distribution, "DistributionConfig.Aliases")).toEqual(["alerts.example.com"]);
    expect(valueAt(distribution, "DistributionConfig.Origins.0.DomainName")).toBe("origin.alerts.example.com");
  });

  test("every URL for people and browsers has the edge's domain name", () => {
    expect(JSON.stringify(only)).not.toContain("execute-api");
    const clients = listOfType(only, "AWS::Cognito::UserPoolClient").flatMap(
      (client) => valueAt(client, "CallbackURLs") ?? [],
    );
    expect(clients).toEqual(["https://alerts.example.com/signed-in"]);
    const names = listOfType(only, "AWS::Lambda::Function")
      .map((f) => valueAt(f, "Environment.Variables.BASE_URL"))
      .filter((url) => url !== undefined);
    expect(names.length).toBeGreaterThan(2);
    expect(new Set(names)).toEqual(new Set(["https://alerts.example.com"]));
  });

  test("the edge caches only immutable files, and passes on everything of a request except the host name", () => {
    const config = valueAt(listOfType(edge, "AWS::CloudFront::Distribution")[0], "DistributionConfig") as {
      DefaultCacheBehavior: object;
      CacheBehaviors: object[];
    };

    // The ids of AWS's own policies: CachingDisabled, AllViewerExceptHostHeader, CachingOptimized.
    expect(config.DefaultCacheBehavior).toMatchObject({
      CachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
      OriginRequestPolicyId: "b689b0a8-53d0-40ab-baf2-68738e2966ac",
      ViewerProtocolPolicy: "https-only",
      AllowedMethods: ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"],
    });
    expect(config.CacheBehaviors).toMatchObject([
      {
        PathPattern: "/assets/*",
        CachePolicyId: "658327ea-f89d-4fab-a63d-7e88639e58f6",
        ViewerProtocolPolicy: "https-only",
      },
    ]);
  });

  test.each([
    ["no limits are set", 6000, 600, {}],
    ["the edge's own limit is set", 900, 90, { edgeRequestsPerMinute: "900" }],
    // One IP address may send as many events as a whole plan allows.
    ["a plan allows 10,000 events a minute", 20_000, 2000, { planEventsPerMinute: 10_000 }],
  ])(
    "if %s, an IP address may send %i requests a minute, %i for console pages, and then gets 429",
    (_, all, pages, settings) => {
      const template = createEdgeTemplate({ ...prod, edge: "only", ...settings });
      const [firewall] = listOfType(template, "AWS::WAFv2::WebACL");

      expect(firewall?.Properties).toMatchObject({
        Scope: "CLOUDFRONT",
        DefaultAction: { Allow: {} },
        CustomResponseBodies: { tooMany: { Content: '{"message":"Too Many Requests"}' } },
        Rules: [
          {
            Statement: { RateBasedStatement: { AggregateKeyType: "IP", EvaluationWindowSec: 60, Limit: all } },
            Action: { Block: { CustomResponse: { ResponseCode: 429, ResponseHeaders: [{ Name: "Retry-After" }] } } },
          },
          {
            Statement: { RateBasedStatement: { Limit: pages } },
            Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
          },
        ],
      });
      const spared = JSON.stringify(valueAt(firewall, "Rules.1")).matchAll(/"SearchString":"([^"]+)"/g);
      expect([...spared].map(([, path]) => path)).toEqual(["/v1/", "/assets/"]);
      expect(valueAt(listOfType(template, "AWS::CloudFront::Distribution")[0], "DistributionConfig.WebACLId")).toEqual({
        "Fn::GetAtt": ["Firewall", "Arn"],
      });
    },
  );
});

describe("while a stage moves to a CloudFront edge,", () => {
  test("the API can be reached both directly and through the edge", () => {
    expect(listMappings(beside)).toEqual([
      ["alerts.example.com", undefined],
      ["origin.alerts.example.com", PATH],
    ]);
    expect(readAwsUrlDisabled(beside)).toBeUndefined();
    expect(readDnsRecords(beside)).toMatchObject({ "alerts.example.com": "edge.alerts.example.com" });
  });

  test("the domain name moves when the edge can reach the API, and every request is still answered", () => {
    const records = Object.values(beside).filter((one) => textAt(one, "Name") === "alerts.example.com");
    for (const record of records as (Resource & { DependsOn: string[] })[])
      expect(record.DependsOn.map((id) => beside[id]?.Type)).toEqual(
        expect.arrayContaining(["AWS::ApiGatewayV2::ApiMapping", "AWS::Route53::RecordSet"]),
      );

    expect(records).toHaveLength(2);
    expect(walkUpgrade(direct, beside)).toMatchObject({ gone: [], gaps: [], collisions: [] });
  });

  test("the old entry to the API is removed only after the domain name has moved", () => {
    const { gone, collisions } = walkUpgrade(beside, only);

    expect(gone.map(({ type, how }) => `${type} ${how}`).sort()).toEqual([
      "AWS::ApiGatewayV2::ApiMapping removed",
      "AWS::ApiGatewayV2::DomainName removed",
      "AWS::CertificateManager::Certificate removed",
    ]);
    expect(collisions).toEqual([]);
  });
});

test("an edge stack is in the region of CloudFront's firewall, and is kept while its stage's data is kept", () => {
  const createEdgeStack = (removal: string) =>
    new EdgeStack(createApp(), toEdgeProps(readConfig({ ...prod, edge: "only", removal }))!);

  expect(createEdgeStack("retain")).toMatchObject({
    stackName: "EventAlerting-prod-edge",
    region: "us-east-1",
    terminationProtection: true,
  });
  expect(createEdgeStack("destroy").terminationProtection).toBe(false);
});

test("the cdk-nag rule packs find nothing without a documented reason in an edge stack", () => {
  for (const mode of ["beside", "only"]) {
    const app = createApp();
    const context = { ...prod, edge: mode };
    aStack(context, app).addStackDependency(new EdgeStack(app, toEdgeProps(readConfig(context))!));

    expect(new AwsSolutionsChecks().validateScope(app).violations).toEqual([]);
    expect(new ServerlessChecks().validateScope(app).violations).toEqual([]);
  }
});

test("a workflow that deploys a stage can also deploy its edge, before the stage", () => {
  const roles = JSON.stringify(
    listOfType(createServiceTemplate({ ...prod, githubRepository: "acme/alerts" }), "AWS::IAM::Role"),
  );

  expect(roles.split("AWS::AccountId}-*").length - 1).toBe(3);
});
