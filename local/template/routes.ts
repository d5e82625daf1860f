import type { FunctionOf, IsPermitted } from "./function-model.ts";
import type { Reader } from "./reader.ts";
import type { PropertiesOf } from "./resources.ts";
import { account, region, TemplateError } from "./resolve.ts";

export type Throttle = { requestsPerSecond: number; burst: number };

export type RouteModel = {
  method: string;
  path: string;
  functionName: string;
  timeoutMs: number;
  /** The route's authorizer; undefined if the route is public. */
  authorizer: { issuer: string; audience: readonly string[] } | undefined;
  /** Whether the function's policy or a role permits the call. */
  permitted: boolean;
  /** The route's own limit; undefined if the route shares the stage's limit. */
  throttle: Throttle | undefined;
};

/** A route by which the API calls itself, with the same request and another method. */
export type SelfModel = { method: string; path: string; asks: string; throttle: Throttle | undefined };

type StageProperties = PropertiesOf<"AWS::ApiGatewayV2::Stage">;

/** Returns the route's rate limit; undefined if the route has no limit. */
export const toThrottle = (settings: StageProperties["DefaultRouteSettings"] | undefined): Throttle | undefined => {
  const { ThrottlingRateLimit: requestsPerSecond, ThrottlingBurstLimit: burst = requestsPerSecond } = settings ?? {};
  return requestsPerSecond === undefined || burst === undefined ? undefined : { requestsPerSecond, burst };
};

/** Reads the API's routes. `selves`: the routes by which the API calls itself. `settings`: limits by route key. */
export const readRoutes = (
  read: Reader,
  settings: StageProperties["RouteSettings"],
  functionOf: FunctionOf,
  isPermitted: IsPermitted,
  apiUrl: string,
): { routes: RouteModel[]; selves: SelfModel[] } => {
  const selves: SelfModel[] = [];
  const integrations = new Map(read("AWS::ApiGatewayV2::Integration").map(({ ref, properties }) => [ref, properties]));
  const authorizers = new Map(
    read("AWS::ApiGatewayV2::Authorizer").map(({ ref, properties }) => [ref, properties.JwtConfiguration]),
  );
  const routes = read("AWS::ApiGatewayV2::Route").flatMap(({ id, properties }): RouteModel[] => {
    const [method = "", path = ""] = properties.RouteKey.split(" ");
    const integration = integrations.get(properties.Target.replace(/^integrations\//, ""));
    const jwt = authorizers.get(properties.AuthorizerId ?? "");
    if (integration === undefined) throw new TemplateError(`${id}: its integration is not in the template`);
    if (integration.IntegrationType === "HTTP_PROXY") {
      if (integration.IntegrationUri !== apiUrl + path.replace("+}", "}"))
        throw new TemplateError(`${id}: only the API's own address at the same path is supported here`);
      selves.push({
        method,
        path,
        asks: integration.IntegrationMethod,
        throttle: toThrottle(settings[properties.RouteKey]),
      });
      return [];
    }
    if ((properties.AuthorizationType === "JWT") !== (jwt !== undefined))
      throw new TemplateError(`${id}: a route with JWT needs an authorizer, and one without needs none`);
    const target = functionOf(integration.IntegrationUri);
    const source = `arn:aws:execute-api:${region}:${account}:${properties.ApiId}/$default/${method}${path}`;
    return [
      {
        method,
        path,
        functionName: target.name,
        timeoutMs: integration.TimeoutInMillis,
        authorizer: jwt && { issuer: jwt.Issuer, audience: jwt.Audience },
        permitted: isPermitted(target, "apigateway.amazonaws.com", source, integration.CredentialsArn),
        throttle: toThrottle(settings[properties.RouteKey]),
      },
    ];
  });
  return { routes, selves };
};

/** Returns the settings of routes by key, unchanged. Like AWS, throws if a setting is for a route that does not exist. */
export const readRouteSettings = (read: Reader, settings: StageProperties["RouteSettings"]) => {
  const keys = new Set(read("AWS::ApiGatewayV2::Route").map(({ properties }) => properties.RouteKey));
  for (const key of Object.keys(settings))
    if (!keys.has(key)) throw new TemplateError(`the stage has settings for ${key}, which is not a route`);
  return settings;
};
