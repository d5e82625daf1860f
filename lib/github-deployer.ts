import { DefaultStackSynthesizer, Fn, RemovalPolicy, Stack } from "aws-cdk-lib";
import {
  Effect,
  OidcProviderNative,
  PolicyDocument,
  PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Config } from "./config.ts";

/** Who signs the tokens that a workflow's job shows, and whom they are for. */
const ISSUER = "token.actions.githubusercontent.com";
const AUDIENCE = "sts.amazonaws.com";

/** What `cdk diff` and `cdk deploy` do themselves; the resources are made by a role that the deploy role hands to CloudFormation. */
const CDK_ROLES = [
  DefaultStackSynthesizer.DEFAULT_DEPLOY_ROLE_ARN,
  DefaultStackSynthesizer.DEFAULT_FILE_ASSET_PUBLISHING_ROLE_ARN,
  DefaultStackSynthesizer.DEFAULT_LOOKUP_ROLE_ARN,
];

export type GithubDeployerProps = { stage: string; removal: Config["removal"]; github: NonNullable<Config["github"]> };

/**
 * A role that a repository's workflows deploy the stage with, without a key that somebody could leak: a job of the GitHub
 * environment that has the stage's name, and no other, and nothing but the roles that `cdk bootstrap` made.
 */
export class GithubDeployer extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, { stage, removal, github }: GithubDeployerProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const known = stack.formatArn({ service: "iam", region: "", resource: "oidc-provider", resourceName: ISSUER });
    const provider = github.provider === "make" ? this.makeProvider(removal) : known;
    this.role = new Role(this, "Role", {
      description: `Deploys ${stack.stackName} from ${github.repository}`,
      assumedBy: new WebIdentityPrincipal(provider, {
        StringEquals: {
          [`${ISSUER}:aud`]: AUDIENCE,
          [`${ISSUER}:sub`]: `repo:${github.repository}:environment:${stage}`,
        },
      }),
      inlinePolicies: {
        deploy: new PolicyDocument({
          statements: [
            new PolicyStatement({
              effect: Effect.ALLOW,
              actions: ["sts:AssumeRole"],
              resources: CDK_ROLES.map((arn) =>
                Fn.sub(
                  arn.replace(
                    "${Qualifier}",
                    stack.synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER,
                  ),
                ),
              ),
            }),
          ],
        }),
      },
    });
  }

  /** An account has one for each issuer: where the data stays when the stack goes, it stays for the other stages, too. */
  private makeProvider(removal: Config["removal"]): string {
    const provider = new OidcProviderNative(this, "Provider", { url: `https://${ISSUER}`, clientIds: [AUDIENCE] });
    provider.applyRemovalPolicy(removal === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY);
    return provider.oidcProviderArn;
  }
}
