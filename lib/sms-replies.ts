import { Stack } from "aws-cdk-lib";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnConfigurationSet } from "aws-cdk-lib/aws-smsvoice";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import { SqsSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { smsFates } from "../core/domain/delivery/push/delivery-event.ts";
import { acceptFindings } from "./accept-findings.ts";
import type { Config } from "./config.ts";
import { type StageTarget, StageStack } from "./stage-stack.ts";

/** The configuration set that messages use, so that their outcomes are reported. */
type SmsEvents = { name: string; arn: string };

const toConfigurationSetName = (stage: string): string => `event-alerting-${stage}`;
/** Returns the name of the topic for replies. The name is fixed, because the topic may be in another region than the stage. */
const toTopicName = (stage: string): string => `event-alerting-${stage}-sms`;

/** Adds the topic (`name`) for replies and delivery reports, and the configuration set that publishes to the topic. */
const addReplyTopic = (scope: Construct, { stage, name }: { stage: string; name?: string }) => {
  const topic = new Topic(scope, "Topic", { enforceSSL: true, ...(name === undefined ? {} : { topicName: name }) });
  const mayPublish = topic.grantPublish(
    new ServicePrincipal("sms-voice.amazonaws.com", {
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
  );
  const set = new CfnConfigurationSet(scope, "Events", {
    configurationSetName: toConfigurationSetName(stage),
    eventDestinations: [
      {
        eventDestinationName: "what-became-of-messages",
        enabled: true,
        matchingEventTypes: Object.keys(smsFates),
        snsDestination: { topicArn: topic.topicArn },
      },
    ],
  });
  // AWS checks the permission to publish when the destination is created, so the permission is created first.
  mayPublish.applyBefore(set);
  // The ARN refers to the set, so that CloudFormation creates the set before the functions that use it.
  return { topic, events: { name: toConfigurationSetName(stage), arn: set.attrArn } };
};

/** Passes replies and delivery reports to the queue. `elsewhere`: the region of the text messages' sender, if not the stage's. */
export class SmsReplies extends Construct {
  readonly topic: ITopic;
  readonly events: SmsEvents;

  constructor(
    scope: Construct,
    id: string,
    { queue, stage, elsewhere }: { queue: Queue; stage: string; elsewhere: string | undefined },
  ) {
    super(scope, id);
    const { topic, events } =
      elsewhere === undefined ? addReplyTopic(this, { stage }) : this.sourceIn(elsewhere, stage);
    this.topic = topic;
    this.events = events;
    // Keeps the SNS envelope, because only the envelope has a reply's time.
    acceptFindings(topic.addSubscription(new SqsSubscription(queue)), {
      "Serverless-SNSRedrivePolicy":
        "SNS retries delivery to a queue of the same account for 23 days. A reply that is lost after that can be sent again.",
    });
  }

  /** Refers to the topic and the configuration set in the sender's region, which are deployed first. */
  private sourceIn(region: string, stage: string): { topic: ITopic; events: SmsEvents } {
    const toArn = (service: string, resource: string) => Stack.of(this).formatArn({ service, region, resource });
    const topic = Topic.fromTopicArn(this, "Topic", toArn("sns", toTopicName(stage)));
    const name = toConfigurationSetName(stage);
    return { topic, events: { name, arn: toArn("sms-voice", `configuration-set/${name}`) } };
  }
}

/** Returns the region of the text messages' sender if that region is not the stage's; otherwise undefined. */
export const findOtherSmsRegion = ({ sms, region }: Pick<Config, "sms" | "region">): string | undefined => {
  const own = sms?.from.split(":")[3];
  return region === undefined || own === region ? undefined : own;
};

/** The topic and the configuration set for text messages, which must be in the region of the messages' sender. */
export class SmsStack extends StageStack {
  constructor(scope: Construct, target: StageTarget & { region: string }) {
    super(scope, target, {
      part: "sms",
      does: "replies and delivery reports of text messages, in the region that sends them",
    });
    const { stage } = target;
    addReplyTopic(this, { stage, name: toTopicName(stage) });
  }
}
