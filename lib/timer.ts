import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import { type FunctionSetting, ServiceFunction } from "./service-function.ts";
import type { Timer } from "./workers.ts";

export type TimedFunctionProps = { setting: FunctionSetting; timer: Timer };

/** A function that runs on a schedule. A failed run is not repeated, because the next run does the same work. */
export class TimedFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { setting, timer }: TimedFunctionProps) {
    super(scope, id);
    this.function = new ServiceFunction(this, {
      setting,
      name: timer.entry,
      description: `Runs every ${timer.everyMinutes} min`,
      access: timer.access,
      timeoutSeconds: timer.timeoutSeconds,
      memoryMb: timer.memoryMb,
      ...(setting.config.ingestConcurrency > 0 && timer.reservedConcurrency !== undefined
        ? { reservedConcurrency: timer.reservedConcurrency }
        : {}),
    }).function;
    this.function.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(timer.everyMinutes) });
    acceptFindings(this.function, {
      "Serverless-LambdaAsyncFailureDestination":
        "An invocation contains no data; work that failed is due again a minute later.",
    });
    const rule = new Rule(this, "Schedule", {
      description: `Starts ${timer.entry}`,
      schedule: Schedule.rate(Duration.minutes(timer.everyMinutes)),
      targets: [new LambdaTarget(this.function, { retryAttempts: 0 })],
    });
    acceptFindings(rule, {
      "Serverless-EventBusDLQ": "A failed invocation is not retried: the next one, a minute later, does the same work.",
    });
  }
}
