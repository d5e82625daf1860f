import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import { toRemovalPolicy, type Config } from "./config.ts";

export type ServiceSecretProps = {
  removal: Config["removal"];
  description: string;
  /** Why AWS's automatic rotation cannot replace the secret. */
  rotation: string;
  /** Whether only this service needs the key. If true, CloudFormation generates the key as `{"key": ...}`. */
  isOwnKey?: boolean;
};

const OWN_KEY_CHARACTERS = 64;

/** A secret that an operator sets (a random text until the operator sets it), or a key that only this service uses. */
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
      removalPolicy: toRemovalPolicy(removal),
    });
    acceptFindings(this.secret, { "AwsSolutions-SMG4": rotation });
  }
}
