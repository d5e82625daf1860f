import { basename } from "node:path";
import type { FunctionModel, FunctionOf, IsPermitted } from "./function-model.ts";
import type { Urls } from "./identities.ts";
import { createReader, type Reader } from "./reader.ts";
import type { PropertiesOf, ResourceType, Statement } from "./resources.ts";
import {
  type MachineModel,
  type ProviderModel,
  readMachines,
  readProvider,
  readSignInClients,
  type SignInClientModel,
} from "./clients.ts";
import { region, type SecretOf, type Template, TemplateError } from "./resolve.ts";
import { readRoutes, readRouteSettings, toThrottle, type RouteModel, type SelfModel, type Throttle } from "./routes.ts";

export type ApiModel = {
  id: string;
  routes: RouteModel[];
  selves: SelfModel[];
  cors: PropertiesOf<"AWS::ApiGatewayV2::Api">["CorsConfiguration"];
  throttle: Throttle | undefined;
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
export type Model = {
  functions: FunctionModel[];
  api: ApiModel;
  consumers: ConsumerModel[];
  schedules: ScheduleModel[];
  table: TableModel;
  queues: QueueModel[];
  /** The flow of calls; undefined if the stack makes no calls. */
  calls:
    | { instance: string; flowId: string; content: string; functionOf: (arn: string) => string | undefined }
    | undefined;
  /** Which events of text messages are published, and to which topic; undefined without a configuration set. */
  smsEvents: { name: string; arn: string; types: readonly string[]; topic: string } | undefined;
  /** Which events of emails are published, and to which topic; undefined without a configuration set. */
  mailEvents: { name: string; types: readonly string[]; topic: string } | undefined;
  subscriptions: {
    topic: string;
    queue: QueueModel;
    raw: boolean;
    filter: Readonly<Record<string, readonly string[]>>;
  }[];
  secrets: SecretModel[];
  signIn: SignInClientModel[];
  machines: MachineModel[];
  provider: ProviderModel | undefined;
  mfa: PropertiesOf<"AWS::Cognito::UserPool">["MfaConfiguration"];
};

/** Returns whether a text matches a pattern for ARNs, in which `*` is any text and `?` is any character. */
export const matchesPattern = (pattern: string, value: string): boolean => {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "su").test(value);
};

/** Returns the only resource of a type. Throws a TemplateError if there is none, or more than one. */
const readSingleResource = <Type extends ResourceType>(read: Reader, type: Type) => {
  const [first, ...others] = read(type);
  if (first === undefined || others.length > 0) throw new TemplateError(`exactly one ${type} is expected`);
  return first;
};

type RoleModel = { statements: readonly Statement[]; isFor: (service: string) => boolean };

const readRolesByArn = (read: Reader): Map<string, RoleModel> => {
  const policies = read("AWS::IAM::Policy").map(({ properties }) => properties);
  return new Map(
    read("AWS::IAM::Role").map(({ ref, arn, properties }) => {
      const attached = policies.filter(({ Roles }) => Roles.includes(ref));
      const trust = JSON.stringify(properties.AssumeRolePolicyDocument);
      return [
        arn,
        {
          statements: [...properties.Policies, ...attached].flatMap((policy) => policy.PolicyDocument.Statement),
          isFor: (service) => trust.includes(`"${service}"`),
        },
      ];
    }),
  );
};

const readFunctions = (read: Reader, roles: ReadonlyMap<string, RoleModel>, urls: Urls): FunctionModel[] => {
  const domains = read("AWS::Cognito::UserPoolDomain").map(
    ({ ref }) => `https://${ref}.auth.${region}.amazoncognito.com`,
  );
  const userPoolApi = `https://cognito-idp.${region}.amazonaws.com`;
  const replaceSignInUrls = (value: string): string =>
    value === userPoolApi ? urls.signIn : domains.reduce((text, domain) => text.replace(domain, urls.signIn), value);

  return read("AWS::Lambda::Function").map(({ id, ref, arn, assetPath: codeDir, properties }) => {
    const role = roles.get(properties.Role);
    if (codeDir === undefined) throw new TemplateError(`${id}: the template does not say where its code is`);
    if (role === undefined) throw new TemplateError(`${id}: its role is not in the template`);
    if (!role.isFor("lambda.amazonaws.com"))
      throw new TemplateError(`${id}: the role of a function must be one that lambda.amazonaws.com may assume`);
    const variables = Object.entries(properties.Environment.Variables);
    return {
      name: basename(codeDir),
      physicalName: ref,
      arn,
      codeDir,
      environment: Object.fromEntries(variables.map(([name, value]) => [name, replaceSignInUrls(value)])),
      timeoutMs: properties.Timeout * 1000,
      memoryMb: properties.MemorySize,
      reservedConcurrency: properties.ReservedConcurrentExecutions,
      statements: role.statements,
    };
  });
};

/** Returns a function that checks whether a service may call a function: by the role it assumes, or else by a permission. */
const readPermissions = (read: Reader, roles: ReadonlyMap<string, RoleModel>, functionOf: FunctionOf): IsPermitted => {
  const permissions = read("AWS::Lambda::Permission").map(({ properties }) => ({
    ...properties,
    target: functionOf(properties.FunctionName),
  }));
  const mayCall = (role: RoleModel | undefined, service: string, functionArn: string): boolean =>
    role?.isFor(service) === true &&
    role.statements.some(
      ({ Effect, Action, Resource }) =>
        Effect === "Allow" &&
        Action.includes("lambda:InvokeFunction") &&
        Resource.some((pattern) => matchesPattern(pattern, functionArn)),
    );
  return (target, principal, sourceArn, roleArn) =>
    roleArn === undefined
      ? permissions.some(
          ({ target: permitted, Principal, SourceArn }) =>
            permitted === target && Principal === principal && matchesPattern(SourceArn, sourceArn),
        )
      : mayCall(roles.get(roleArn), principal, target.arn);
};

const readCallFlow = (read: Reader, functions: readonly FunctionModel[], isPermitted: IsPermitted): Model["calls"] => {
  const [flow] = read("AWS::Connect::ContactFlow");
  if (flow === undefined) return undefined;
  const { arn, properties } = flow;
  return {
    instance: properties.InstanceArn,
    flowId: arn.split("/").at(-1) ?? "",
    content: properties.Content,
    functionOf: (functionArn) => {
      const found = functions.find((one) => one.arn === functionArn);
      return found !== undefined && isPermitted(found, "connect.amazonaws.com", properties.InstanceArn)
        ? found.name
        : undefined;
    },
  };
};

const readSmsEvents = (read: Reader): Model["smsEvents"] => {
  const [set] = read("AWS::SMSVOICE::ConfigurationSet");
  if (set === undefined) return undefined;
  const [{ MatchingEventTypes: types, SnsDestination }] = set.properties.EventDestinations;
  return { name: set.ref, arn: set.arn, types, topic: SnsDestination.TopicArn };
};

const readMailEvents = (read: Reader): Model["mailEvents"] => {
  const [destination] = read("AWS::SES::ConfigurationSetEventDestination");
  if (destination === undefined) return undefined;
  const { ConfigurationSetName: name, EventDestination } = destination.properties;
  return { name, types: EventDestination.MatchingEventTypes, topic: EventDestination.SnsDestination.TopicARN };
};

/** Reads which topics send to which queues. Throws a TemplateError if a queue's policy does not permit its topic. */
const readSubscriptions = (read: Reader, queues: readonly QueueModel[]): Model["subscriptions"] => {
  const policies = read("AWS::SQS::QueuePolicy");
  return read("AWS::SNS::Subscription").map(({ properties }) => {
    const { TopicArn: topic, Endpoint, RawMessageDelivery: raw = false, FilterPolicy = {} } = properties;
    const queue = queues.find(({ arn }) => arn === Endpoint);
    if (queue === undefined) throw new TemplateError(`${Endpoint} is not a queue of the template`);
    const mayTopicSend = policies.some(
      ({ properties: { Queues, PolicyDocument } }) =>
        Queues.includes(queue.url) &&
        PolicyDocument.Statement.some(
          ({ Condition }) => "ArnEquals" in Condition && Condition.ArnEquals["aws:SourceArn"] === topic,
        ),
    );
    if (!mayTopicSend) throw new TemplateError(`${queue.name} does not let ${topic} send to it`);
    return { topic, queue, raw, filter: FilterPolicy };
  });
};

const readQueues = (read: Reader): QueueModel[] => {
  const found = read("AWS::SQS::Queue");
  return found.map(({ ref, arn, properties }) => {
    const { RedrivePolicy } = properties;
    const target = RedrivePolicy?.deadLetterTargetArn;
    if (target !== undefined && !found.some((queue) => queue.arn === target))
      throw new TemplateError(`${target} is not a queue of the template`);
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
};

/** Reads which functions poll which queues. Throws a TemplateError for an unknown queue or a too short visibility timeout. */
const readConsumers = (read: Reader, functionOf: FunctionOf, queues: readonly QueueModel[]): ConsumerModel[] =>
  read("AWS::Lambda::EventSourceMapping")
    .filter(({ properties }) => properties.Enabled)
    .map(({ id, properties }) => {
      const queue = queues.find(({ arn }) => arn === properties.EventSourceArn);
      const target = functionOf(properties.FunctionName);
      if (queue === undefined)
        throw new TemplateError(`${id}: ${properties.EventSourceArn} is not a queue of the template`);
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

const readSchedules = (read: Reader, functionOf: FunctionOf, isPermitted: IsPermitted): ScheduleModel[] =>
  read("AWS::Events::Rule")
    .filter(({ properties }) => properties.State === "ENABLED")
    .flatMap(({ arn, properties }) =>
      properties.Targets.map(({ Arn }) => {
        const target = functionOf(Arn);
        return {
          functionName: target.name,
          ruleArn: arn,
          everyMs: properties.ScheduleExpression,
          permitted: isPermitted(target, "events.amazonaws.com", arn),
        };
      }),
    );

const readApi = (read: Reader, functionOf: FunctionOf, isPermitted: IsPermitted, urls: Urls): ApiModel => {
  const { ref: id, properties } = readSingleResource(read, "AWS::ApiGatewayV2::Api");
  const stage = readSingleResource(read, "AWS::ApiGatewayV2::Stage").properties;
  return {
    id,
    ...readRoutes(read, readRouteSettings(read, stage.RouteSettings), functionOf, isPermitted, urls.api),
    cors: properties.CorsConfiguration,
    throttle: toThrottle(stage.DefaultRouteSettings),
  };
};

/** Reads the template as AWS would run it. Throws a TemplateError for anything that cannot be run faithfully. */
export const readModel = (template: Template, urls: Urls, secretOf?: SecretOf): Model => {
  const all = createReader(template, urls, secretOf);
  const roles = readRolesByArn(all);
  const functions = readFunctions(all, roles, urls);
  const requireFunction = (reference: string): FunctionModel => {
    const found = functions.find(({ arn, physicalName }) => reference === arn || reference === physicalName);
    if (found === undefined) throw new TemplateError(`${reference} is not a function of the template`);
    return found;
  };
  const isPermitted = readPermissions(all, roles, requireFunction);
  const queues = readQueues(all);
  const table = readSingleResource(all, "AWS::DynamoDB::Table");
  return {
    functions,
    api: readApi(all, requireFunction, isPermitted, urls),
    consumers: readConsumers(all, requireFunction, queues),
    schedules: readSchedules(all, requireFunction, isPermitted),
    table: { name: table.ref, arn: table.arn },
    queues,
    calls: readCallFlow(all, functions, isPermitted),
    smsEvents: readSmsEvents(all),
    mailEvents: readMailEvents(all),
    subscriptions: readSubscriptions(all, queues),
    secrets: all("AWS::SecretsManager::Secret").map(({ arn }) => ({ arn })),
    signIn: readSignInClients(all),
    machines: readMachines(all),
    provider: readProvider(all),
    mfa: all("AWS::Cognito::UserPool")[0]?.properties.MfaConfiguration ?? "OFF",
  };
};
