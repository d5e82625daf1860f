import { CfnDeletionPolicy, Duration, Lazy, RemovalPolicy } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  CfnStage,
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  type HttpRouteIntegration,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpUserPoolAuthorizer } from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import { HttpUrlIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { UserPoolClient } from "aws-cdk-lib/aws-cognito";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { CfnLogGroup, LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import { ApiCaller } from "./api-caller.ts";
import { toFunctionName } from "./build.ts";
import type { Config } from "./config.ts";
import type { Identity } from "./identity.ts";
import { type ApiFunction, groupByFunction, fallback, head, listOtherRoutes, type Route } from "../interface/routes.ts";
import type { Method } from "../interface/contract.ts";
import { type FunctionSetting, ServiceFunction } from "./service-function.ts";

export type ServiceApiProps = { setting: FunctionSetting; identity: Identity; routes: readonly Route[] };

/** A public function and its routes. `why`: why the routes need no authorizer. `busyKeys`: routes that are used continuously. */
type OpenRoutes = {
  name: string;
  handler: LambdaFunction;
  keys: readonly HttpRouteKey[];
  busyKeys?: readonly HttpRouteKey[];
  why: string;
};

/** The timeout of functions behind the API. API Gateway allows 30 s, but callers give up earlier. */
const TIMEOUT_SECONDS = 10;
const MEMORY_MB = 512;
/** The function that accepts events, which gets more memory than other functions, because its latency delays every alert. */
const INGEST = "post-event";
const INGEST_MEMORY_MB = 1024;

const methods: Record<Method, HttpMethod> = {
  GET: HttpMethod.GET,
  POST: HttpMethod.POST,
  PUT: HttpMethod.PUT,
  PATCH: HttpMethod.PATCH,
  DELETE: HttpMethod.DELETE,
};

/** Public functions (without a session) that programs call all the time. All other public functions need far less capacity. */
const BUSY: readonly string[] = [INGEST, "post-from-source", "take-call", "take-receipt"];
const QUIET_SHARE = 0.1;

const OPEN_BECAUSE = {
  "api-key": "The function checks the API key against the table itself, so that a deleted key fails at once.",
  receipt: "Locked phones call this route: the function checks the token and the signature in the body.",
  signature: "Slack calls this route: the function checks the signature over the body before it reads the body.",
  "secret-path": "Programs that cannot sign in call this route: the function checks the secret in the path.",
};

/** Writes a JSON line per request, with the ids of the request's logs and traces. Never log secrets here. */
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

const toCorsOptions = ({ dashboardOrigins }: Config) => ({
  allowOrigins: [...dashboardOrigins],
  allowMethods: [
    CorsHttpMethod.GET,
    CorsHttpMethod.POST,
    CorsHttpMethod.PUT,
    CorsHttpMethod.PATCH,
    CorsHttpMethod.DELETE,
  ],
  // Browsers may not send X-Api-Key, because API keys must not be used in browsers.
  allowHeaders: ["authorization", "content-type", "if-match", "if-none-match", "x-via"],
  // Pages need the exposed headers for conditional requests, next pages, and warnings after a removal.
  exposeHeaders: ["etag", "link", "x-warning"],
  maxAge: Duration.hours(1),
});

/** Returns a description with only the first route and the number of other routes, because Lambda allows 256 characters. */
const describeFunction = ({ routes: [first, ...others] }: ApiFunction): string =>
  `${first?.method ?? ""} ${first?.path ?? ""}${others.length === 0 ? "" : ` and ${others.length} more`}`;

/** Returns `functionOf`, which creates a function or returns the existing one, and `made`: the created functions by name. */
const createFunctions = (scope: Construct, setting: FunctionSetting, logGroup: LogGroup) => {
  const made = new Map<string, LambdaFunction>();
  const getOrCreateFunction = ({ name, access }: Pick<ApiFunction, "name" | "access">, description: string) => {
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
  return { made, functionOf: getOrCreateFunction };
};

export class ServiceApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly baseUrl: string;
  readonly consoleClient: UserPoolClient;
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
      // In the mode `only`, nobody may bypass the edge.
      ...(config.edge?.mode === "only" ? { disableExecuteApiEndpoint: true } : {}),
      ...(config.dashboardOrigins.length === 0 ? {} : { corsPreflight: toCorsOptions(config) }),
    });
    const createLogGroup = (logId: string, logGroupName: string): LogGroup =>
      new LogGroup(this, logId, {
        logGroupName,
        retention: config.logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      });
    // Groups below /aws/vendedlogs need no entry in the account's resource policy for logs (at most 5,120 characters).
    const accessLogs = createLogGroup("AccessLogs", `/aws/vendedlogs/event-alerting/${config.stage}/http-access`);
    // If the name changes, CloudFormation keeps the old log group outside the stack until its lines expire.
    if (!(accessLogs.node.defaultChild instanceof CfnLogGroup))
      throw new Error("the log group is not a CloudFormation resource");
    accessLogs.node.defaultChild.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
    this.stage = new HttpStage(this, "Stage", {
      httpApi: this.api,
      stageName: "$default",
      autoDeploy: true,
      // No alarm uses metrics per route, which cost extra. The API's own metrics are free.
      detailedMetricsEnabled: false,
      throttle: { rateLimit: config.throttle.requestsPerSecond, burstLimit: config.throttle.burst },
      accessLogSettings: { destination: new LogGroupLogDestination(accessLogs), format: accessLogFormat },
    });
    if (!(this.stage.node.defaultChild instanceof CfnStage))
      throw new Error("the stage is not a CloudFormation resource");
    this.stage.node.defaultChild.routeSettings = Lazy.any({ produce: () => this.routeSettings });
    this.baseUrl = config.domain === undefined ? this.api.apiEndpoint : `https://${config.domain.name}`;
    this.consoleClient = identity.addConsoleClient(this.baseUrl);
    // All endpoints except ingest share a log group, because a stack is limited to 500 resources.
    const logGroup = createLogGroup("EndpointLogs", `/event-alerting/${config.stage}/endpoints`);
    const session = new HttpUserPoolAuthorizer("Session", identity.userPool, {
      // The authorizer checks the client, because Cognito's access tokens have no audience.
      userPoolClients: [identity.client, this.consoleClient, ...identity.machines.values()],
    });
    const { made, functionOf } = createFunctions(this, setting, logGroup);
    this.functions = made;
    const served = new Map(groupByFunction(routes).map((one) => [one.name, one]));
    for (const route of routes) {
      const one = served.get(route.function);
      if (one === undefined) throw new Error(`no function answers ${route.method} ${route.path}`);
      const { path, auth } = route;
      const { name, handler } = functionOf(one, describeFunction(one));
      const all = [route, ...listOtherRoutes(route)];
      if (auth === "session") {
        const integration = this.caller.integrationOf(name, handler);
        this.api.addRoutes({ path, methods: all.map((key) => methods[key.method]), integration, authorizer: session });
        continue;
      }
      const keys = all.map((key) => HttpRouteKey.with(key.path, methods[key.method]));
      this.addOpenRoutes({ name, handler, keys, why: OPEN_BECAUSE[auth] });
    }
    this.addOpenRoutes({
      ...functionOf({ name: toFunctionName(fallback.entry), access: fallback.access }, "Requests that match no route"),
      // Without the first key, the console's route would match GETs of `fallback.path`.
      keys: [HttpRouteKey.with(fallback.path, HttpMethod.GET), HttpRouteKey.DEFAULT],
      why: "This route only reveals which paths exist, as the public API reference does.",
    });
    this.addOpenRoute(HttpRouteKey.with(head.path, HttpMethod.HEAD), {
      integration: new HttpUrlIntegration("Head", this.baseUrl + head.below, { method: HttpMethod.GET }),
      share: QUIET_SHARE,
      why: "This route repeats the request as a GET, and the route of the GET checks the credentials.",
    });
  }

  /** Adds routes that need no session. Each route has its own limit, so that a flood does not affect other routes. */
  addOpenRoutes({ name, handler, keys, busyKeys = [], why }: OpenRoutes): void {
    const integration = this.caller.integrationOf(name, handler);
    for (const routeKey of [...keys, ...busyKeys]) {
      const share = BUSY.includes(name) || busyKeys.includes(routeKey) ? 1 : QUIET_SHARE;
      this.addOpenRoute(routeKey, { integration, share, why });
    }
  }

  private addOpenRoute(
    routeKey: HttpRouteKey,
    { integration, share, why }: { integration: HttpRouteIntegration; share: number; why: string },
  ): void {
    // The route ids are CDK's own. With other ids, CloudFormation would try to create a second route with the same key.
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
      DetailedMetricsEnabled: false,
      ThrottlingRateLimit: Math.ceil(this.throttle.requestsPerSecond * share),
      ThrottlingBurstLimit: Math.ceil(this.throttle.burst * share),
    };
    // A stage refuses settings of a route that does not exist, so the route is created first.
    this.stage.node.addDependency(route);
  }
}
