import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpUserPoolAuthorizer } from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { UserPoolClient } from "aws-cdk-lib/aws-cognito";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import { functionName } from "./build.ts";
import type { Config } from "./config.ts";
import type { Identity } from "./identity.ts";
import { fallback, type Method, type Route } from "./routes.ts";
import { type FunctionSetting, ServiceFunction } from "./service-function.ts";

export type ServiceApiProps = { setting: FunctionSetting; identity: Identity; routes: readonly Route[] };

/** API Gateway gives up after 30 s; a caller has given up long before. */
const TIMEOUT_SECONDS = 10;
const MEMORY_MB = 512;
/** The endpoint that everything starts with gets more, because its latency is everybody's. */
const INGEST = "post-event";
const INGEST_MEMORY_MB = 1024;

const methods: Record<Method, HttpMethod> = {
  GET: HttpMethod.GET,
  POST: HttpMethod.POST,
  PUT: HttpMethod.PUT,
  PATCH: HttpMethod.PATCH,
  DELETE: HttpMethod.DELETE,
};

/** One line of JSON a request, with the ids by which it is found in the functions' logs and traces. Nothing secret. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: "$context.requestId",
    time: "$context.requestTime",
    method: "$context.httpMethod",
    route: "$context.routeKey",
    status: "$context.status",
    bytes: "$context.responseLength",
    latencyMs: "$context.responseLatency",
    functionLatencyMs: "$context.integrationLatency",
    functionError: "$context.integrationErrorMessage",
    authorizerError: "$context.authorizer.error",
    sourceIp: "$context.identity.sourceIp",
    userAgent: "$context.identity.userAgent",
  }),
);

const corsOf = ({ dashboardOrigins }: Config) => ({
  allowOrigins: [...dashboardOrigins],
  allowMethods: [
    CorsHttpMethod.GET,
    CorsHttpMethod.POST,
    CorsHttpMethod.PUT,
    CorsHttpMethod.PATCH,
    CorsHttpMethod.DELETE,
  ],
  // Not X-Api-Key: an API key has no place in a browser.
  allowHeaders: ["authorization", "content-type"],
  // Where a long list goes on.
  exposeHeaders: ["link"],
  maxAge: Duration.hours(1),
});

/** The HTTP API with a function a route, sessions checked by its JWT authorizer, throttled, every request logged. */
export class ServiceApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  /** The address that people and programs use. */
  readonly baseUrl: string;
  /** The client that the console signs people in with. */
  readonly consoleClient: UserPoolClient;
  /** The functions by their names. */
  readonly functions: ReadonlyMap<string, LambdaFunction>;

  constructor(scope: Construct, id: string, { setting, identity, routes }: ServiceApiProps) {
    super(scope, id);
    const { config } = setting;
    this.api = new HttpApi(this, "Api", {
      apiName: `event-alerting-${config.stage}`,
      createDefaultStage: false,
      ...(config.dashboardOrigins.length === 0 ? {} : { corsPreflight: corsOf(config) }),
    });
    const accessLogs = new LogGroup(this, "AccessLogs", {
      logGroupName: `/event-alerting/${config.stage}/http-access`,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.stage = new HttpStage(this, "Stage", {
      httpApi: this.api,
      stageName: "$default",
      autoDeploy: true,
      detailedMetricsEnabled: true,
      throttle: { rateLimit: config.throttle.requestsPerSecond, burstLimit: config.throttle.burst },
      accessLogSettings: { destination: new LogGroupLogDestination(accessLogs), format: accessLogFormat },
    });
    this.baseUrl = config.domain === undefined ? this.api.apiEndpoint : `https://${config.domain.name}`;
    this.consoleClient = identity.addConsoleClient(this.baseUrl);
    // One for all endpoints but the one that everything starts with: CloudFormation takes 500 resources a stack.
    const logGroup = new LogGroup(this, "EndpointLogs", {
      logGroupName: `/event-alerting/${config.stage}/endpoints`,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const session = new HttpUserPoolAuthorizer("Session", identity.userPool, {
      userPoolClients: [identity.client, this.consoleClient],
    });
    const open = new HttpNoneAuthorizer();
    const functions = new Map<string, LambdaFunction>();
    /** The function of an entry; two routes may share one. */
    const functionOf = ({ method, path, entry, access }: Route): LambdaFunction => {
      const name = functionName(entry);
      const known = functions.get(name);
      if (known !== undefined) return known;
      const isIngest = name === INGEST;
      const { function: handler } = new ServiceFunction(this, {
        setting,
        name,
        description: `${method} ${path}`,
        access,
        timeoutSeconds: TIMEOUT_SECONDS,
        memoryMb: isIngest ? INGEST_MEMORY_MB : MEMORY_MB,
        ...(isIngest ? {} : { logGroup }),
        ...(isIngest && config.ingestConcurrency > 0 ? { reservedConcurrency: config.ingestConcurrency } : {}),
      });
      functions.set(name, handler);
      return handler;
    };
    for (const route of routes) {
      const { method, path, auth } = route;
      const handler = functionOf(route);
      const [added] = this.api.addRoutes({
        path,
        methods: [methods[method]],
        integration: new HttpLambdaIntegration(functionName(route.entry), handler),
        authorizer: auth === "session" ? session : open,
      });
      if (auth === "api-key" && added !== undefined)
        acceptFindings(added, {
          "AwsSolutions-APIG4":
            "The function checks the API key against the table itself, so that a deleted key fails at once.",
        });
      if (auth === "secret-path" && added !== undefined)
        acceptFindings(added, {
          "AwsSolutions-APIG4":
            "Calendar programs and jobs cannot sign in: the path holds a secret that the function checks.",
        });
    }
    const unknown = functionName(fallback.entry);
    const { function: handler } = new ServiceFunction(this, {
      setting,
      name: unknown,
      description: "What no route is for",
      access: fallback.access,
      timeoutSeconds: TIMEOUT_SECONDS,
      memoryMb: MEMORY_MB,
      logGroup,
    });
    functions.set(unknown, handler);
    const integration = new HttpLambdaIntegration(unknown, handler);
    const rest = [
      // Before the console's, which takes every other GET.
      ...this.api.addRoutes({ path: fallback.path, methods: [HttpMethod.GET], integration, authorizer: open }),
      new HttpRoute(this, "Unknown", {
        httpApi: this.api,
        routeKey: HttpRouteKey.DEFAULT,
        integration,
        authorizer: open,
      }),
    ];
    for (const route of rest)
      acceptFindings(route, {
        "AwsSolutions-APIG4": "It says which paths there are, as the API reference does, and knows nothing else.",
      });
    this.functions = functions;
  }
}
