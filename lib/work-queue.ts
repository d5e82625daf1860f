import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { messageReceivesMax } from "../core/wiring.ts";
import { acceptFindings } from "./accept-findings.ts";

export type WorkQueueProps = { consumerTimeoutSeconds: number };

const RETENTION = Duration.days(14);

/**
 * A queue with its dead-letter queue, encrypted, over TLS only. AWS recommends a visibility timeout of six times the function's
 * timeout, so that throttling does not use up a message's receives.
 */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, { consumerTimeoutSeconds }: WorkQueueProps) {
    super(scope, id);
    this.deadLetterQueue = new Queue(this, "DeadLetterQueue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: RETENTION,
    });
    acceptFindings(this.deadLetterQueue, {
      "Serverless-SQSRedrivePolicy": "This is a dead-letter queue; an alarm fires at its first message.",
    });
    this.queue = new Queue(this, "Queue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      visibilityTimeout: Duration.seconds(6 * consumerTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: messageReceivesMax },
    });
  }
}
