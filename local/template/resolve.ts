import * as v from "valibot";

export type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

const Json: v.GenericSchema<unknown, Json> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(Json), v.record(v.string(), Json)]),
);

/** A CloudFormation template. Conditions, mappings and transforms are refused. */
const Template = v.object({
  Resources: v.record(
    v.string(),
    v.strictObject({
      Type: v.string(),
      Properties: v.optional(v.record(v.string(), Json), {}),
      Metadata: v.optional(v.looseObject({ "aws:asset:path": v.optional(v.string()) }), {}),
      DependsOn: v.optional(v.unknown()),
      DeletionPolicy: v.optional(v.string()),
      UpdateReplacePolicy: v.optional(v.string()),
    }),
  ),
  Parameters: v.optional(v.record(v.string(), v.looseObject({ Default: v.optional(v.string()) })), {}),
  Conditions: v.optional(v.never("Conditions are not supported here")),
  Mappings: v.optional(v.never("Mappings are not supported here")),
  Transform: v.optional(v.never("Transforms are not supported here")),
});
export type Template = v.InferOutput<typeof Template>;

/** The template contains something that this service would run differently from AWS. */
export class TemplateError extends Error {}

/** An AWS account number that nobody has, for the local service. */
export const account = "000000000000";
export const region = "us-east-1";

export const parseTemplate = (value: unknown): Template => {
  const parsed = v.safeParse(Template, value);
  if (parsed.success) return parsed.output;
  throw new TemplateError(`the template cannot be run here: ${v.summarize(parsed.issues)}`);
};

export type Identity = { ref: string; attributes: Record<string, string> };

const pseudoParameters: Record<string, Json> = {
  "AWS::AccountId": account,
  "AWS::Region": region,
  "AWS::Partition": "aws",
  "AWS::URLSuffix": "amazonaws.com",
  "AWS::NoValue": undefined,
};

const isRecord = (value: Json): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const requireText = (value: Json, location: string): string => {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TemplateError(`${location} needs a text, not ${JSON.stringify(value)}`);
};

const requireList = (value: Json, location: string): Json[] => {
  if (Array.isArray(value)) return value;
  throw new TemplateError(`${location} needs a list, not ${JSON.stringify(value)}`);
};

type References = { ref: (name: string) => Json; getAtt: (name: string, attribute: string) => string };
type ResolveValue = (value: Json) => Json;

/** Returns the functions that resolve `Ref` and `Fn::GetAtt`, and throw if the template does not have the resource. */
const createReferences = (template: Template, identities: ReadonlyMap<string, Identity>): References => ({
  ref: (name) => {
    if (name in pseudoParameters) return pseudoParameters[name];
    const value = identities.get(name)?.ref ?? template.Parameters[name]?.Default;
    if (value === undefined) throw new TemplateError(`Ref ${name}: there is no such resource or parameter`);
    return value;
  },
  getAtt: (name, attribute) => {
    const value = identities.get(name)?.attributes[attribute];
    if (value === undefined) throw new TemplateError(`Fn::GetAtt ${name}.${attribute} is not supported here`);
    return value;
  },
});

/** Returns CloudFormation's functions by name, such as `Fn::Join`. `resolve`: resolves a function's arguments. */
const createIntrinsics = ({ ref, getAtt }: References, resolve: ResolveValue): Record<string, ResolveValue> => ({
  Ref: (name) => ref(requireText(name, "Ref")),
  "Fn::GetAtt": (argument) => {
    const [name = "", ...attribute] = Array.isArray(argument)
      ? argument.map((part) => requireText(part, "Fn::GetAtt"))
      : requireText(argument, "Fn::GetAtt").split(".");
    return getAtt(name, attribute.join("."));
  },
  "Fn::Join": (argument) => {
    const [separator, parts] = requireList(argument, "Fn::Join");
    const resolved = requireList(resolve(parts), "Fn::Join").filter((part) => part !== undefined);
    return resolved.map((part) => requireText(part, "Fn::Join")).join(requireText(separator, "Fn::Join"));
  },
  "Fn::Sub": (argument) => {
    const [pattern, values = {}] = Array.isArray(argument) ? argument : [argument];
    if (!isRecord(values)) throw new TemplateError("Fn::Sub needs a map of values");
    return requireText(pattern, "Fn::Sub").replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal === "!") return `\${${name}}`;
      if (name in values) return requireText(resolve(values[name]), "Fn::Sub");
      const dot = name.indexOf(".");
      return dot < 0 ? requireText(ref(name), "Fn::Sub") : getAtt(name.slice(0, dot), name.slice(dot + 1));
    });
  },
  "Fn::Split": (argument) => {
    const [separator, value] = requireList(argument, "Fn::Split");
    return requireText(resolve(value), "Fn::Split").split(requireText(separator, "Fn::Split"));
  },
  "Fn::Select": (argument) => {
    const [index, values] = requireList(argument, "Fn::Select");
    const chosen = requireList(resolve(values), "Fn::Select")[Number(index)];
    if (chosen === undefined) throw new TemplateError(`Fn::Select has no element ${requireText(index, "Fn::Select")}`);
    return chosen;
  },
});

export type SecretOf = (name: string) => string | undefined;

/** Returns the secret that a `{{resolve:secretsmanager:...}}` names. Throws if the secret does not exist. */
const resolveDynamicReference = (value: string, secretOf: SecretOf): string => {
  const [, name] = /^\{\{resolve:secretsmanager:([\w/+=.@-]+):SecretString:::\}\}$/.exec(value) ?? [];
  if (name === undefined) throw new TemplateError(`dynamic references are not supported here: ${value}`);
  const text = secretOf(name);
  if (text === undefined) throw new TemplateError(`Secrets Manager can't find the specified secret: ${name}`);
  return text;
};

/** Returns a function that resolves CloudFormation's functions in a value, and throws at unknown references and functions. */
export const createResolver = (
  template: Template,
  identities: ReadonlyMap<string, Identity>,
  secretOf: SecretOf = () => undefined,
): ResolveValue => {
  const resolveValue = (value: Json): Json => {
    if (typeof value === "string" && value.includes("{{resolve:")) return resolveDynamicReference(value, secretOf);
    if (Array.isArray(value)) return value.map(resolveValue).filter((item) => item !== undefined);
    if (!isRecord(value)) return value;
    const [name = "", ...others] = Object.keys(value);
    if (others.length === 0 && (name === "Ref" || name.startsWith("Fn::") || name === "Condition")) {
      const run = intrinsics[name];
      if (run === undefined) throw new TemplateError(`${name} is not supported here`);
      return run(value[name]);
    }
    const entries = Object.entries(value).map(([key, item]) => [key, resolveValue(item)] as const);
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  };
  const intrinsics = createIntrinsics(createReferences(template, identities), resolveValue);
  return resolveValue;
};
