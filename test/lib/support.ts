import type { App, Stack } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { Template } from "aws-cdk-lib/assertions";
import { createApp } from "../../lib/app.ts";
import { readConfig } from "../../lib/config.ts";
import { type Context } from "../../lib/context.ts";
import type { Route } from "../../interface/routes.ts";
import { EventAlertingStack } from "../../lib/stack.ts";

/** Creates a stack whose functions need no build. */
export const aStack = (context: Context = {}, app: App = createApp(), routes?: readonly Route[]): EventAlertingStack =>
  new EventAlertingStack(app, {
    config: readConfig(context),
    codeOf: () => Code.fromInline("exports.handler = 0"),
    ...(routes === undefined ? {} : { routes }),
  });

/** The settings of a stage that makes phone calls and has every alarm. */
export const withEveryAlarm: Context = {
  synthetic: "true",
  mailFrom: "alerts@example.com",
  voiceInstance: "arn:aws:connect:eu-central-1:123456789012:instance/10ca1000-0000-4000-8000-000000000001",
  voiceFrom: "+4930123456",
  voiceCountries: "DE",
};

export type Resource = {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
};

export type Resources = (type: string) => [id: string, resource: Resource][];

export const templateOf = (stack: Stack): Record<string, Resource> =>
  (Template.fromStack(stack).toJSON() as { Resources: Record<string, Resource> }).Resources;

const made = new Map<string, Record<string, Resource>>();

/** Returns a shared template, because creating one takes half a second; it must not be changed. */
export const templateWith = (context: Context): Record<string, Resource> => {
  const key = JSON.stringify(context);
  const template = made.get(key) ?? templateOf(aStack(context));
  made.set(key, template);
  return template;
};

export const resourcesOf = (context: Context = {}): Resources => {
  const all = templateWith(context);
  return (type) => Object.entries(all).filter(([, { Type }]) => Type === type);
};

export const valueAt = (resource: Resource | undefined, path: string): unknown => {
  let value: unknown = resource?.Properties;
  for (const key of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
};

export const textAt = (resource: Resource | undefined, path: string): string => String(valueAt(resource, path));
export const listAt = <Item>(resource: Resource | undefined, path: string): Item[] => valueAt(resource, path) as Item[];

/** Returns the logical id in a Ref or GetAtt. */
export const idOf = (value: unknown): string => {
  const reference = value as { Ref?: string; "Fn::GetAtt"?: [string, string] };
  return reference.Ref ?? reference["Fn::GetAtt"]?.[0] ?? String(value);
};

export const idAt = (resource: Resource | undefined, path: string): string => idOf(valueAt(resource, path));

/** `senders`: the functions with the environment variable `setting`. `grants`: the properties of roles for `service`. */
export const listSendersAndGrants = (resources: Resources, setting: string, service: string) => ({
  senders: resources("AWS::Lambda::Function").flatMap(([, resource]) => {
    const value = valueAt(resource, `Environment.Variables.${setting}`);
    return value === undefined ? [] : [[nameOf(resource), value] as const];
  }),
  grants: resources("AWS::IAM::Role")
    .map(([, role]) => JSON.stringify(role.Properties))
    .filter((properties) => properties.includes(`${service}:`)),
});

/** Returns the name of a resource, without service and stage. */
export const nameOf = (resource: Resource): string =>
  textAt(resource, "FunctionName").replace(/^event-alerting-(?:dev|prod)-/, "");
