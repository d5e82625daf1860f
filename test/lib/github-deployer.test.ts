import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { createApp } from "../../lib/app.ts";
import type { Config } from "../../lib/config.ts";
import { GithubDeployer } from "../../lib/github-deployer.ts";

const createTemplate = (provider: NonNullable<Config["github"]>["provider"]): Template => {
  const stack = new Stack(createApp(), "EventAlerting-prod");
  const github = { repository: "acme@1/alerts@2", provider };
  new GithubDeployer(stack, "Deployer", { stage: "prod", removal: "retain", github });
  return Template.fromStack(stack);
};

test("a repository's workflows may deploy only from the stage's environment, with the roles of cdk bootstrap", () => {
  const arn = (name: string) => ({
    "Fn::Sub": `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:role/cdk-hnb659fds-${name}-role-\${AWS::AccountId}-*`,
  });

  const roles = Object.values(createTemplate("make").findResources("AWS::IAM::Role"));

  expect(roles).toMatchObject([
    {
      Properties: {
        AssumeRolePolicyDocument: {
          Statement: [
            {
              Effect: "Allow",
              Action: "sts:AssumeRoleWithWebIdentity",
              Condition: {
                StringEquals: {
                  "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
                  "token.actions.githubusercontent.com:sub": "repo:acme@1/alerts@2:environment:prod",
                },
              },
            },
          ],
        },
        Policies: [
          {
            PolicyDocument: {
              Statement: [
                {
                  Effect: "Allow",
                  Action: "sts:AssumeRole",
                  Resource: [arn("deploy"), arn("file-publishing"), arn("lookup")],
                },
              ],
            },
          },
        ],
      },
    },
  ]);
});

test("the stack creates GitHub's identity provider and keeps it for other stages, or uses an existing one", () => {
  createTemplate("make").hasResource("AWS::IAM::OIDCProvider", {
    // The provider is deleted with a failed deployment, because otherwise the next attempt would find the
    // issuer in use.
    DeletionPolicy: "RetainExceptOnCreate",
    UpdateReplacePolicy: "Retain",
    Properties: { Url: "https://token.actions.githubusercontent.com", ClientIdList: ["sts.amazonaws.com"] },
  });

  const found = createTemplate("find");
  found.resourceCountIs("AWS::IAM::OIDCProvider", 0);
  expect(JSON.stringify(found.toJSON())).toContain(":oidc-provider/token.actions.githubusercontent.com");
});
