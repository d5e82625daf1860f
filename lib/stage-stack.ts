import { Stack, Tags } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { isProtectedAgainstDeletion, type Config } from "./config.ts";

export type StageTarget = Pick<Config, "stage" | "account" | "removal" | "firstDeployment"> & {
  region: string | undefined;
};

/** Returns the name of a stage's stack. `part`: an additional stack, for the edge or another region. */
export const toStackName = (stage: string, part?: string): string =>
  ["EventAlerting", stage, ...(part === undefined ? [] : [part])].join("-");

/** A stack of a stage. `does`: the stack's description, in one sentence. */
export class StageStack extends Stack {
  constructor(scope: Construct, target: StageTarget, { part, does }: { part?: string; does: string }) {
    const { stage, account, region } = target;
    super(scope, toStackName(stage, part), {
      description: `Event alerting service: ${does}`,
      env: { ...(account === undefined ? {} : { account }), ...(region === undefined ? {} : { region }) },
      // Without protection, a failed creation can be deleted and repeated by `cdk deploy`.
      terminationProtection: isProtectedAgainstDeletion(target),
    });
    Tags.of(this).add("service", "event-alerting");
    Tags.of(this).add("stage", stage);
  }
}
