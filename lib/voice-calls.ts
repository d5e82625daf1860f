import { ArnFormat, CfnOutput, Fn, Stack } from "aws-cdk-lib";
import { CfnContactFlow, CfnIntegrationAssociation } from "aws-cdk-lib/aws-connect";
import { CfnPermission, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { Config, VoiceConfig } from "./config.ts";
import { type FunctionSetting, toPhysicalName, ServiceFunction } from "./service-function.ts";
import { toStackName, type StageTarget, StageStack } from "./stage-stack.ts";
import { buildVoiceFlow } from "./voice-flow.ts";
import { findOtherVoiceRegion } from "./voice-region.ts";
import { voiceKeys } from "./workers.ts";

type FlowProps = { stage: string; voice: VoiceConfig; functionArn: string };

/** Adds the flow of calls to the Connect instance. `functionArn`: the function for pressed keys, maybe in another region. */
const addFlow = (scope: Construct, { stage, voice, functionArn }: FlowProps): CfnContactFlow =>
  new CfnContactFlow(scope, "Flow", {
    instanceArn: voice.instance,
    name: `event-alerting-${stage}`,
    description: "Reads an alert aloud and accepts key presses",
    type: "CONTACT_FLOW",
    content: Stack.of(scope).toJsonString(buildVoiceFlow(functionArn)),
  });

/** Returns the id of a flow, whose ARN is arn:...:instance/<instance>/contact-flow/<flow>. */
const toFlowId = ({ attrContactFlowArn }: CfnContactFlow): string => Fn.select(3, Fn.split("/", attrContactFlowArn));

const PART = "voice";
const FLOW_ID = "FlowId";

type VoiceCallsProps = { setting: FunctionSetting; voice: VoiceConfig; elsewhere: string | undefined };

/** The flow of calls, and the function for pressed keys. `elsewhere`: the instance's region, if it is not the stage's. */
export class VoiceCalls extends Construct {
  readonly flowId: string;
  readonly keys: LambdaFunction;

  constructor(scope: Construct, id: string, { setting, voice, elsewhere }: VoiceCallsProps) {
    super(scope, id);
    this.keys = new ServiceFunction(this, {
      setting,
      name: voiceKeys.entry,
      description: "Handles key presses in calls",
      access: voiceKeys.access,
      timeoutSeconds: voiceKeys.timeoutSeconds,
      memoryMb: voiceKeys.memoryMb,
    }).function;
    const { functionArn } = this.keys;
    // Only flows of the Connect instance may call the function.
    const permission = new CfnPermission(this, "Permission", {
      action: "lambda:InvokeFunction",
      functionName: functionArn,
      principal: "connect.amazonaws.com",
      sourceAccount: Stack.of(this).account,
      sourceArn: voice.instance,
    });
    const { stage } = setting.config;
    this.flowId =
      elsewhere === undefined
        ? this.addFlowHere({ stage, voice, functionArn }, permission)
        : Fn.getStackOutput(toStackName(stage, PART), FLOW_ID, elsewhere);
  }

  private addFlowHere(props: FlowProps, permission: CfnPermission): string {
    const integration = new CfnIntegrationAssociation(this, "Integration", {
      instanceId: props.voice.instance,
      integrationArn: props.functionArn,
      integrationType: "LAMBDA_FUNCTION",
    });
    integration.addResourceDependency(permission);
    const flow = addFlow(this, props);
    flow.addResourceDependency(integration);
    return toFlowId(flow);
  }
}

type VoiceStackProps = StageTarget & {
  voice: VoiceConfig;
  region: string;
  home: string;
};

/** The stack with the flow of calls, in Connect's region. The flow refers to its function in another region by ARN. */
class VoiceStack extends StageStack {
  constructor(scope: Construct, { voice, home, ...target }: VoiceStackProps) {
    super(scope, target, { part: PART, does: "the contact flow for a stage's calls, in the region of Amazon Connect" });
    const { stage } = target;
    const functionArn = this.formatArn({
      service: "lambda",
      region: home,
      resource: "function",
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      resourceName: toPhysicalName(stage, voiceKeys.entry),
    });
    new CfnOutput(this, FLOW_ID, { value: toFlowId(addFlow(this, { stage, voice, functionArn })) });
  }
}

/** Adds the stack for a flow in another region; returns undefined if the flow is in the stage's region. */
export const addVoiceStack = (scope: Construct, config: Config): VoiceStack | undefined => {
  const { voice } = config;
  const elsewhere = findOtherVoiceRegion(config);
  return voice === undefined || elsewhere === undefined
    ? undefined
    : new VoiceStack(scope, { ...config, voice, ...elsewhere });
};
