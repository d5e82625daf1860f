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
import { carriesTokens, type Access, type QueueName, type SecretName } from "../interface/access.ts";
import { userPoolUrl } from "./identity.ts";
import { acceptFindings } from "./accept-findings.ts";
import type { Config } from "./config.ts";
import type { DataTable } from "./table.ts";
import { regionOf } from "./voice-region.ts";

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

/** The settings that the functions of a stack share. */
export type FunctionSetting = {
  config: Config;
  table: DataTable;
  queues: Record<QueueName, IQueue>;
  secrets: Partial<Record<SecretName, Secret>>;
  /** The bundle of a function, by the function's name. */
  codeOf: (name: string) => Code;
  /** The base URL of the service. */
  baseUrl: string;
  /** The configuration set of e-mail, where the stage sends some. */
  mailEvents?: { name: string; arn: string };
  /** The configuration set of text messages, where the stage sends some. */
  smsEvents?: { name: string; arn: string };
  /** The id of the flow that calls go through, where the stage makes some. */
  voiceFlowId?: string;
};

export type ServiceFunctionProps = {
  setting: FunctionSetting;
  /** The function's name within the stage. */
  name: string;
  description: string;
  access: Access;
  /** The queue that the function consumes, and whether it changes the visibility timeout of its messages. */
  consumes?: { queue: QueueName; delaysMessages: boolean };
  timeoutSeconds: number;
  /** Memory in MB, which also sets the share of a CPU: 1,769 MB are one. */
  memoryMb: number;
  /** A log group shared with other functions. Default: a log group of its own. */
  logGroup?: LogGroup;
  /** Concurrent invocations reserved for this function, which is also its limit. Default: the account's. */
  reservedConcurrency?: number;
  environment?: Record<string, string>;
  /** Whether the function may trigger itself without limit. Default: Lambda stops it after 16 times. */
  mayLoop?: boolean;
};

/** The name of a function in the account, by which another region finds it. */
export const physicalName = (stage: string, name: string): string => `event-alerting-${stage}-${name}`;

/** Enough that no two of a stack's roles share an id. */
const ROLE_ID_DIGITS = 12;

const allow = (actions: string[], resource: string): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions, resources: [resource] });

/** The secrets that a function reads: their environment variables and ARNs. */
const secretsOf = ({
  setting,
  access: { readsSecrets = [], callsSlack },
}: ServiceFunctionProps): [variable: string, arn: string][] =>
  [...readsSecrets, ...(callsSlack === true && setting.config.slack ? (["slack"] as const) : [])].map((name) => {
    const secret = setting.secrets[name];
    if (secret === undefined) throw new Error(`the stack has no secret for ${name}`);
    return [secretVariables[name], secret.secretArn];
  });

/** The address that a function sends e-mail from, if it and the stage do. */
const mailOf = ({ setting: { config }, access: { sendsToContacts, sendsMail } }: ServiceFunctionProps): string[] =>
  (sendsToContacts === true || sendsMail === true) && config.mailFrom !== undefined ? [config.mailFrom] : [];

/** The configuration set of the e-mails that a function wants to hear of again, if it and the stage send some. */
const mailEventsOf = (props: ServiceFunctionProps) => {
  if (mailOf(props).length === 0 || !carriesTokens(props.access)) return [];
  const { mailEvents } = props.setting;
  if (mailEvents === undefined) throw new Error("the stack has no configuration set for email");
  return [mailEvents];
};

/** The text message settings of a function, if it and the stage send any; with the configuration set for its delivery events. */
const smsOf = ({ setting: { config, smsEvents }, access }: ServiceFunctionProps) => {
  if ((access.sendsToContacts !== true && access.sendsSms !== true) || config.sms === undefined) return [];
  if (smsEvents === undefined) throw new Error("the stack has no configuration set for text messages");
  const arns = [config.sms.from, ...(access.sendsToContacts === true && carriesTokens(access) ? [smsEvents.arn] : [])];
  return [{ arns, setting: { ...config.sms, events: smsEvents.name } }];
};

/** How a function makes calls, if it and the stage do. */
const voiceOf = ({ setting: { config, voiceFlowId }, access: { sendsToContacts } }: ServiceFunctionProps) => {
  const { voice } = config;
  if (sendsToContacts !== true || voice === undefined) return [];
  const { instance, from, countries, monthly } = voice;
  if (voiceFlowId === undefined) throw new Error("the stack has no flow for calls");
  const [instanceId, region] = [instance.split("/").at(-1), regionOf(instance)];
  const setting = { instanceId, flowId: voiceFlowId, region, from, countries, monthly };
  return [{ instance, setting }];
};

/** The channels by which a stage notifies people. */
const waysOf = ({ mailFrom, sms, voice }: ServiceFunctionProps["setting"]["config"]): string[] => [
  "push",
  ...(mailFrom === undefined ? [] : (["email"] as const)),
  ...(sms === undefined ? [] : (["sms"] as const)),
  ...(voice === undefined ? [] : (["voice"] as const)),
];

/** SES knows the address itself as an identity, so that no other address of its domain is granted. */
const identityArn = (from: string): string =>
  `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/${from}`;

const sendsTo = ({ setting: { config }, access }: ServiceFunctionProps): QueueName[] => [
  ...(access.sendsTo ?? []),
  ...(Object.keys(config.pace).length > 0 ? (access.sendsWhereContacts ?? []) : []),
];

const LEADING_KEYS = "dynamodb:LeadingKeys";

/** The actions on the table. With kinds of items, on these alone: a request with any other key is denied. */
const tableStatements = ({ table, keys }: Access, tableArn: string): PolicyStatement[] => {
  if (table.length === 0) return [];
  const actions = table.map((action) => `dynamodb:${action}`);
  if (keys === undefined) return [allow(actions, tableArn)];
  const kinds = keys.flatMap((kind) => (kind === "workspace" ? [] : keyPatterns[kind]));
  const onKeys = (conditions: Record<string, unknown>): PolicyStatement => {
    const statement = allow(actions, tableArn);
    statement.addConditions(conditions);
    return statement;
  };
  return [
    ...(kinds.length === 0 ? [] : [onKeys({ "ForAllValues:StringLike": { [LEADING_KEYS]: kinds } })]),
    ...(keys.includes("workspace")
      ? [
          onKeys({
            "ForAllValues:StringLike": { [LEADING_KEYS]: [workspaceKeys.like] },
            "ForAllValues:StringNotLike": { [LEADING_KEYS]: [workspaceKeys.unlike] },
          }),
        ]
      : []),
  ];
};

/** Every statement names one resource, and grants only what the function does. */
const statementsOf = (props: ServiceFunctionProps): PolicyStatement[] => {
  const { setting, access, consumes } = props;
  return [
    ...tableStatements(access, setting.table.tableArn),
    ...sendsTo(props).map((queue) => allow(["sqs:SendMessage"], setting.queues[queue].queueArn)),
    ...mailOf(props).map((from) => allow(["ses:SendEmail"], identityArn(from))),
    ...mailEventsOf(props).map(({ arn }) => allow(["ses:SendEmail"], arn)),
    ...smsOf(props).flatMap(({ arns }) => arns.map((arn) => allow(["sms-voice:SendTextMessage"], arn))),
    ...voiceOf(props).map(({ instance }) => allow(["connect:StartOutboundVoiceContact"], `${instance}/contact/*`)),
    ...secretsOf(props).map(([, arn]) => allow(["secretsmanager:GetSecretValue"], arn)),
    ...(consumes === undefined
      ? []
      : [
          allow(
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

const knownQueues = (props: ServiceFunctionProps): QueueName[] => [
  ...sendsTo(props),
  ...(props.consumes?.delaysMessages === true ? [props.consumes.queue] : []),
];

const environmentOf = (scope: Construct, props: ServiceFunctionProps): Record<string, string> => ({
  [env.stage]: props.setting.config.stage,
  [env.table]: props.setting.table.tableName,
  ...(props.access.knowsBaseUrl === true ? { [env.baseUrl]: props.setting.baseUrl } : {}),
  ...(props.access.asksUserPool === true ? { [env.userPoolUrl]: userPoolUrl } : {}),
  ...Object.fromEntries(
    knownQueues(props).map((queue) => [queueVariables[queue], props.setting.queues[queue].queueUrl]),
  ),
  ...Object.fromEntries(secretsOf(props)),
  ...Object.fromEntries(mailOf(props).map((from) => [env.mailFrom, from])),
  ...Object.fromEntries(mailEventsOf(props).map(({ name }) => [env.mailEvents, name])),
  ...Object.fromEntries(smsOf(props).map(({ setting }) => [env.sms, JSON.stringify(setting)])),
  // The flow's id is known to CloudFormation alone.
  ...Object.fromEntries(voiceOf(props).map(({ setting }) => [env.voice, Stack.of(scope).toJsonString(setting)])),
  // The queue that alerts come from is the sender's, which has a pace for them.
  ...(props.access.sendsWhereContacts !== undefined && Object.keys(props.setting.config.pace).length > 0
    ? { [env.pace]: JSON.stringify(props.setting.config.pace) }
    : {}),
  ...(props.access.knowsWays === true ? { [env.ways]: waysOf(props.setting.config).join(",") } : {}),
  ...(props.access.givesPlan === true ? { [env.defaultPlan]: JSON.stringify(props.setting.config.plan) } : {}),
  NODE_OPTIONS: "--enable-source-maps",
  ...props.environment,
});

/**
 * The role for a function, or for several with the same log group and the same permissions. Its id depends on what
 * it allows: CloudFormation changes a role before the functions that use it, so a role that loses a permission would
 * fail the code that still runs. With another id the new role is created first, and the old one is deleted last.
 */
const roleOf = (scope: Construct, props: ServiceFunctionProps, logGroup: LogGroup): Role => {
  const { tracing } = props.setting.config;
  const work = statementsOf(props);
  const inlinePolicies = {
    ...(work.length === 0 ? {} : { work: new PolicyDocument({ statements: work }) }),
    operation: new PolicyDocument({
      statements: [
        allow(["logs:CreateLogStream", "logs:PutLogEvents"], logGroup.logGroupArn),
        ...(tracing ? [allow(["xray:PutTraceSegments", "xray:PutTelemetryRecords"], "*")] : []),
      ],
    }),
  };
  const allowed = JSON.stringify(Stack.of(scope).resolve(inlinePolicies));
  const id = `Role-${createHash("sha256").update(allowed).digest("hex").slice(0, ROLE_ID_DIGITS)}`;
  const known = scope.node.tryFindChild(id);
  if (known instanceof Role) return known;
  const role = new Role(scope, id, { assumedBy: new ServicePrincipal("lambda.amazonaws.com"), inlinePolicies });
  for (const { instance } of voiceOf(props))
    acceptFindings(role, {
      [`AwsSolutions-IAM5[Resource::${instance}/contact/*]`]:
        "A call has its id only once it is made; these are the calls of one instance.",
    });
  if (tracing)
    acceptFindings(role, {
      "AwsSolutions-IAM5[Resource::*]": "X-Ray knows no resources for its two write actions.",
      "Serverless-LambdaStarPermissions": "X-Ray knows no resources for its two write actions.",
    });
  return role;
};

/**
 * One Lambda function with a role that grants exactly what the function does, and a log group with limited retention.
 * Node 24 on arm64, JSON logs.
 */
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
    const role = roleOf(props.logGroup === undefined ? this : scope, props, logGroup);
    this.function = new LambdaFunction(this, "Function", {
      functionName: physicalName(config.stage, props.name),
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: "index.handler",
      code: codeOf(props.name),
      // The permissions above are complete: attaching the function to something adds none.
      role: role.withoutPolicyUpdates(),
      timeout: Duration.seconds(props.timeoutSeconds),
      memorySize: props.memoryMb,
      ...(props.reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: props.reservedConcurrency }),
      environment: environmentOf(this, props),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
      // Said in both cases: a function that stays traced is refused a role that may not trace.
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.PASS_THROUGH,
      ...(props.mayLoop === true ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    });
    acceptFindings(this.function, {
      "Serverless-LambdaDLQ":
        "For asynchronous invocations only. HTTP callers get the error, queues have dead-letter queues, and the sweeper " +
        "starts again a minute later.",
      "Serverless-LambdaTracing":
        "A trace costs more than the event it is of; the logs hold the ids that follow an event. A setting turns it on.",
    });
  }
}
