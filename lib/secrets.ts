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
  /** Whether it is a key that only this service has to know: then it is made with the stack, as `{"key": ...}`. */
  isOwnKey?: boolean;
};

const OWN_KEY_CHARACTERS = 64;

/** A secret that an operator puts in place and until then is a random text that is good for nothing; or a key of our own. */
export class ServiceSecret extends Construct {
  readonly secret: Secret;

  constructor(scope: Construct, id: string, { removal, description, rotation, isOwnKey }: ServiceSecretProps) {
    super(scope, id);
    this.secret = new Secret(this, "Secret", {
      description,
      ...(isOwnKey === true
        ? {
            generateSecretString: {
              secretStringTemplate: "{}",
              generateStringKey: "key",
              passwordLength: OWN_KEY_CHARACTERS,
              excludePunctuation: true,
            },
          }
        : {}),
      removalPolicy: removal === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    acceptFindings(this.secret, { "AwsSolutions-SMG4": rotation });
  }
}
