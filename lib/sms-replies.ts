import { Stack } from "aws-cdk-lib";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnConfigurationSet } from "aws-cdk-lib/aws-smsvoice";
import { Topic } from "aws-cdk-lib/aws-sns";
import { SqsSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { smsFates } from "../core/domain/delivery/push/delivery-event.ts";
import { acceptFindings } from "./accept-findings.ts";

/**
 * The topic to which AWS End User Messaging publishes what people answer, and what became of messages, on its way into a
 * queue. No public door.
 */
export class SmsReplies extends Construct {
  readonly topic: Topic;
  /** The set that messages name, so that the service says what became of them. */
  readonly events: { name: string; arn: string };

  constructor(scope: Construct, id: string, { queue, stage }: { queue: Queue; stage: string }) {
    super(scope, id);
    this.topic = new Topic(this, "Topic", { enforceSSL: true });
    const mayPublish = this.topic.grantPublish(
      new ServicePrincipal("sms-voice.amazonaws.com", {
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      }),
    );
    acceptFindings(this.topic.addSubscription(new SqsSubscription(queue, { rawMessageDelivery: true })), {
      "Serverless-SNSRedrivePolicy":
        "SNS tries a queue of the same account for 23 days; a lost answer can be given again.",
    });
    const name = `event-alerting-${stage}`;
    const set = new CfnConfigurationSet(this, "Events", {
      configurationSetName: name,
      eventDestinations: [
        {
          eventDestinationName: "what-became-of-messages",
          enabled: true,
          matchingEventTypes: Object.keys(smsFates),
          snsDestination: { topicArn: this.topic.topicArn },
        },
      ],
    });
    // The service looks whether it may publish when the destination is made.
    mayPublish.applyBefore(set);
    // Roles name the set by its ARN, so that it is there before the functions that use it.
    this.events = { name, arn: set.attrArn };
  }
}
