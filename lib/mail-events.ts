import { Stack } from "aws-cdk-lib";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnConfigurationSet, CfnConfigurationSetEventDestination } from "aws-cdk-lib/aws-ses";
import { FilterOrPolicy, SubscriptionFilter, Topic } from "aws-cdk-lib/aws-sns";
import { SqsSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { MAIL_EVENTS } from "../core/domain/delivery/push/delivery-event.ts";
import { acceptFindings } from "./accept-findings.ts";

export class MailEvents extends Construct {
  /** The configuration set that emails use, so that SES reports their outcomes. */
  readonly events: { name: string; arn: string };

  constructor(scope: Construct, id: string, { queue, stage }: { queue: Queue; stage: string }) {
    super(scope, id);
    const name = `event-alerting-${stage}`;
    const set = new CfnConfigurationSet(this, "Set", {
      name,
      // SES accepts emails to suppressed addresses without delivering them, so that they do not count as bounces.
      suppressionOptions: { suppressedReasons: ["BOUNCE", "COMPLAINT"] },
    });
    const { account, partition, region } = Stack.of(this);
    // The ARN refers to the set, so that CloudFormation creates the set before the roles and functions that use it.
    this.events = { name, arn: `arn:${partition}:ses:${region}:${account}:configuration-set/${set.ref}` };
    const topic = new Topic(this, "Topic", { enforceSSL: true });
    const mayPublish = topic.grantPublish(
      new ServicePrincipal("ses.amazonaws.com", {
        conditions: { StringEquals: { "aws:SourceAccount": account, "aws:SourceArn": this.events.arn } },
      }),
    );
    // When the destination is created, SES publishes a message that is not an event, so the subscription filters by type.
    const eventType = FilterOrPolicy.filter(SubscriptionFilter.stringFilter({ allowlist: [...MAIL_EVENTS] }));
    acceptFindings(
      topic.addSubscription(
        new SqsSubscription(queue, { rawMessageDelivery: true, filterPolicyWithMessageBody: { eventType } }),
      ),
      {
        "Serverless-SNSRedrivePolicy":
          "SNS retries delivery to a queue of the same account for 23 days. If a bounce is lost after that, the next email to the address bounces again.",
      },
    );
    const destination = new CfnConfigurationSetEventDestination(this, "Events", {
      configurationSetName: set.ref,
      eventDestination: {
        name: "what-became-of-mails",
        enabled: true,
        matchingEventTypes: MAIL_EVENTS.map((type) => type.toLowerCase()),
        snsDestination: { topicArn: topic.topicArn },
      },
    });
    mayPublish.applyBefore(destination);
  }
}
