import * as v from "valibot";
import { TemplateError } from "./resolve.ts";

export type OtherTemplate = { stackName: string; region: string; template: unknown };

const Whole = v.looseObject({ Resources: v.record(v.string(), v.unknown()) });
const Part = v.looseObject({
  ...Whole.entries,
  Outputs: v.optional(v.record(v.string(), v.looseObject({ Value: v.unknown() })), {}),
});
const StackOutput = v.strictObject({
  "Fn::GetStackOutput": v.strictObject({ StackName: v.string(), OutputName: v.string(), Region: v.string() }),
});

/** Adds another template's resources, and replaces references to its outputs by their values. Throws if an output is missing. */
export const joinTemplates = (mainTemplate: unknown, { stackName, region, template }: OtherTemplate): unknown => {
  const [main, part] = [v.parse(Whole, mainTemplate), v.parse(Part, template)];
  const findStackOutput = (value: unknown): unknown => {
    const parsed = v.safeParse(StackOutput, value);
    if (!parsed.success) return undefined;
    const asked = parsed.output["Fn::GetStackOutput"];
    const output = part.Outputs[asked.OutputName];
    if (asked.StackName !== stackName || asked.Region !== region || output === undefined)
      throw new TemplateError(`no other stack has the output ${JSON.stringify(asked)}`);
    return output.Value;
  };
  const replaceReferences = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaceReferences);
    if (typeof value !== "object" || value === null) return value;
    return (
      findStackOutput(value) ??
      Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceReferences(item)]))
    );
  };
  for (const id of Object.keys(part.Resources))
    if (Object.hasOwn(main.Resources, id)) throw new TemplateError(`both stacks have a resource ${id}`);
  return replaceReferences({ ...main, Resources: { ...main.Resources, ...part.Resources } });
};
