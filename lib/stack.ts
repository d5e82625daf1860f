import { join } from "node:path";
import { CfnOutput, Lazy } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import type { QueueName } from "../interface/access.ts";
import type { Watched } from "./alarms.ts";
import { distDir } from "./build.ts";
import { acceptsReplies, type Config } from "./config.ts";
import { ConsoleSite } from "./console-site.ts";
import { ApiDomain } from "./api-domain.ts";
import { GithubDeployer } from "./github-deployer.ts";
import { ServiceApi } from "./http-api.ts";
import { Identity } from "./identity.ts";
import { MailEvents } from "./mail-events.ts";
import { Observability } from "./observability.ts";
import { losesDataOnFailure, type Route, routes as everyRoute } from "../interface/routes.ts";
import { ServiceSecret } from "./secrets.ts";
import type { FunctionSetting } from "./service-function.ts";
import { findOtherSmsRegion, SmsReplies } from "./sms-replies.ts";
import { ServiceTable } from "./table.ts";
import { StageStack } from "./stage-stack.ts";
import { TimedFunction } from "./timer.ts";
import { QueueWorker } from "./worker.ts";
import { WorkQueue } from "./work-queue.ts";
import { VoiceCalls } from "./voice-calls.ts";
import { findOtherVoiceRegion } from "./voice-region.ts";
import { timers, workers, listWorkersOfStage } from "./workers.ts";

export type EventAlertingProps = {
  config: Config;
  /** Returns a function's code. Default: the output of `lib/build.ts`. */
  codeOf?: (name: string) => Code;
  /** The routes of the API. Default: every route of the service. */
  routes?: readonly Route[];
};

const findWorkerTimeoutSeconds = (queueName: QueueName): number => {
  const worker = workers.find(({ queue }) => queue === queueName);
  if (worker === undefined) throw new Error(`no worker reads the queue ${queueName}`);
  return worker.timeoutSeconds;
};

/** Returns the client ids of the machines, as `name=id` separated by spaces; undefined if the stage has no machines. */
const formatMachineClientIds = ({ machines }: Identity): string | undefined =>
  machines.size === 0
    ? undefined
    : [...machines].map(([name, { userPoolClientId }]) => `${name}=${userPoolClientId}`).join(" ");

/** The stack of a stage. A stage with an edge also has the stack of `edge.ts`, which is deployed first. */
export class EventAlertingStack extends StageStack {
  constructor(scope: Construct, { config, codeOf, routes = everyRoute }: EventAlertingProps) {
    super(scope, config, { does: "events in, push notifications out" });

    const { table } = new ServiceTable(this, "Data", config);
    const createQueue = (id: string, name: QueueName) =>
      new WorkQueue(this, id, { consumerTimeoutSeconds: findWorkerTimeoutSeconds(name) });
    const work: Watched["work"] = {
      events: createQueue("Events", "events"),
      pushes: createQueue("Pushes", "pushes"),
      escalations: createQueue("Escalations", "escalations"),
      webhooks: createQueue("Webhooks", "webhooks"),
      inbound: createQueue("Inbound", "inbound"),
    };
    const secrets = this.addSecrets(config);
    const base: FunctionSetting = {
      config,
      table,
      queues: {
        events: work.events.queue,
        pushes: work.pushes.queue,
        escalations: work.escalations.queue,
        webhooks: work.webhooks.queue,
        inbound: work.inbound.queue,
      },
      secrets,
      codeOf: codeOf ?? ((name) => Code.fromAsset(join(distDir, name))),
      baseUrl: Lazy.string({ produce: () => baseUrl }),
    };
    const calls =
      config.voice === undefined
        ? undefined
        : new VoiceCalls(this, "VoiceCalls", {
            setting: base,
            voice: config.voice,
            elsewhere: findOtherVoiceRegion(config)?.region,
          });
    const messages =
      config.sms === undefined
        ? undefined
        : new SmsReplies(this, "SmsReplies", {
            queue: work.inbound.queue,
            stage: config.stage,
            elsewhere: findOtherSmsRegion(config),
          });
    const mails =
      config.mailFrom === undefined
        ? undefined
        : new MailEvents(this, "MailEvents", { queue: work.inbound.queue, stage: config.stage });
    const setting: FunctionSetting = {
      ...base,
      ...(calls === undefined ? {} : { voiceFlowId: calls.flowId }),
      ...(messages === undefined ? {} : { smsEvents: messages.events }),
      ...(mails === undefined ? {} : { mailEvents: mails.events }),
    };
    const identity = new Identity(this, "Identity", { config, consoleUrl: base.baseUrl });
    const http = new ServiceApi(this, "Http", { setting, identity, routes });
    const { api, stage, functions, baseUrl } = http;
    if (config.domain !== undefined)
      new ApiDomain(this, "Domain", { ...config, domain: config.domain, api, stageOfApi: stage });
    new ConsoleSite(this, "Console", { setting, http, signInUrl: identity.signInUrl });

    const intake = new Set(routes.filter(losesDataOnFailure).map((route) => route.function));
    const path = new Map([...functions].filter(([name]) => intake.has(name)));
    for (const worker of listWorkersOfStage(config)) {
      const { function: handler } = new QueueWorker(this, `Worker-${worker.entry}`, {
        setting,
        worker,
        work: work[worker.queue],
      });
      // The worker for replies and delivery events is not on the path to a push, and its queue has alarms of its own.
      if (worker.contacts !== true) path.set(worker.entry, handler);
    }
    for (const timer of timers.filter(({ synthetic }) => synthetic !== true || config.synthetic)) {
      const { function: handler } = new TimedFunction(this, `Timer-${timer.entry}`, {
        setting,
        timer,
      });
      // The timer of the synthetic event is not on the path to a push, and has an alarm of its own.
      if (timer.synthetic !== true) path.set(timer.entry, handler);
    }
    const { topic } = new Observability(this, "Observability", { config, table, api, work, path, keys: calls?.keys });

    const deployer =
      config.github === undefined
        ? undefined
        : new GithubDeployer(this, "Deployer", {
            stage: config.stage,
            removal: config.removal,
            github: config.github,
          });

    this.addOutputs({
      BaseUrl: baseUrl,
      TableName: table.tableName,
      UserPoolId: identity.userPool.userPoolId,
      UserPoolClientId: identity.client.userPoolClientId,
      ConsoleClientId: http.consoleClient.userPoolClientId,
      SignInUrl: identity.signInUrl,
      MachineClientIds: formatMachineClientIds(identity),
      AlarmTopicArn: topic.topicArn,
      SmsTopicArn: acceptsReplies(config) ? messages?.topic.topicArn : undefined,
      DeployRoleArn: deployer?.role.roleArn,
      FcmSecretArn: secrets.fcm.secretArn,
      VapidSecretArn: secrets.vapid.secretArn,
      ReceiptSecretArn: secrets.receipts.secretArn,
      SlackSecretArn: secrets.slack?.secretArn,
      SyntheticSecretArn: secrets.synthetic?.secretArn,
      EventsDeadLetterQueueArn: work.events.deadLetterQueue.queueArn,
      PushesDeadLetterQueueArn: work.pushes.deadLetterQueue.queueArn,
      EscalationsDeadLetterQueueArn: work.escalations.deadLetterQueue.queueArn,
      WebhooksDeadLetterQueueArn: work.webhooks.deadLetterQueue.queueArn,
      InboundDeadLetterQueueArn: work.inbound.deadLetterQueue.queueArn,
    });
  }

  private addSecrets({ removal, slack, synthetic }: Config) {
    const { secret: fcm } = new ServiceSecret(this, "FcmServiceAccount", {
      removal,
      description: "Service account (JSON) that sends through FCM; stored by the operator",
      rotation: "Google issues the key, so AWS cannot rotate it. The runbook says how an operator replaces it.",
    });
    const { secret: vapid } = new ServiceSecret(this, "VapidKeys", {
      removal,
      description: "Keys by which the browsers' push services know this service; created by the operator",
      rotation:
        "Browsers subscribe with the public key. The operator replaces the keys; the old ones work until browsers have subscribed again.",
    });
    const { secret: receipts } = new ServiceSecret(this, "ReceiptKey", {
      removal,
      description: "Key of the tokens by which devices confirm and acknowledge pushes; created with the stack",
      rotation:
        "Undelivered pushes contain tokens of the key. The operator's command replaces the key, and keeps the old one until those tokens expire.",
      isOwnKey: true,
    });
    const { secret: webhooks } = new ServiceSecret(this, "WebhookKey", {
      removal,
      description: "Key from which the signing secrets of webhooks are derived; created with the stack",
      rotation:
        "The secret of each webhook is derived from the key and rotated separately; the old and the new secret are both valid for a day.",
      isOwnKey: true,
    });
    const optional: Partial<Record<"slack" | "synthetic", Secret>> = {};
    if (slack)
      optional.slack = new ServiceSecret(this, "SlackApps", {
        removal,
        description: "Tokens and signing secrets of the Slack apps (JSON); stored by the operator",
        rotation:
          "Slack issues the tokens and secrets, so AWS cannot rotate them. The guide to Slack says how an operator replaces them.",
      }).secret;
    if (synthetic)
      optional.synthetic = new ServiceSecret(this, "SyntheticKey", {
        removal,
        description: "API key that the synthetic event is sent with; stored by the operator",
        rotation: "The service issues the key itself: the operator's command replaces it.",
      }).secret;
    return { fcm, vapid, receipts, webhooks, ...optional };
  }

  private addOutputs(outputs: Record<string, string | undefined>): void {
    for (const [id, value] of Object.entries(outputs)) if (value !== undefined) new CfnOutput(this, id, { value });
  }
}
