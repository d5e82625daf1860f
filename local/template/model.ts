import { basename } from "node:path";
import * as v from "valibot";
import { identityOf, type Raw } from "./identities.ts";
import { inertTypes, type PropertiesOf, type ResourceType, schemas, type Statement } from "./resources.ts";
import { account, createResolver, region, type Template, TemplateError } from "./resolve.ts";

export type FunctionModel = {
  /** The name of its bundle: what logs, meters and credentials call it. */
  name: string;
  /** The name that the stack gives it. */
  physicalName: string;
  arn: string;
  codeDir: string;
  environment: Record<string, string>;
  timeoutMs: number;
  memoryMb: number;
  reservedConcurrency: number | undefined;
  statements: readonly Statement[];
};

export type RouteModel = {
  method: string;
  path: string;
  functionName: string;
  timeoutMs: number;
  /** Whose tokens are let through; undefined: everybody is. */
  authorizer: { issuer: string; audience: readonly string[] } | undefined;
  /** Whether the function lets API Gateway call it for this route. */
  permitted: boolean;
};

export type ApiModel = {
  id: string;
  routes: RouteModel[];
  cors: PropertiesOf<"AWS::ApiGatewayV2::Api">["CorsConfiguration"];
  throttle: { requestsPerSecond: number; burst: number } | undefined;
};

export type ConsumerModel = {
  functionName: string;
  queueArn: string;
  queueUrl: string;
  batchSize: number;
  reportsFailures: boolean;
  maxConcurrency: number;
};

export type ScheduleModel = { functionName: string; ruleArn: string; everyMs: number; permitted: boolean };
export type TableModel = { name: string; arn: string };
export type QueueModel = { name: string; arn: string; url: string; attributes: Record<string, string> };
export type SecretModel = { arn: string };
/** A client that signs people in by the user pool's own pages. */
export type SignInClientModel = {
  id: string;
  issuer: string;
  callbackUrls: readonly string[];
  logoutUrls: readonly string[];
  scopes: readonly string[];
  accessTokenMs: number;
  refreshTokenMs: number;
  /** How long a refresh token may still be used after its first use; undefined: it is not replaced. */
  rotationGraceMs: number | undefined;
};

/** The stack as this service runs it. */
export type Model = {
  functions: FunctionModel[];
  api: ApiModel;
  consumers: ConsumerModel[];
  schedules: ScheduleModel[];
  table: TableModel;
  queues: QueueModel[];
  secrets: SecretModel[];
  signIn: SignInClientModel[];
};

const UNITS_MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const everyMs = (expression: string): number => {
  const { n, unit } = /^rate\((?<n>\d+) (?<unit>second|minute|hour|day)s?\)$/.exec(expression)?.groups ?? {};
  const found = Object.entries(UNITS_MS).find(([name]) => name === unit);
  if (n === undefined || found === undefined) throw new TemplateError(`${expression} is not a rate`);
  return Number(n) * found[1];
};

/** Whether an ARN is covered by one with `*` (any text) and `?` (any character) in it. */
export const matchesPattern = (pattern: string, value: string): boolean => {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "su").test(value);
};

/**
 * Reads the template as AWS would run it. It throws a TemplateError for a resource, a property or a function that is not
 * known here: what cannot be run faithfully is not run at all.
 */
export const readModel = (template: Template, urls: { queues: string; api: string; signIn: string }): Model => {
  const raws = new Map<string, Raw>(
    Object.entries(template.Resources).map(([id, resource]) => [
      id,
      { type: resource.Type, properties: resource.Properties, assetPath: resource.Metadata["aws:asset:path"] },
    ]),
  );
  const identities = new Map([...raws].map(([id, raw]) => [id, identityOf(raw, id, urls)]));
  const resolve = createResolver(template, identities);

  for (const [id, { type }] of raws)
    if (!(type in schemas) && !inertTypes.has(type)) throw new TemplateError(`${id}: ${type} is not known here`);

  const all = <Type extends ResourceType>(type: Type) =>
    Object.entries(template.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([id, resource]) => {
        const schema: v.GenericSchema<unknown, PropertiesOf<Type>> = schemas[type];
        const parsed = v.safeParse(schema, resolve(resource.Properties));
        if (!parsed.success) throw new TemplateError(`${id} (${type}): ${v.summarize(parsed.issues)}`);
        const { ref = id, attributes = {} } = identities.get(id) ?? {};
        return { id, ref, arn: attributes["Arn"] ?? "", properties: parsed.output };
      });
  const one = <Type extends ResourceType>(type: Type) => {
    const [first, ...others] = all(type);
    if (first === undefined || others.length > 0) throw new TemplateError(`one ${type} is expected, and only one`);
    return first;
  };

  // The names of the user pool's own pages lead to whoever stands for them here.
  const domains = all("AWS::Cognito::UserPoolDomain").map(
    ({ ref }) => `https://${ref}.auth.${region}.amazoncognito.com`,
  );
  const reachable = (value: string): string =>
    domains.reduce((text, domain) => text.replace(domain, urls.signIn), value);

  const rolePolicies = all("AWS::IAM::Policy").map(({ properties }) => properties);
  const roles = all("AWS::IAM::Role").map(({ ref, arn, properties }) => {
    if (!JSON.stringify(properties.AssumeRolePolicyDocument).includes('"lambda.amazonaws.com"'))
      throw new TemplateError(`${ref}: the role of a function must be one that lambda.amazonaws.com may assume`);
    const attached = rolePolicies.filter(({ Roles }) => Roles.includes(ref));
    return {
      arn,
      statements: [...properties.Policies, ...attached].flatMap((policy) => policy.PolicyDocument.Statement),
    };
  });

  const functions = all("AWS::Lambda::Function").map(({ id, ref, arn, properties }): FunctionModel => {
    const codeDir = raws.get(id)?.assetPath;
    const role = roles.find((candidate) => candidate.arn === properties.Role);
    if (codeDir === undefined) throw new TemplateError(`${id}: where its code is cannot be seen in the template`);
    if (role === undefined) throw new TemplateError(`${id}: its role is not in the template`);
    return {
      name: basename(codeDir),
      physicalName: ref,
      arn,
      codeDir,
      environment: Object.fromEntries(
        Object.entries(properties.Environment.Variables).map(([name, value]) => [name, reachable(value)]),
      ),
      timeoutMs: properties.Timeout * 1000,
      memoryMb: properties.MemorySize,
      reservedConcurrency: properties.ReservedConcurrentExecutions,
      statements: role.statements,
    };
  });
  const functionOf = (reference: string): FunctionModel => {
    const found = functions.find(({ arn, physicalName }) => reference === arn || reference === physicalName);
    if (found === undefined) throw new TemplateError(`${reference} is no function of the template`);
    return found;
  };

  const permissions = all("AWS::Lambda::Permission").map(({ properties }) => ({
    functionName: functionOf(properties.FunctionName).name,
    principal: properties.Principal,
    sourceArn: properties.SourceArn,
  }));
  const isPermitted = (functionName: string, principal: string, sourceArn: string): boolean =>
    permissions.some(
      (permission) =>
        permission.functionName === functionName &&
        permission.principal === principal &&
        matchesPattern(permission.sourceArn, sourceArn),
    );

  const queues = all("AWS::SQS::Queue").map(({ ref, arn, properties }): QueueModel => {
    const { RedrivePolicy } = properties;
    return {
      name: arn.slice(arn.lastIndexOf(":") + 1),
      arn,
      url: ref,
      attributes: {
        VisibilityTimeout: String(properties.VisibilityTimeout),
        DelaySeconds: String(properties.DelaySeconds),
        MessageRetentionPeriod: String(properties.MessageRetentionPeriod),
        ReceiveMessageWaitTimeSeconds: String(properties.ReceiveMessageWaitTimeSeconds),
        ...(RedrivePolicy === undefined ? {} : { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
      },
    };
  });
  for (const { attributes } of queues) {
    const target = /"deadLetterTargetArn":"([^"]+)"/.exec(attributes["RedrivePolicy"] ?? "")?.[1];
    if (target !== undefined && !queues.some(({ arn }) => arn === target))
      throw new TemplateError(`${target} is no queue of the template`);
  }
  all("AWS::SQS::QueuePolicy");

  const consumers = all("AWS::Lambda::EventSourceMapping")
    .filter(({ properties }) => properties.Enabled)
    .map(({ id, properties }): ConsumerModel => {
      const queue = queues.find(({ arn }) => arn === properties.EventSourceArn);
      const target = functionOf(properties.FunctionName);
      if (queue === undefined)
        throw new TemplateError(`${id}: ${properties.EventSourceArn} is no queue of the template`);
      if (Number(queue.attributes["VisibilityTimeout"]) * 1000 < target.timeoutMs)
        throw new TemplateError(`${id}: AWS refuses a queue whose visibility timeout is below the function's timeout`);
      return {
        functionName: target.name,
        queueArn: queue.arn,
        queueUrl: queue.url,
        batchSize: properties.BatchSize,
        reportsFailures: properties.FunctionResponseTypes.length > 0,
        maxConcurrency: properties.ScalingConfig.MaximumConcurrency ?? 1000,
      };
    });

  const schedules = all("AWS::Events::Rule")
    .filter(({ properties }) => properties.State === "ENABLED")
    .flatMap(({ arn, properties }) =>
      properties.Targets.map(({ Arn }): ScheduleModel => {
        const { name } = functionOf(Arn);
        return {
          functionName: name,
          ruleArn: arn,
          everyMs: everyMs(properties.ScheduleExpression),
          permitted: isPermitted(name, "events.amazonaws.com", arn),
        };
      }),
    );

  const api = one("AWS::ApiGatewayV2::Api");
  const stage = one("AWS::ApiGatewayV2::Stage").properties.DefaultRouteSettings;
  const integrations = new Map(all("AWS::ApiGatewayV2::Integration").map(({ ref, properties }) => [ref, properties]));
  const authorizers = new Map(
    all("AWS::ApiGatewayV2::Authorizer").map(({ ref, properties }) => [ref, properties.JwtConfiguration]),
  );
  const routes = all("AWS::ApiGatewayV2::Route").map(({ id, properties }): RouteModel => {
    const [method = "", path = ""] = properties.RouteKey.split(" ");
    const integration = integrations.get(properties.Target.replace(/^integrations\//, ""));
    const jwt = authorizers.get(properties.AuthorizerId ?? "");
    if (integration === undefined) throw new TemplateError(`${id}: its integration is not in the template`);
    if ((properties.AuthorizationType === "JWT") !== (jwt !== undefined))
      throw new TemplateError(`${id}: a route with JWT needs an authorizer, and one without needs none`);
    const { name } = functionOf(integration.IntegrationUri);
    const source = `arn:aws:execute-api:${region}:${account}:${api.ref}/$default/${method}${path}`;
    return {
      method,
      path,
      functionName: name,
      timeoutMs: integration.TimeoutInMillis,
      authorizer: jwt === undefined ? undefined : { issuer: jwt.Issuer, audience: jwt.Audience },
      permitted: isPermitted(name, "apigateway.amazonaws.com", source),
    };
  });

  const table = one("AWS::DynamoDB::Table");
  const { ThrottlingRateLimit, ThrottlingBurstLimit } = stage;
  return {
    functions,
    api: {
      id: api.ref,
      routes,
      cors: api.properties.CorsConfiguration,
      throttle:
        ThrottlingRateLimit === undefined
          ? undefined
          : { requestsPerSecond: ThrottlingRateLimit, burst: ThrottlingBurstLimit ?? ThrottlingRateLimit },
    },
    consumers,
    schedules,
    table: { name: table.ref, arn: table.arn },
    queues,
    secrets: all("AWS::SecretsManager::Secret").map(({ arn }) => ({ arn })),
    signIn: all("AWS::Cognito::UserPoolClient")
      .filter(({ properties }) => properties.AllowedOAuthFlowsUserPoolClient)
      .map(({ ref, properties }) => ({
        id: ref,
        issuer: `https://cognito-idp.${region}.amazonaws.com/${properties.UserPoolId}`,
        callbackUrls: properties.CallbackURLs,
        logoutUrls: properties.LogoutURLs,
        scopes: properties.AllowedOAuthScopes,
        accessTokenMs: properties.AccessTokenValidity * 60_000,
        refreshTokenMs: properties.RefreshTokenValidity * 60_000,
        rotationGraceMs:
          properties.RefreshTokenRotation === undefined
            ? undefined
            : properties.RefreshTokenRotation.RetryGracePeriodSeconds * 1000,
      })),
  };
};
