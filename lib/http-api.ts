import { Duration, Lazy, RemovalPolicy } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  CfnStage,
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
import type { UserPoolClient } from "aws-cdk-lib/aws-cognito";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import { ApiCaller } from "./api-caller.ts";
import { functionName } from "./build.ts";
import type { Config } from "./config.ts";
import type { Identity } from "./identity.ts";
import { fallback, type Method, type Route } from "./routes.ts";
import { type FunctionSetting, ServiceFunction } from "./service-function.ts";

export type ServiceApiProps = { setting: FunctionSetting; identity: Identity; routes: readonly Route[] };

/** A function that anybody may call, with its routes and the reason why they need no authorizer. */
type OpenRoutes = { name: string; handler: LambdaFunction; keys: readonly HttpRouteKey[]; why: string };

/** API Gateway gives up after 30 s; callers give up long before. */
const TIMEOUT_SECONDS = 10;
const MEMORY_MB = 512;
/** Ingest gets more, because its latency is part of every alert's. */
const INGEST = "post-event";
const INGEST_MEMORY_MB = 1024;

const methods: Record<Method, HttpMethod> = {
  GET: HttpMethod.GET,
  POST: HttpMethod.POST,
  PUT: HttpMethod.PUT,
  PATCH: HttpMethod.PATCH,
  DELETE: HttpMethod.DELETE,
};

/** Routes without a session that programs call all the time. The other open routes need far less. */
const BUSY: readonly string[] = [INGEST, "post-from-source", "take-call", "take-receipt"];
const QUIET_SHARE = 0.1;

/** Why API Gateway lets anybody call a function. */
const OPEN_BECAUSE = {
  "api-key": "The function checks the API key against the table itself, so that a deleted key fails at once.",
  receipt: "Phones call it that are locked: the body holds a token and a signature that the function checks.",
  "secret-path": "Programs that cannot sign in call it: the path holds a secret that the function checks.",
};

/** One line of JSON per request, with the ids that find it in the functions' logs and traces. Nothing secret. */
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
  // For the next page of a long list.
  exposeHeaders: ["link"],
  maxAge: Duration.hours(1),
});

/** Makes the function of an entry. Two routes may share one function. */
const createFunctions = (scope: Construct, setting: FunctionSetting, logGroup: LogGroup) => {
  const made = new Map<string, LambdaFunction>();
  const functionOf = ({ entry, access }: Pick<Route, "entry" | "access">, description: string) => {
    const name = functionName(entry);
    const known = made.get(name);
    if (known !== undefined) return { name, handler: known };
    const isIngest = name === INGEST;
    const { config } = setting;
    const { function: handler } = new ServiceFunction(scope, {
      setting,
      name,
      description,
      access,
      timeoutSeconds: TIMEOUT_SECONDS,
      memoryMb: isIngest ? INGEST_MEMORY_MB : MEMORY_MB,
      ...(isIngest ? {} : { logGroup }),
      ...(isIngest && config.ingestConcurrency > 0 ? { reservedConcurrency: config.ingestConcurrency } : {}),
    });
    made.set(name, handler);
    return { name, handler };
  };
  return { made, functionOf };
};

/**
 * The HTTP API: one function per route, sessions checked by its JWT authorizer, throttling, and a log of every request.
 */
export class ServiceApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  /** The base URL for people and programs. */
  readonly baseUrl: string;
  /** The client with which the console signs people in. */
  readonly consoleClient: UserPoolClient;
  /** The functions by name. */
  readonly functions: ReadonlyMap<string, LambdaFunction>;
  private readonly caller: ApiCaller;
  private readonly throttle: Config["throttle"];
  private readonly routeSettings: Record<string, object> = {};

  constructor(scope: Construct, id: string, { setting, identity, routes }: ServiceApiProps) {
    super(scope, id);
    const { config } = setting;
    this.throttle = config.throttle;
    this.caller = new ApiCaller(this);
    this.api = new HttpApi(this, "Api", {
      apiName: `event-alerting-${config.stage}`,
      createDefaultStage: false,
      ...(config.dashboardOrigins.length === 0 ? {} : { corsPreflight: corsOf(config) }),
    });
    const newLogs = (logId: string, name: string): LogGroup =>
      new LogGroup(this, logId, {
        logGroupName: `/event-alerting/${config.stage}/${name}`,
        retention: config.logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      });
    this.stage = new HttpStage(this, "Stage", {
      httpApi: this.api,
      stageName: "$default",
      autoDeploy: true,
      detailedMetricsEnabled: true,
      throttle: { rateLimit: config.throttle.requestsPerSecond, burstLimit: config.throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(newLogs("AccessLogs", "http-access")),
        format: accessLogFormat,
      },
    });
    if (!(this.stage.node.defaultChild instanceof CfnStage)) throw new Error("a stage is a stage of CloudFormation");
    this.stage.node.defaultChild.routeSettings = Lazy.any({ produce: () => this.routeSettings });
    this.baseUrl = config.domain === undefined ? this.api.apiEndpoint : `https://${config.domain.name}`;
    this.consoleClient = identity.addConsoleClient(this.baseUrl);
    // One log group for all endpoints except ingest, because CloudFormation allows 500 resources per stack.
    const logGroup = newLogs("EndpointLogs", "endpoints");
    const session = new HttpUserPoolAuthorizer("Session", identity.userPool, {
      userPoolClients: [identity.client, this.consoleClient],
    });
    const { made, functionOf } = createFunctions(this, setting, logGroup);
    this.functions = made;
    for (const route of routes) {
      const { method, path, auth } = route;
      const { name, handler } = functionOf(route, `${method} ${path}`);
      if (auth === "session") {
        const integration = this.caller.integrationOf(name, handler);
        this.api.addRoutes({ path, methods: [methods[method]], integration, authorizer: session });
        continue;
      }
      this.addOpenRoutes({ name, handler, keys: [HttpRouteKey.with(path, methods[method])], why: OPEN_BECAUSE[auth] });
    }
    this.addOpenRoutes({
      ...functionOf(fallback, "What no route is for"),
      // The first key takes precedence over the console's, which takes every other GET.
      keys: [HttpRouteKey.with(fallback.path, HttpMethod.GET), HttpRouteKey.DEFAULT],
      why: "It says which paths there are, as the API reference does, and knows nothing else.",
    });
  }

  /**
   * Adds routes that need no session. Each is throttled separately: flooding one takes nothing from the others, nor
   * from people who are signed in.
   */
  addOpenRoutes({ name, handler, keys, why }: OpenRoutes): void {
    const share = BUSY.includes(name) ? 1 : QUIET_SHARE;
    const integration = this.caller.integrationOf(name, handler);
    for (const routeKey of keys) {
      // Named as CDK names routes: under another name the route would be created twice, and a route key must be unique.
      const [scope, id] =
        routeKey === HttpRouteKey.DEFAULT ? [this, "Unknown"] : [this.api, routeKey.key.replace(" ", "")];
      const route = new HttpRoute(scope, id, {
        httpApi: this.api,
        routeKey,
        integration,
        authorizer: new HttpNoneAuthorizer(),
      });
      acceptFindings(route, { "AwsSolutions-APIG4": why });
      this.routeSettings[routeKey.key] = {
        DetailedMetricsEnabled: true,
        ThrottlingRateLimit: Math.ceil(this.throttle.requestsPerSecond * share),
        ThrottlingBurstLimit: Math.ceil(this.throttle.burst * share),
      };
      // A stage refuses settings for a route that does not exist yet.
      this.stage.node.addDependency(route);
    }
  }
}
