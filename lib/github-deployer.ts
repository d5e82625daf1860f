import { DefaultStackSynthesizer, Fn, Stack } from "aws-cdk-lib";
import {
  Effect,
  OidcProviderNative,
  PolicyDocument,
  PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import { toRemovalPolicy, type Config } from "./config.ts";

const ISSUER = "token.actions.githubusercontent.com";
const AUDIENCE = "sts.amazonaws.com";

/** The roles for `cdk diff` and `cdk deploy`. These roles pass another role to CloudFormation, which creates the resources. */
const CDK_ROLES = [
  DefaultStackSynthesizer.DEFAULT_DEPLOY_ROLE_ARN,
  DefaultStackSynthesizer.DEFAULT_FILE_ASSET_PUBLISHING_ROLE_ARN,
  DefaultStackSynthesizer.DEFAULT_LOOKUP_ROLE_ARN,
];

export type GithubDeployerProps = {
  stage: string;
  removal: Config["removal"];
  github: NonNullable<Config["github"]>;
};

/**
 * A role for a repository's workflows to deploy the stage without a long-lived key. Only jobs in the stage's GitHub environment
 * can assume the role. The role can only assume the roles of `cdk bootstrap`.
 */
export class GithubDeployer extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, { stage, removal, github }: GithubDeployerProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const known = stack.formatArn({ service: "iam", region: "", resource: "oidc-provider", resourceName: ISSUER });
    const qualifier = stack.synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER;
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
              // Includes the roles of all regions, because an edge, text messages or calls may need a stack in another region.
              resources: CDK_ROLES.map((arn) =>
                Fn.sub(arn.replace("${Qualifier}", qualifier).replace("${AWS::Region}", "*")),
              ),
            }),
          ],
        }),
      },
    });
    this.acceptRegions(qualifier);
  }

  /** Accepts the finding about the wildcard for the region, because `cdk bootstrap` creates the roles in each region. */
  private acceptRegions(qualifier: string): void {
    const names = CDK_ROLES.map((arn) => /-(?<name>[a-z-]+)-role-/.exec(arn)?.groups?.["name"] ?? "");
    acceptFindings(
      this.role,
      Object.fromEntries(
        names.map((name) => [
          `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:iam::<AWS::AccountId>:role/cdk-${qualifier}-${name}-role-<AWS::AccountId>-*]`,
          "Stacks in new regions are deployed first, before this role can name their regions.",
        ]),
      ),
    );
  }

  /** Creates GitHub's provider for all stages of the account, and returns its ARN. Retains the provider if data is retained. */
  private makeProvider(removal: Config["removal"]): string {
    const provider = new OidcProviderNative(this, "Provider", { url: `https://${ISSUER}`, clientIds: [AUDIENCE] });
    provider.applyRemovalPolicy(toRemovalPolicy(removal));
    return provider.oidcProviderArn;
  }
}
