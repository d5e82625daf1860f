import { RemovalPolicy } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import type { Config } from "./config.ts";

export type ServiceSecretProps = {
  removal: Config["removal"];
  description: string;
  /** Why no AWS rotation can replace it. */
  rotation: string;
};

/** A secret that an operator puts in place; until then it holds a random text that is good for nothing. */
export class ServiceSecret extends Construct {
  readonly secret: Secret;

  constructor(scope: Construct, id: string, { removal, description, rotation }: ServiceSecretProps) {
    super(scope, id);
    this.secret = new Secret(this, "Secret", {
      description,
      removalPolicy: removal === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    acceptFindings(this.secret, { "AwsSolutions-SMG4": rotation });
  }
}
