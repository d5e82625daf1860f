import { Duration, RemovalPolicy } from "aws-cdk-lib";
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
import { env } from "../core/wiring.ts";
import type { Access, QueueName, SecretName } from "./access.ts";
import { acceptFindings } from "./accept-findings.ts";
import type { Config } from "./config.ts";
import type { DataTable } from "./table.ts";

const queueVariables: Record<QueueName, string> = {
  events: env.eventsQueue,
  pushes: env.pushesQueue,
  escalations: env.escalationsQueue,
};

const secretVariables: Record<SecretName, string> = {
  fcm: env.fcmSecret,
  vapid: env.vapidSecret,
  receipts: env.receiptSecret,
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

const allow = (actions: string[], resource: string): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions, resources: [resource] });

/** The secrets that a function reads: their environment variables and ARNs. */
const secretsOf = ({
  setting,
  access: { readsSecrets = [] },
}: ServiceFunctionProps): [variable: string, arn: string][] =>
  readsSecrets.map((name) => {
    const secret = setting.secrets[name];
    if (secret === undefined) throw new Error(`the stack has no secret for ${name}`);
    return [secretVariables[name], secret.secretArn];
  });

/** Every statement names one resource, and grants only what the function does. */
const statementsOf = (props: ServiceFunctionProps): PolicyStatement[] => {
  const { setting, access, consumes } = props;
  return [
    ...(access.table.length === 0
      ? []
      : [
          allow(
            access.table.map((action) => `dynamodb:${action}`),
            setting.table.tableArn,
          ),
        ]),
    ...(access.sendsTo ?? []).map((queue) => allow(["sqs:SendMessage"], setting.queues[queue].queueArn)),
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

const knownQueues = ({ access, consumes }: ServiceFunctionProps): QueueName[] => [
  ...(access.sendsTo ?? []),
  ...(consumes?.delaysMessages === true ? [consumes.queue] : []),
];

const environmentOf = (props: ServiceFunctionProps): Record<string, string> => ({
  [env.stage]: props.setting.config.stage,
  [env.table]: props.setting.table.tableName,
  ...(props.access.knowsBaseUrl === true ? { [env.baseUrl]: props.setting.baseUrl } : {}),
  ...Object.fromEntries(
    knownQueues(props).map((queue) => [queueVariables[queue], props.setting.queues[queue].queueUrl]),
  ),
  ...Object.fromEntries(secretsOf(props)),
  ...(props.access.givesPlan === true ? { [env.defaultPlan]: JSON.stringify(props.setting.config.plan) } : {}),
  NODE_OPTIONS: "--enable-source-maps",
  ...props.environment,
});

const addRole = (scope: Construct, id: string, props: ServiceFunctionProps, logGroup: LogGroup): Role => {
  const work = statementsOf(props);
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    inlinePolicies: {
      ...(work.length === 0 ? {} : { work: new PolicyDocument({ statements: work }) }),
      operation: new PolicyDocument({
        statements: [
          allow(["logs:CreateLogStream", "logs:PutLogEvents"], logGroup.logGroupArn),
          allow(["xray:PutTraceSegments", "xray:PutTelemetryRecords"], "*"),
        ],
      }),
    },
  });
  acceptFindings(role, {
    "AwsSolutions-IAM5[Resource::*]": "X-Ray knows no resources for its two write actions.",
    "Serverless-LambdaStarPermissions": "X-Ray knows no resources for its two write actions.",
  });
  return role;
};

/** Functions with the same log group and the same permissions share one role, whose id lists those permissions. */
const sharedRole = (scope: Construct, props: ServiceFunctionProps, logGroup: LogGroup): Role => {
  const { table, sendsTo = [], readsSecrets = [] } = props.access;
  const id = ["Role", ...table.toSorted(), ...sendsTo, ...readsSecrets].join("-");
  const known = scope.node.tryFindChild(id);
  return known instanceof Role ? known : addRole(scope, id, props, logGroup);
};

/**
 * One Lambda function with a role that grants exactly what the function does, and a log group with limited retention.
 * Node 24 on arm64, JSON logs, a trace id for every request.
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
    const role =
      props.logGroup === undefined ? addRole(this, "Role", props, logGroup) : sharedRole(scope, props, logGroup);
    this.function = new LambdaFunction(this, "Function", {
      functionName: `event-alerting-${config.stage}-${props.name}`,
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
      environment: environmentOf(props),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: Tracing.ACTIVE,
      ...(props.mayLoop === true ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    });
    acceptFindings(this.function, {
      "Serverless-LambdaDLQ":
        "For asynchronous invocations only. HTTP callers get the error, queues have dead-letter queues, and the sweeper " +
        "starts again a minute later.",
    });
  }
}
