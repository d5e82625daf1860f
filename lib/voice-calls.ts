import { Fn, Stack } from "aws-cdk-lib";
import { CfnContactFlow, CfnIntegrationAssociation } from "aws-cdk-lib/aws-connect";
import { CfnPermission, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { VoiceConfig } from "./config.ts";
import { type FunctionSetting, ServiceFunction } from "./service-function.ts";
import { voiceFlow } from "./voice-flow.ts";
import { voiceKeys } from "./workers.ts";

/** Calls: the flow that each goes through, and the function that answers the keys pressed in it. */
export class VoiceCalls extends Construct {
  readonly function: LambdaFunction;
  /** The id of the flow. */
  readonly flowId: string;

  constructor(scope: Construct, id: string, { setting, voice }: { setting: FunctionSetting; voice: VoiceConfig }) {
    super(scope, id);
    this.function = new ServiceFunction(this, {
      setting,
      name: voiceKeys.entry,
      description: "Answers keys that are pressed in calls",
      access: voiceKeys.access,
      timeoutSeconds: voiceKeys.timeoutSeconds,
      memoryMb: voiceKeys.memoryMb,
    }).function;
    const { functionArn } = this.function;
    // Flows of this one instance call the function, and nobody else.
    const permission = new CfnPermission(this, "Permission", {
      action: "lambda:InvokeFunction",
      functionName: functionArn,
      principal: "connect.amazonaws.com",
      sourceAccount: Stack.of(this).account,
      sourceArn: voice.instance,
    });
    const integration = new CfnIntegrationAssociation(this, "Integration", {
      instanceId: voice.instance,
      integrationArn: functionArn,
      integrationType: "LAMBDA_FUNCTION",
    });
    integration.addResourceDependency(permission);
    const flow = new CfnContactFlow(this, "Flow", {
      instanceArn: voice.instance,
      name: `event-alerting-${setting.config.stage}`,
      description: "Speaks an alert and takes keys",
      type: "CONTACT_FLOW",
      content: Stack.of(this).toJsonString(voiceFlow(functionArn)),
    });
    flow.addResourceDependency(integration);
    // arn:...:instance/<instance>/contact-flow/<flow>
    this.flowId = Fn.select(3, Fn.split("/", flow.attrContactFlowArn));
  }
}
