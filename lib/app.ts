import { App, CfnResource, type Stack, Validations } from "aws-cdk-lib";
import recommendedFlags from "aws-cdk-lib/recommended-feature-flags.json" with { type: "json" };
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { buildFunctions } from "./build.ts";
import { ConfigError } from "./context.ts";
import { EdgeStack, toEdgeProps } from "./edge.ts";
import { findOtherSmsRegion, SmsStack } from "./sms-replies.ts";
import { EventAlertingStack } from "./stack.ts";
import { readStageSettings, readStagesFile } from "./stages.ts";
import { addVoiceStack } from "./voice-calls.ts";

/** Creates a CDK app. `validated`: also runs CloudFormation's validation, which takes longer than the synthesis itself. */
export const createApp = ({ validated }: { validated: boolean } = { validated: false }): App =>
  new App({
    analyticsReporting: false,
    builtinCloudFormationValidation: validated,
    treeMetadata: validated,
    context: {
      // The flags are not in cdk.json, so that every synthesis (also in tests) creates the same template.
      ...recommendedFlags,
      // Turns CloudFormation's warnings into errors.
      "@aws-cdk/core:strictCfnValidateErrors": true,
    },
  });

/** The number of resources that CloudFormation allows per stack. */
const RESOURCES_MAX = 500;

export const countResources = (stack: Stack): number =>
  stack.node.findAll().filter((one) => CfnResource.isCfnResource(one)).length;

/** Throws a ConfigError if the stage's settings need too many resources. */
export const refuseTooManyResources = (stack: Stack): void => {
  const count = countResources(stack);
  if (count > RESOURCES_MAX)
    throw new ConfigError(
      `The settings of ${stack.stackName} need ${count} resources, and CloudFormation allows ${RESOURCES_MAX}: leave out a setting, such as machines or synthetic.`,
    );
};

/** Builds the functions and synthesizes the context's stage. Fails at a finding of cdk-nag. Exits if a setting is invalid. */
export const synthesizeStage = (): void => {
  const app = createApp({ validated: true });
  try {
    const config = readStageSettings(app.node.getAllContext(), readStagesFile());
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
    buildFunctions();
    const service = new EventAlertingStack(app, { config });
    const edge = toEdgeProps(config);
    // The edge comes first, because the service needs its secret path.
    if (edge !== undefined) service.addStackDependency(new EdgeStack(app, edge));
    const smsRegion = findOtherSmsRegion(config);
    if (smsRegion !== undefined) service.addStackDependency(new SmsStack(app, { ...config, region: smsRegion }));
    const calls = addVoiceStack(app, config);
    if (calls !== undefined) service.addStackDependency(calls);
    refuseTooManyResources(service);
    app.synth();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
};
