import { type CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";

/** An error whose message is all that an operator needs. */
export class OperatorError extends Error {}

/** Returns an output of the stage by its name. `optional`: returns undefined if the stage does not have the output. */
export type StageOutputs = ((name: string) => string) & { optional: (name: string) => string | undefined };

/** Returns a function that reads an output of the stage, and throws OperatorError if the output does not exist. */
export const readStageOutputs = async (
  cloudFormation: Pick<CloudFormationClient, "send">,
  stage: string,
): Promise<StageOutputs> => {
  const stackName = `EventAlerting-${stage}`;
  const { Stacks: stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }));
  const outputs = new Map((stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  const readOutput = (name: string): string | undefined => outputs.get(name);
  const requireOutput = (name: string): string => {
    const value = readOutput(name);
    if (value === undefined) throw new OperatorError(`The stack ${stackName} has no output ${name}.`);
    return value;
  };
  return Object.assign(requireOutput, { optional: readOutput });
};
