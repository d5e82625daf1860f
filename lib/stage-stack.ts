import { Stack, Tags } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { isProtected, type Config } from "./config.ts";

/** The settings that every stack of a stage needs, with the region of the stack. */
export type StageTarget = Pick<Config, "stage" | "account" | "removal" | "firstDeployment"> & {
  region: string | undefined;
};

/** Returns the name of a stage's stack. `part`: the name of an additional stack, for the edge or in another region. */
export const stackName = (stage: string, part?: string): string =>
  ["EventAlerting", stage, ...(part === undefined ? [] : [part])].join("-");

/** `does`: a sentence that describes the stack. */
export class StageStack extends Stack {
  constructor(scope: Construct, target: StageTarget, { part, does }: { part?: string; does: string }) {
    const { stage, account, region } = target;
    super(scope, stackName(stage, part), {
      description: `Event alerting service: ${does}`,
      env: {
        ...(account === undefined ? {} : { account }),
        ...(region === undefined ? {} : { region }),
      },
      // Without protection, `cdk deploy` can delete a stack whose creation failed and create it again.
      terminationProtection: isProtected(target),
    });
    Tags.of(this).add("service", "event-alerting");
    Tags.of(this).add("stage", stage);
  }
}
