import { Stack } from "aws-cdk-lib";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { SqsSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";

/** The topic to which AWS End User Messaging publishes what people answer, on its way into a queue. No public door. */
export class SmsReplies extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { queue }: { queue: Queue }) {
    super(scope, id);
    this.topic = new Topic(this, "Topic", { enforceSSL: true });
    this.topic.grantPublish(
      new ServicePrincipal("sms-voice.amazonaws.com", {
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      }),
    );
    acceptFindings(this.topic.addSubscription(new SqsSubscription(queue, { rawMessageDelivery: true })), {
      "Serverless-SNSRedrivePolicy":
        "SNS tries a queue of the same account for 23 days; a lost answer can be given again.",
    });
  }
}
