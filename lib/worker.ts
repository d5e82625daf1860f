import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import { type FunctionSetting, ServiceFunction } from "./service-function.ts";
import type { WorkQueue } from "./work-queue.ts";
import { canFeedItself, type Worker } from "./workers.ts";

export type QueueWorkerProps = { setting: FunctionSetting; worker: Worker; work: WorkQueue };

const BATCH_SIZE = 10;

export class QueueWorker extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { setting, worker, work }: QueueWorkerProps) {
    super(scope, id);
    this.function = new ServiceFunction(this, {
      setting,
      name: worker.entry,
      description: `Works through the queue of ${worker.queue}`,
      access: worker.access,
      consumes: { queue: worker.queue, delaysMessages: worker.delaysMessages ?? false },
      timeoutSeconds: worker.timeoutSeconds,
      memoryMb: worker.memoryMb,
      mayLoop: canFeedItself(worker),
    }).function;
    acceptFindings(this.function, {
      "Serverless-LambdaEventSourceMappingDestination":
        "Sources that are queues have no failure destination: the queue's redrive policy does that.",
    });
    this.function.addEventSource(
      new SqsEventSource(work.queue, {
        batchSize: BATCH_SIZE,
        maxBatchingWindow: Duration.seconds(0),
        reportBatchItemFailures: true,
        maxConcurrency: worker.maxConcurrency,
      }),
    );
  }
}
