import { createHash } from "node:crypto";
import { Aws, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  ApplicationLogLevel,
  Architecture,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { keyPatterns, workspaceKeys } from "../core/store/key-patterns.ts";
import { env } from "../core/wiring.ts";
import { messagesContainTokens, type Access, type QueueName, type SecretName } from "../interface/access.ts";
import { userPoolUrl } from "./identity.ts";
import { acceptFindings } from "./accept-findings.ts";
import type { Config } from "./config.ts";
import type { DataTable } from "./table.ts";
import { extractRegion } from "./voice-region.ts";

const queueVariables: Record<QueueName, string> = {
  events: env.eventsQueue,
  pushes: env.pushesQueue,
  escalations: env.escalationsQueue,
  webhooks: env.webhooksQueue,
  inbound: env.inboundQueue,
};

const secretVariables: Record<SecretName, string> = {
  fcm: env.fcmSecret,
  vapid: env.vapidSecret,
  receipts: env.receiptSecret,
  webhooks: env.webhookSecret,
  slack: env.slackSecret,
  synthetic: env.syntheticKeySecret,
};

export type FunctionSetting = {
  config: Config;
  table: DataTable;
  queues: Record<QueueName, IQueue>;
  secrets: Partial<Record<SecretName, Secret>>;
  codeOf: (name: string) => Code;
  baseUrl: string;
  mailEvents?: { name: string; arn: string };
  smsEvents?: { name: string; arn: string };
  voiceFlowId?: string;
};

export type ServiceFunctionProps = {
  setting: FunctionSetting;
  name: string;
  description: string;
  access: Access;
  consumes?: { queue: QueueName; delaysMessages: boolean };
  timeoutSeconds: number;
  /** The memory in MB, which also sets the CPU share: 1,769 MB are one CPU. */
  memoryMb: number;
  /** Where the function writes its logs. Default: its own log group. */
  logGroup?: LogGroup;
  /** The reserved concurrency, which is also the limit. Default: none. */
  reservedConcurrency?: number;
  environment?: Record<string, string>;
  /** Whether the function may trigger itself more than 16 times in a chain; otherwise, Lambda stops the chain. */
  mayLoop?: boolean;
};

/** Returns the function's name in the account, by which stacks in other regions refer to the function. */
export const toPhysicalName = (stage: string, name: string): string => `event-alerting-${stage}-${name}`;

/** How many digits of the hash a role's id has: enough that two roles of a stack never have the same id. */
const ROLE_ID_DIGITS = 12;

const allowActions = (actions: string[], resource: string): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions, resources: [resource] });

/** Lists the secrets that the function reads: each one's environment variable and ARN. Throws if the stack lacks a secret. */
const listSecrets = ({
  setting,
  access: { readsSecrets = [], callsSlack },
}: ServiceFunctionProps): [variable: string, arn: string][] =>
  [...readsSecrets, ...(callsSlack === true && setting.config.slack ? (["slack"] as const) : [])].map((name) => {
    const secret = setting.secrets[name];
    if (secret === undefined) throw new Error(`the stack has no secret for ${name}`);
    return [secretVariables[name], secret.secretArn];
  });

/** Lists the stage's sender address if the function sends emails. */
const listMailSenders = ({
  setting: { config },
  access: { sendsToContacts, sendsMail },
}: ServiceFunctionProps): string[] =>
  (sendsToContacts === true || sendsMail === true) && config.mailFrom !== undefined ? [config.mailFrom] : [];

/** Lists the configuration set of emails if the function sends emails whose outcomes are reported. */
const listMailEventSets = (props: ServiceFunctionProps) => {
  if (listMailSenders(props).length === 0 || !messagesContainTokens(props.access)) return [];
  const { mailEvents } = props.setting;
  if (mailEvents === undefined) throw new Error("the stack has no configuration set for email");
  return [mailEvents];
};

/** Lists the settings of text messages, and the ARNs that sending needs, if the function sends text messages. */
const listSmsSettings = ({ setting: { config, smsEvents }, access }: ServiceFunctionProps) => {
  if ((access.sendsToContacts !== true && access.sendsSms !== true) || config.sms === undefined) return [];
  if (smsEvents === undefined) throw new Error("the stack has no configuration set for text messages");
  const arns = [
    config.sms.from,
    ...(access.sendsToContacts === true && messagesContainTokens(access) ? [smsEvents.arn] : []),
  ];
  return [{ arns, setting: { ...config.sms, events: smsEvents.name } }];
};

/** Lists the settings of calls if the function makes calls. */
const listVoiceSettings = ({ setting: { config, voiceFlowId }, access: { sendsToContacts } }: ServiceFunctionProps) => {
  const { voice } = config;
  if (sendsToContacts !== true || voice === undefined) return [];
  const { instance, from, countries, monthly } = voice;
  if (voiceFlowId === undefined) throw new Error("the stack has no flow for calls");
  const [instanceId, region] = [instance.split("/").at(-1), extractRegion(instance)];
  const setting = { instanceId, flowId: voiceFlowId, region, from, countries, monthly };
  return [{ instance, setting }];
};

const listChannelsOfStage = ({ mailFrom, sms, voice }: ServiceFunctionProps["setting"]["config"]): string[] => [
  "push",
  ...(mailFrom === undefined ? [] : (["email"] as const)),
  ...(sms === undefined ? [] : (["sms"] as const)),
  ...(voice === undefined ? [] : (["voice"] as const)),
];

/** Returns the ARN of a sender address as an identity in SES, so that other addresses of its domain are not granted. */
const toIdentityArn = (sender: string): string =>
  `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/${sender}`;

const listQueuesToSendTo = ({ setting: { config }, access }: ServiceFunctionProps): QueueName[] => [
  ...(access.sendsTo ?? []),
  ...(Object.keys(config.pace).length > 0 ? (access.sendsIfContactsReply ?? []) : []),
];

const LEADING_KEYS = "dynamodb:LeadingKeys";

/** Lists the statements for a function's requests to the table; with `keys`, only for the named kinds of partition keys. */
const createTableStatements = ({ table, keys }: Access, tableArn: string): PolicyStatement[] => {
  if (table.length === 0) return [];
  const actions = table.map((action) => `dynamodb:${action}`);
  if (keys === undefined) return [allowActions(actions, tableArn)];
  const kinds = keys.flatMap((kind) => (kind === "workspace" ? [] : keyPatterns[kind]));
  const allowIf = (conditions: Record<string, unknown>): PolicyStatement => {
    const statement = allowActions(actions, tableArn);
    statement.addConditions(conditions);
    return statement;
  };
  return [
    ...(kinds.length === 0 ? [] : [allowIf({ "ForAllValues:StringLike": { [LEADING_KEYS]: kinds } })]),
    ...(keys.includes("workspace")
      ? [
          allowIf({
            "ForAllValues:StringLike": { [LEADING_KEYS]: [workspaceKeys.like] },
            "ForAllValues:StringNotLike": { [LEADING_KEYS]: [workspaceKeys.unlike] },
          }),
        ]
      : []),
  ];
};

/** Lists what a function may do. Each statement has one resource, and grants only what the function needs. */
const listStatements = (props: ServiceFunctionProps): PolicyStatement[] => {
  const { setting, access, consumes } = props;
  return [
    ...createTableStatements(access, setting.table.tableArn),
    ...listQueuesToSendTo(props).map((queue) => allowActions(["sqs:SendMessage"], setting.queues[queue].queueArn)),
    ...listMailSenders(props).map((from) => allowActions(["ses:SendEmail"], toIdentityArn(from))),
    ...listMailEventSets(props).map(({ arn }) => allowActions(["ses:SendEmail"], arn)),
    ...listSmsSettings(props).flatMap(({ arns }) =>
      arns.map((arn) => allowActions(["sms-voice:SendTextMessage"], arn)),
    ),
    ...listVoiceSettings(props).map(({ instance }) =>
      allowActions(["connect:StartOutboundVoiceContact"], `${instance}/contact/*`),
    ),
    ...listSecrets(props).map(([, arn]) => allowActions(["secretsmanager:GetSecretValue"], arn)),
    ...(consumes === undefined
      ? []
      : [
          allowActions(
            [
              "sqs:ReceiveMessage",
              "sqs:DeleteMessage",
              "sqs:GetQueueAttributes",
              ...(consumes.delaysMessages ? ["sqs:ChangeMessageVisibility"] : []),
            ],
            setting.queues[consumes.queue].queueArn,
          ),
        ]),
  ];
};

/** Lists the queues whose URLs the function needs. */
const listKnownQueues = (props: ServiceFunctionProps): QueueName[] => [
  ...listQueuesToSendTo(props),
  ...(props.consumes?.delaysMessages === true ? [props.consumes.queue] : []),
];

const buildEnvironmentVariables = (scope: Construct, props: ServiceFunctionProps): Record<string, string> => ({
  [env.stage]: props.setting.config.stage,
  [env.table]: props.setting.table.tableName,
  ...(props.access.knowsBaseUrl === true ? { [env.baseUrl]: props.setting.baseUrl } : {}),
  ...(props.access.asksUserPool === true ? { [env.userPoolUrl]: userPoolUrl } : {}),
  ...Object.fromEntries(
    listKnownQueues(props).map((queue) => [queueVariables[queue], props.setting.queues[queue].queueUrl]),
  ),
  ...Object.fromEntries(listSecrets(props)),
  ...Object.fromEntries(listMailSenders(props).map((from) => [env.mailFrom, from])),
  ...Object.fromEntries(listMailEventSets(props).map(({ name }) => [env.mailEvents, name])),
  ...Object.fromEntries(listSmsSettings(props).map(({ setting }) => [env.sms, JSON.stringify(setting)])),
  // CloudFormation composes the JSON, because only CloudFormation knows the flow's id.
  ...Object.fromEntries(
    listVoiceSettings(props).map(({ setting }) => [env.voice, Stack.of(scope).toJsonString(setting)]),
  ),
  // Only the sender needs the maximum number of messages per second.
  ...(props.access.sendsIfContactsReply !== undefined && Object.keys(props.setting.config.pace).length > 0
    ? { [env.pace]: JSON.stringify(props.setting.config.pace) }
    : {}),
  ...(props.access.knowsChannels === true ? { [env.ways]: listChannelsOfStage(props.setting.config).join(",") } : {}),
  ...(props.access.givesPlan === true ? { [env.defaultPlan]: JSON.stringify(props.setting.config.plan) } : {}),
  NODE_OPTIONS: "--enable-source-maps",
  ...props.environment,
});

/**
 * Returns the role that functions with the same log group and permissions share. CloudFormation changes roles before functions,
 * so removing a permission from a role would break the running code. A role's id therefore depends on its permissions: a new role
 * is created first, and the old role is deleted last.
 */
const getOrCreateRole = (scope: Construct, props: ServiceFunctionProps, logGroup: LogGroup): Role => {
  const { tracing } = props.setting.config;
  const work = listStatements(props);
  const inlinePolicies = {
    ...(work.length === 0 ? {} : { work: new PolicyDocument({ statements: work }) }),
    operation: new PolicyDocument({
      statements: [
        allowActions(["logs:CreateLogStream", "logs:PutLogEvents"], logGroup.logGroupArn),
        ...(tracing ? [allowActions(["xray:PutTraceSegments", "xray:PutTelemetryRecords"], "*")] : []),
      ],
    }),
  };
  const allowed = JSON.stringify(Stack.of(scope).resolve(inlinePolicies));
  const id = `Role-${createHash("sha256").update(allowed).digest("hex").slice(0, ROLE_ID_DIGITS)}`;
  const known = scope.node.tryFindChild(id);
  if (known instanceof Role) return known;
  const role = new Role(scope, id, { assumedBy: new ServicePrincipal("lambda.amazonaws.com"), inlinePolicies });
  for (const { instance } of listVoiceSettings(props))
    acceptFindings(role, {
      [`AwsSolutions-IAM5[Resource::${instance}/contact/*]`]:
        "A call has no id before it is made, so the permission covers all calls of one Connect instance.",
    });
  if (tracing)
    acceptFindings(role, {
      "AwsSolutions-IAM5[Resource::*]": "X-Ray does not support resources for its two write actions.",
      "Serverless-LambdaStarPermissions": "X-Ray does not support resources for its two write actions.",
    });
  return role;
};

export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, props: ServiceFunctionProps) {
    super(scope, props.name);
    const { config, codeOf } = props.setting;
    const logGroup =
      props.logGroup ??
      new LogGroup(this, "Logs", {
        logGroupName: `/event-alerting/${config.stage}/${props.name}`,
        retention: config.logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      });
    const role = getOrCreateRole(props.logGroup === undefined ? this : scope, props, logGroup);
    this.function = new LambdaFunction(this, "Function", {
      functionName: toPhysicalName(config.stage, props.name),
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: "index.handler",
      code: codeOf(props.name),
      // The statements are complete, so CDK must not add statements.
      role: role.withoutPolicyUpdates(),
      timeout: Duration.seconds(props.timeoutSeconds),
      memorySize: props.memoryMb,
      ...(props.reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: props.reservedConcurrency }),
      environment: buildEnvironmentVariables(this, props),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
      // Tracing is always set, because otherwise a function would keep tracing after its role lost the permission.
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.PASS_THROUGH,
      ...(props.mayLoop === true ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    });
    acceptFindings(this.function, {
      "Serverless-LambdaDLQ":
        "A dead-letter queue serves only asynchronous invocations. HTTP callers get the error, queues have dead-letter queues, and the sweeper " +
        "runs again a minute later.",
      "Serverless-LambdaTracing":
        "A trace costs more than handling the event. The ids in the logs are enough to follow an event. A setting turns tracing on.",
    });
  }
}
