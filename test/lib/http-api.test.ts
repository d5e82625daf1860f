import { describe, expect, test } from "vitest";
import { valueAt, idAt, idOf, listAt, type Resource, resourcesOf, textAt } from "./support.ts";

const resources = resourcesOf();

describe("the user pool of a stage", () => {
  const clients = resources("AWS::Cognito::UserPoolClient").map(([, client]) => client);

  test.each([
    ["has an optional second factor by default: an app for one-time codes", {}, "OPTIONAL", ["SOFTWARE_TOKEN_MFA"]],
    [
      "has a required second factor if the setting mfa is required: an app for one-time codes",
      { mfa: "required" },
      "ON",
      ["SOFTWARE_TOKEN_MFA"],
    ],
    ["has no second factor if the setting mfa is off", { mfa: "off" }, "OFF", undefined],
  ])("%s", (_, context, configuration, factors) => {
    const [[, pool]] = resourcesOf(context)("AWS::Cognito::UserPool") as [[string, Resource]];

    expect(pool.Properties["MfaConfiguration"]).toBe(configuration);
    expect(pool.Properties["EnabledMfas"]).toEqual(factors);
  });

  test("lets people change their name and their second factor, but not the address that identifies them", () => {
    expect(clients.map((client) => client.Properties["WriteAttributes"])).toEqual([["name"], ["name"]]);
    const scopes = clients.map((client) => client.Properties["AllowedOAuthScopes"]);
    expect(scopes).toContainEqual(["openid", "email", "profile", "aws.cognito.signin.user.admin"]);
  });

  test("is known to the console and to functions that create workspaces or need an address, and to no other functions", () => {
    const knows = resources("AWS::Lambda::Function").filter(
      ([, one]) => valueAt(one, "Environment.Variables.USER_POOL_URL") !== undefined,
    );

    expect(knows.map(([, one]) => textAt(one, "FunctionName").replace(/^.*?-dev-/, "")).toSorted()).toEqual([
      "read-invitations",
      "serve-console",
      "write-invitations",
      "write-workspaces",
    ]);
  });
});

describe("the HTTP API of a stage", () => {
  const deployed = resources("AWS::ApiGatewayV2::Route").map(([, route]) => route);
  const [[, stage]] = resources("AWS::ApiGatewayV2::Stage") as [[string, Resource]];

  test("has its authorizer on all routes except API key endpoints, secret paths, receipts, Slack and the console", () => {
    const open = deployed.filter((route) => valueAt(route, "AuthorizationType") !== "JWT");

    expect(open.map((route) => textAt(route, "RouteKey")).sort()).toEqual([
      "$default",
      "DELETE /v1/events/from/{source}/v2/{call}/{alias}",
      "DELETE /v1/events/from/{source}/v2/{call}/{alias}/{action}",
      "GET /",
      "GET /assets/{file}",
      "GET /inbox",
      "GET /login",
      "GET /signed-in",
      "GET /v1/calendars/{calendar}",
      "GET /v1/events/from/{source}/v2/{call}/{alias}/{action}",
      "GET /v1/events/ping",
      "GET /v1/heartbeats/{heartbeat}",
      "GET /v1/heartbeats/{heartbeat}/{rest+}",
      "GET /v1/{path+}",
      "GET /worker.js",
      "GET /{path+}",
      "HEAD /",
      "HEAD /v1/{path+}",
      "HEAD /{path+}",
      "POST /v1/events",
      "POST /v1/events/from/{source}",
      "POST /v1/events/from/{source}/v2/{call}",
      "POST /v1/events/from/{source}/v2/{call}/{alias}/{action}",
      "POST /v1/events/from/{source}/{key}",
      "POST /v1/events/from/{source}/{rest+}",
      "POST /v1/events/{rest+}",
      "POST /v1/heartbeats/{heartbeat}",
      "POST /v1/heartbeats/{heartbeat}/{rest+}",
      "POST /v1/receipts",
      "POST /v1/slack/presses",
      "PUT /v1/events/from/{source}/v2/{call}/{alias}/{action}",
    ]);
    expect(resources("AWS::ApiGatewayV2::Authorizer")).toHaveLength(1);
  });

  test("has an authorizer that accepts only tokens of the user pool's clients", () => {
    const [[, authorizer]] = resources("AWS::ApiGatewayV2::Authorizer") as [[string, Resource]];

    expect(authorizer.Properties["AuthorizerType"]).toBe("JWT");
    expect(authorizer.Properties["IdentitySource"]).toEqual(["$request.header.Authorization"]);
    expect(listAt(authorizer, "JwtConfiguration.Audience").map(idOf)).toEqual(
      resources("AWS::Cognito::UserPoolClient").map(([id]) => id),
    );
  });

  test("is throttled, and logs every request without secrets", () => {
    expect(stage.Properties["DefaultRouteSettings"]).toEqual({
      DetailedMetricsEnabled: false,
      ThrottlingBurstLimit: 2000,
      ThrottlingRateLimit: 1000,
    });
    const format = Object.values(JSON.parse(textAt(stage, "AccessLogSettings.Format")) as object);
    expect(format.join(" ")).not.toMatch(/header|authorizer\.claims|querystring|path\b/i);
  });

  test("throttles each route without a session separately, so that flooding one does not affect others", () => {
    const open = deployed.filter((route) => valueAt(route, "AuthorizationType") !== "JWT");
    const settings = valueAt(stage, "RouteSettings") as Record<string, object>;
    const createThrottle = (rate: number, burst: number) => ({
      DetailedMetricsEnabled: false,
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
    });

    expect(Object.keys(settings).sort()).toEqual(open.map((route) => textAt(route, "RouteKey")).sort());
    expect(settings["POST /v1/events"]).toEqual(createThrottle(1000, 2000));
    expect(settings["POST /v1/events/from/{source}"]).toEqual(createThrottle(1000, 2000));
    expect(settings["$default"]).toEqual(createThrottle(100, 200));
    expect(settings["GET /{path+}"]).toEqual(createThrottle(100, 200));
    // API Gateway refuses settings for a route that does not exist yet.
    const ids = resources("AWS::ApiGatewayV2::Route").filter(([, route]) => open.includes(route));
    expect((stage as unknown as { DependsOn: string[] }).DependsOn).toEqual(
      expect.arrayContaining(ids.map(([id]) => id)),
    );
  });

  test("has a request log whose name lets API Gateway write to the log without an account-wide policy", () => {
    const groups = new Map(resources("AWS::Logs::LogGroup"));
    const access = groups.get(idAt(stage, "AccessLogSettings.DestinationArn"));

    expect(textAt(access, "LogGroupName")).toBe("/aws/vendedlogs/event-alerting/dev/http-access");
    expect(access?.UpdateReplacePolicy).toBe("Retain");
  });

  test("has no alarm and no graph on a metric of a single route, which API Gateway would charge for", () => {
    const readers = JSON.stringify([resources("AWS::CloudWatch::Alarm"), resources("AWS::CloudWatch::Dashboard")]);

    expect(readers).toContain("AWS/ApiGateway");
    expect(readers).not.toMatch(/"(?:Route|Method|Resource)\\*"/);
  });

  test("may be called by pages of other origins only if the stage's settings list the origin", () => {
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

  test("has its certificate and its DNS records if the stage has a custom domain name", () => {
    const named = resourcesOf({ domainName: "api.example.com", hostedZoneId: "Z0123456789ABC" });

    expect(valueAt(named("AWS::CertificateManager::Certificate")[0]?.[1], "DomainValidationOptions")).toEqual([
      { DomainName: "api.example.com", HostedZoneId: "Z0123456789ABC" },
    ]);
    expect(named("AWS::Route53::RecordSet").map(([, { Properties }]) => Properties["Type"])).toEqual(["A", "AAAA"]);
  });
});
