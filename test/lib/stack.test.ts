import { Queue } from "aws-cdk-lib/aws-sqs";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { describe, expect, test } from "vitest";
import { newApp } from "../../lib/app.ts";
import { readConfig } from "../../lib/config.ts";
import type { Context } from "../../lib/context.ts";
import { smsElsewhere, SmsStack } from "../../lib/sms-replies.ts";
import { addVoiceStack } from "../../lib/voice-calls.ts";
import type { Access } from "../../interface/access.ts";
import { functionName } from "../../lib/build.ts";
import { apiFunctions, fallback, routes, site } from "../../interface/routes.ts";
import { timers, workers } from "../../lib/workers.ts";
import { aStack, at, idAt, idOf, listAt, type Resource, resourcesOf, textAt } from "./support.ts";
import { SEND_LEASE_SECONDS } from "../../core/flow/take-pack.ts";

const resources = resourcesOf();
const [[, table]] = resources("AWS::DynamoDB::Table") as [[string, Resource]];
const functions = resources("AWS::Lambda::Function");
const roles = new Map(resources("AWS::IAM::Role"));
const queues = new Map(resources("AWS::SQS::Queue"));
const mappings = resources("AWS::Lambda::EventSourceMapping");
const nameOf = (resource: Resource): string => textAt(resource, "FunctionName").replace("event-alerting-dev-", "");

type Statement = { Effect: string; Action: string | string[]; Resource: unknown };
const statementsOf = (role: Resource | undefined): Statement[] =>
  listAt<{ PolicyDocument: { Statement: Statement[] } }>(role, "Policies").flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );
const roleOf = (resource: Resource) => roles.get(idAt(resource, "Role"));

describe("data", () => {
  test("any second of 35 days can be restored, and nothing is deleted by accident", () => {
    expect(table.Properties).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
      DeletionProtectionEnabled: true,
      BillingMode: "PAY_PER_REQUEST",
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
    });
    for (const type of ["AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::SecretsManager::Secret"])
      expect(new Set(resources(type).map(([, { DeletionPolicy }]) => DeletionPolicy))).toEqual(new Set(["Retain"]));
  });

  test("where data may go, it goes with the stack", () => {
    const throwaway = resourcesOf({ removal: "destroy" });

    for (const type of ["AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::SecretsManager::Secret"])
      expect(new Set(throwaway(type).map(([, { DeletionPolicy }]) => DeletionPolicy))).toEqual(new Set(["Delete"]));
    expect(at(throwaway("AWS::DynamoDB::Table")[0]?.[1], "DeletionProtectionEnabled")).toBe(false);
  });

  test("a restored table takes the place of the stack's own, in environment and permissions", () => {
    const restored = resourcesOf({ tableName: "restored-1" });

    expect(restored("AWS::DynamoDB::Table")).toEqual([]);
    const text = JSON.stringify([restored("AWS::Lambda::Function"), restored("AWS::IAM::Role")]);
    expect(text).toContain('"TABLE_NAME":"restored-1"');
    expect(text).toContain(":table/restored-1");
  });
});

describe("permissions", () => {
  test("functions share a role only where they may do exactly the same, without managed policies", () => {
    const accessOf = new Map<string, Access>(
      [...apiFunctions(routes), fallback, site, ...workers, ...timers].map(({ entry, access }) => [
        functionName(entry),
        access,
      ]),
    );
    const sharing = Map.groupBy(functions, ([, f]) => idAt(f, "Role"));

    for (const group of sharing.values()) {
      const allowed = group.map(([, f]) => {
        const { table: actions, sendsTo = [], readsSecrets = [] } = accessOf.get(nameOf(f))!;
        return [actions.toSorted(), sendsTo, readsSecrets];
      });
      expect(allowed).toEqual(group.map(() => allowed[0]));
    }
    expect([...roles.values()].filter(({ Properties }) => "ManagedPolicyArns" in Properties)).toEqual([]);
    expect(resources("AWS::IAM::Policy")).toEqual([]);
  });

  test("the API calls its functions by roles that may call them and nothing else, and no other function is called by it", () => {
    const of = resourcesOf({ stage: "twelve-chars" });
    const integrations = of("AWS::ApiGatewayV2::Integration");
    const selves = integrations.filter(([, one]) => at(one, "IntegrationType") === "HTTP_PROXY");
    expect(selves.map(([, one]) => at(one, "IntegrationMethod"))).toEqual(["GET"]);
    const called = integrations
      .filter((one) => !selves.includes(one))
      .map(([, integration]) => ({
        role: idAt(integration, "CredentialsArn"),
        callee: idAt(integration, "IntegrationUri"),
      }));
    const callers = of("AWS::IAM::Role").filter(([, role]) =>
      JSON.stringify(role).includes("apigateway.amazonaws.com"),
    );

    expect(callers.length).toBeGreaterThan(0);
    for (const [id, role] of callers) {
      const [statement, ...others] = statementsOf(role);
      expect(others).toEqual([]);
      expect(statement).toMatchObject({ Effect: "Allow", Action: "lambda:InvokeFunction" });
      const mine = called.filter((one) => one.role === id).map(({ callee }) => callee);
      expect([statement!.Resource].flat().map(idOf).sort()).toEqual(mine.sort());
      // IAM allows 10,240 characters of inline policies per role.
      const names = new Map(
        of("AWS::Lambda::Function").map(([function_, f]) => [function_, textAt(f, "FunctionName")]),
      );
      const arns = mine.map((callee) => `"arn:aws:lambda:ap-southeast-1:123456789012:function:${names.get(callee)}",`);
      expect(arns.join("").length).toBeLessThan(9_500);
    }
    const principals = of("AWS::Lambda::Permission").map(([, permission]) => textAt(permission, "Principal"));
    expect(new Set(principals)).toEqual(new Set(["events.amazonaws.com"]));
  });

  test("no statement has a wildcard, but X-Ray's where it is turned on, which knows no resources", () => {
    const statements = [...roles.values()].flatMap(statementsOf);
    const traced = resourcesOf({ tracing: "true" });
    // A condition takes away from what is granted.
    const isWild = ({ Action, Resource }: { Action: unknown; Resource: unknown }) =>
      JSON.stringify([Action, Resource]).includes("*");
    const wild = traced("AWS::IAM::Role")
      .flatMap(([, role]) => statementsOf(role))
      .filter(isWild);

    expect(statements.filter(isWild)).toEqual([]);
    expect(wild.length).toBeGreaterThan(0);
    for (const { Action, Resource } of wild)
      expect([Action, Resource]).toEqual([["xray:PutTelemetryRecords", "xray:PutTraceSegments"], "*"]);
    const modesOf = (all: typeof functions) => new Set(all.map(([, f]) => at(f, "TracingConfig.Mode")));
    expect(modesOf(traced("AWS::Lambda::Function"))).toEqual(new Set(["Active"]));
    // Said, because Lambda refuses a role without the permission for a function that has been traced so far.
    expect(modesOf(functions)).toEqual(new Set(["PassThrough"]));
  });

  test("only who sends pushes reads FCM's service account, and only who makes or checks tokens their key", () => {
    const readersOf = (secret: string) =>
      functions
        .filter(([, f]) => JSON.stringify(statementsOf(roleOf(f))).includes(secret))
        .map(([, f]) => nameOf(f))
        .sort();

    expect(readersOf("FcmServiceAccount")).toEqual(["sender", "test-device"]);
    expect(readersOf("ReceiptKey")).toEqual(["sender", "take-receipt", "test-device"]);
  });

  test("a function writes to one log group, which forgets: its own, or that of the endpoints", () => {
    const groups = new Map(resourcesOf({ logRetentionDays: 7 })("AWS::Logs::LogGroup"));
    const own = functions.map(([, f]) => idAt(f, "LoggingConfig.LogGroup"));

    const alone = own.filter((group) => own.indexOf(group) === own.lastIndexOf(group));
    expect(new Set(own).size).toBe(alone.length + 1);
    expect([...groups.values()].every(({ Properties }) => Properties["RetentionInDays"] === 7)).toBe(true);
    for (const [, f] of functions) {
      const writes = statementsOf(roleOf(f)).filter(({ Action }) => Action.includes("logs:PutLogEvents"));
      expect(writes.map(({ Resource }) => idOf(Resource))).toEqual([idAt(f, "LoggingConfig.LogGroup")]);
    }
  });
});

describe("queues", () => {
  const sources = mappings.map(([, mapping]) => ({
    mapping,
    queue: queues.get(idAt(mapping, "EventSourceArn")),
    consumer: functions.find(([id]) => id === idAt(mapping, "FunctionName"))?.[1],
  }));

  test("all are encrypted and refuse what comes without TLS", () => {
    expect([...queues.values()].every(({ Properties }) => Properties["SqsManagedSseEnabled"] === true)).toBe(true);
    const secured = resources("AWS::SQS::QueuePolicy").filter(([, policy]) =>
      JSON.stringify(policy).includes('"aws:SecureTransport":"false"'),
    );
    expect(secured).toHaveLength(queues.size);
  });

  test("a message stays with its consumer for six timeouts and is tried six times", () => {
    expect(sources.map(({ queue, consumer }) => [at(consumer, "Timeout"), at(queue, "VisibilityTimeout")])).toEqual([
      [20, 120],
      [30, 180],
      [20, 120],
      [30, 180],
    ]);
    expect(sources.map(({ queue }) => at(queue, "RedrivePolicy.maxReceiveCount"))).toEqual([6, 6, 6, 6]);
  });

  test("what failed six times is kept for 14 days", () => {
    const dead = sources.map(({ queue }) => queues.get(idAt(queue, "RedrivePolicy.deadLetterTargetArn")));

    expect(dead.map((queue) => at(queue, "MessageRetentionPeriod"))).toEqual([1209600, 1209600, 1209600, 1209600]);
  });

  test("batches do not wait, fail in parts, and have a ceiling", () => {
    for (const { mapping } of sources)
      expect(mapping.Properties).toMatchObject({
        BatchSize: 10,
        MaximumBatchingWindowInSeconds: 0,
        FunctionResponseTypes: ["ReportBatchItemFailures"],
      });
    expect(sources.map(({ mapping }) => at(mapping, "ScalingConfig.MaximumConcurrency"))).toEqual([20, 50, 10, 20]);
  });

  test("the sender is over before its claim on a notification is", () => {
    const sender = functions.find(([, f]) => nameOf(f) === "sender")?.[1];

    expect(at(sender, "Timeout")).toBeLessThan(SEND_LEASE_SECONDS);
  });
});

describe("the user pool", () => {
  const clients = resources("AWS::Cognito::UserPoolClient").map(([, client]) => client);

  test.each([
    [{}, "OPTIONAL", ["SOFTWARE_TOKEN_MFA"]],
    [{ mfa: "required" }, "ON", ["SOFTWARE_TOKEN_MFA"]],
    [{ mfa: "off" }, "OFF", undefined],
  ])("with %j has the second factor %s: an app, never SMS", (context, configuration, factors) => {
    const [[, pool]] = resourcesOf(context)("AWS::Cognito::UserPool") as [[string, Resource]];

    expect(pool.Properties["MfaConfiguration"]).toBe(configuration);
    expect(pool.Properties["EnabledMfas"]).toEqual(factors);
  });

  test("lets people change their name and their second factor, and never the address that says who they are", () => {
    expect(clients.map((client) => client.Properties["WriteAttributes"])).toEqual([["name"], ["name"]]);
    const scopes = clients.map((client) => client.Properties["AllowedOAuthScopes"]);
    expect(scopes).toContainEqual(["openid", "email", "profile", "aws.cognito.signin.user.admin"]);
  });

  test("is known to the console and to what makes workspaces or asks for an address, and to nothing else", () => {
    const knows = resources("AWS::Lambda::Function").filter(
      ([, one]) => at(one, "Environment.Variables.USER_POOL_URL") !== undefined,
    );

    expect(knows.map(([, one]) => textAt(one, "FunctionName").replace(/^.*?-dev-/, "")).toSorted()).toEqual([
      "accept-invitation",
      "create-workspace",
      "list-my-invitations",
      "serve-console",
    ]);
  });
});

describe("the HTTP API", () => {
  const deployed = resources("AWS::ApiGatewayV2::Route").map(([, route]) => route);
  const [[, stage]] = resources("AWS::ApiGatewayV2::Stage") as [[string, Resource]];

  test("all but the endpoints for API keys, what holds a secret in its path, receipts, presses in Slack and the console are behind the authorizer for sessions", () => {
    const open = deployed.filter((route) => at(route, "AuthorizationType") !== "JWT");

    expect(open.map((route) => at(route, "RouteKey"))).toEqual([
      "POST /v1/events",
      "POST /v1/events/{rest+}",
      "POST /v1/events/from/{source}",
      "POST /v1/events/from/{source}/{rest+}",
      "POST /v1/events/from/{source}/v2/{call}",
      "POST /v1/events/from/{source}/v2/{call}/{alias}/{action}",
      "POST /v1/events/from/{source}/{key}",
      "GET /v1/events/ping",
      "GET /v1/calendars/{calendar}",
      "POST /v1/receipts",
      "POST /v1/slack/presses",
      "POST /v1/heartbeats/{heartbeat}",
      "POST /v1/heartbeats/{heartbeat}/{rest+}",
      "GET /v1/heartbeats/{heartbeat}",
      "GET /v1/heartbeats/{heartbeat}/{rest+}",
      "GET /v1/{path+}",
      "HEAD /v1/{path+}",
      "GET /",
      "GET /{path+}",
      "HEAD /",
      "HEAD /{path+}",
      "GET /inbox",
      "GET /login",
      "GET /signed-in",
      "GET /worker.js",
      "GET /assets/{file}",
      "$default",
    ]);
    expect(resources("AWS::ApiGatewayV2::Authorizer")).toHaveLength(1);
  });

  test("the authorizer takes tokens of the pool's clients, and of no other", () => {
    const [[, authorizer]] = resources("AWS::ApiGatewayV2::Authorizer") as [[string, Resource]];

    expect(authorizer.Properties["AuthorizerType"]).toBe("JWT");
    expect(authorizer.Properties["IdentitySource"]).toEqual(["$request.header.Authorization"]);
    expect(listAt(authorizer, "JwtConfiguration.Audience").map(idOf)).toEqual(
      resources("AWS::Cognito::UserPoolClient").map(([id]) => id),
    );
  });

  test("it is throttled, and every request leaves a line without anything secret", () => {
    expect(stage.Properties["DefaultRouteSettings"]).toEqual({
      DetailedMetricsEnabled: false,
      ThrottlingBurstLimit: 2000,
      ThrottlingRateLimit: 1000,
    });
    const format = Object.values(JSON.parse(textAt(stage, "AccessLogSettings.Format")) as object);
    expect(format.join(" ")).not.toMatch(/header|authorizer\.claims|querystring|path\b/i);
  });

  test("each route without a session has a throttle of its own: who floods it takes nothing from anybody else", () => {
    const open = deployed.filter((route) => at(route, "AuthorizationType") !== "JWT");
    const settings = at(stage, "RouteSettings") as Record<string, object>;
    const throttle = (rate: number, burst: number) => ({
      DetailedMetricsEnabled: false,
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
    });

    expect(Object.keys(settings).sort()).toEqual(open.map((route) => textAt(route, "RouteKey")).sort());
    expect(settings["POST /v1/events"]).toEqual(throttle(1000, 2000));
    expect(settings["POST /v1/events/from/{source}"]).toEqual(throttle(1000, 2000));
    expect(settings["$default"]).toEqual(throttle(100, 200));
    expect(settings["GET /{path+}"]).toEqual(throttle(100, 200));
    // A stage refuses settings of a route that does not exist yet.
    const ids = resources("AWS::ApiGatewayV2::Route").filter(([, route]) => open.includes(route));
    expect((stage as unknown as { DependsOn: string[] }).DependsOn).toEqual(
      expect.arrayContaining(ids.map(([id]) => id)),
    );
  });

  test("the log of requests has a name that API Gateway may write to without a line in the account's policy", () => {
    const groups = new Map(resources("AWS::Logs::LogGroup"));
    const access = groups.get(idAt(stage, "AccessLogSettings.DestinationArn"));

    expect(textAt(access, "LogGroupName")).toBe("/aws/vendedlogs/event-alerting/dev/http-access");
    expect(access?.UpdateReplacePolicy).toBe("Retain");
  });

  test("no alarm and no graph reads a metric of a single route, for which API Gateway would have to be paid", () => {
    const readers = JSON.stringify([resources("AWS::CloudWatch::Alarm"), resources("AWS::CloudWatch::Dashboard")]);

    expect(readers).toContain("AWS/ApiGateway");
    expect(readers).not.toMatch(/"(?:Route|Method|Resource)\\*"/);
  });

  test("browsers may call it from the dashboard's origins and from nowhere else", () => {
    const [[, closed]] = resources("AWS::ApiGatewayV2::Api") as [[string, Resource]];
    const [[, open]] = resourcesOf({ dashboardOrigins: "https://alerts.example.com" })("AWS::ApiGatewayV2::Api") as [
      [string, Resource],
    ];

    expect(closed.Properties["CorsConfiguration"]).toBeUndefined();
    expect(open.Properties["CorsConfiguration"]).toEqual({
      AllowHeaders: ["authorization", "content-type", "if-match", "if-none-match", "x-via"],
      ExposeHeaders: ["etag", "link", "x-warning"],
      AllowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      AllowOrigins: ["https://alerts.example.com"],
      MaxAge: 3600,
    });
  });

  test("a name of one's own brings its certificate and its records", () => {
    const named = resourcesOf({ domainName: "api.example.com", hostedZoneId: "Z0123456789ABC" });

    expect(at(named("AWS::CertificateManager::Certificate")[0]?.[1], "DomainValidationOptions")).toEqual([
      { DomainName: "api.example.com", HostedZoneId: "Z0123456789ABC" },
    ]);
    expect(named("AWS::Route53::RecordSet").map(([, { Properties }]) => Properties["Type"])).toEqual(["A", "AAAA"]);
  });
});

test("whose messages come around, by way of other functions too, is not stopped as a runaway, and nobody else may", () => {
  const allowed = functions.filter(([, f]) => at(f, "RecursiveLoop") === "Allow").map(([, f]) => nameOf(f));

  expect(allowed).toEqual(["matcher", "sender", "escalator", "webhook-sender"]);
});

test("ingest and the sweeper have invocations of their own, so that a storm of sends cannot starve them", () => {
  const reserved = functions.filter(([, { Properties }]) => "ReservedConcurrentExecutions" in Properties);

  expect(reserved.map(([, f]) => [nameOf(f), f.Properties["ReservedConcurrentExecutions"]])).toEqual([
    ["post-event", 100],
    ["sweeper", 2],
  ]);
});

test("an account that has no invocations to reserve can do without", () => {
  const bare = resourcesOf({ ingestConcurrency: "0" })("AWS::Lambda::Function");

  expect(JSON.stringify(bare)).not.toContain("ReservedConcurrentExecutions");
});

test("the sweeper runs every minute, and what fails is left to the next minute", () => {
  const [[, rule]] = resources("AWS::Events::Rule") as [[string, Resource]];

  expect(rule.Properties).toMatchObject({ ScheduleExpression: "rate(1 minute)", State: "ENABLED" });
  expect(functions.filter(([id]) => id === idAt(rule, "Targets.0.Arn")).map(([, f]) => nameOf(f))).toEqual(["sweeper"]);
  const [[, once]] = resources("AWS::Lambda::EventInvokeConfig") as [[string, Resource]];
  expect(once.Properties).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
});

test("two stages fit into one account", () => {
  const physicalNames = (stage: string): string[] => {
    const of = resourcesOf({ stage });
    return [
      ...of("AWS::Lambda::Function").map(([, resource]) => textAt(resource, "FunctionName")),
      ...of("AWS::Logs::LogGroup").map(([, resource]) => textAt(resource, "LogGroupName")),
      ...of("AWS::CloudWatch::Alarm").map(([, resource]) => textAt(resource, "AlarmName")),
      ...of("AWS::CloudWatch::Dashboard").map(([, resource]) => textAt(resource, "DashboardName")),
    ];
  };

  const one = physicalNames("dev");
  const other = new Set(physicalNames("prod"));

  expect(new Set(one).size).toBe(one.length);
  expect(one.filter((name) => other.has(name))).toEqual([]);
  expect(aStack({ stage: "prod" }).stackName).toBe("EventAlerting-prod");
});

test("the rule packs of cdk-nag find nothing that has not its reason", () => {
  const app = newApp();
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
  new SmsStack(app, { ...config, region: smsElsewhere(config)! });
  expect(addVoiceStack(app, config)?.region).toBe("eu-west-2");

  expect(new AwsSolutionsChecks().validateScope(app).violations).toEqual([]);
  expect(new ServerlessChecks().validateScope(app).violations).toEqual([]);
});

test("the rule packs do find what has no reason", () => {
  const app = newApp();
  new Queue(aStack({}, app), "Careless");

  expect(new AwsSolutionsChecks().validateScope(app).violations.map(({ ruleName }) => ruleName)).toEqual([
    "AwsSolutions-SQS3",
    "AwsSolutions-SQS4",
  ]);
});
