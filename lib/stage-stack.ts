import { Stack, Tags } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { Config } from "./config.ts";

/** The parts of the configuration that every stack of a stage has, with the region that it is in. */
export type StageTarget = Pick<Config, "stage" | "account" | "removal"> & { region: string | undefined };

/** The name of a stage's stack; `part` is of one beside the service itself, in front of it or in another region. */
export const stackName = (stage: string, part?: string): string =>
  ["EventAlerting", stage, ...(part === undefined ? [] : [part])].join("-");

/** A stack of a stage. `does`: what it is for. */
export class StageStack extends Stack {
  constructor(
    scope: Construct,
    { stage, account, region, removal }: StageTarget,
    { part, does }: { part?: string; does: string },
  ) {
    super(scope, stackName(stage, part), {
      description: `Event alerting service: ${does}`,
      env: {
        ...(account === undefined ? {} : { account }),
        ...(region === undefined ? {} : { region }),
      },
      terminationProtection: removal === "retain",
    });
    Tags.of(this).add("service", "event-alerting");
    Tags.of(this).add("stage", stage);
  }
}
