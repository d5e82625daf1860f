import { Stack, Tags } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { isProtected, type Config } from "./config.ts";

/** The parts of the configuration that every stack of a stage has, with the region that it is in. */
export type StageTarget = Pick<Config, "stage" | "account" | "removal" | "firstDeployment"> & {
  region: string | undefined;
};

/** The name of a stage's stack; `part` is of an additional one, for the edge or in another region. */
export const stackName = (stage: string, part?: string): string =>
  ["EventAlerting", stage, ...(part === undefined ? [] : [part])].join("-");

/** A stack of a stage. `does`: its purpose. */
export class StageStack extends Stack {
  constructor(scope: Construct, target: StageTarget, { part, does }: { part?: string; does: string }) {
    const { stage, account, region } = target;
    super(scope, stackName(stage, part), {
      description: `Event alerting service: ${does}`,
      env: {
        ...(account === undefined ? {} : { account }),
        ...(region === undefined ? {} : { region }),
      },
      // "cdk deploy" deletes a stack whose creation failed, and makes it again.
      terminationProtection: isProtected(target),
    });
    Tags.of(this).add("service", "event-alerting");
    Tags.of(this).add("stage", stage);
  }
}
