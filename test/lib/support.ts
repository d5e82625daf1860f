import type { App } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { Template } from "aws-cdk-lib/assertions";
import { newApp } from "../../lib/app.ts";
import { type Context, readConfig } from "../../lib/config.ts";
import { EventAlertingStack } from "../../lib/stack.ts";

/** The stack for this context, with code that needs no build. */
export const aStack = (context: Context = {}, app: App = newApp()): EventAlertingStack =>
  new EventAlertingStack(app, { config: readConfig(context), codeOf: () => Code.fromInline("exports.handler = 0") });

export type Resource = { Type: string; Properties: Record<string, unknown>; DeletionPolicy?: string };

/** The resources of one type, by logical id. */
export type Resources = (type: string) => [id: string, resource: Resource][];

export const resourcesOf = (context: Context = {}): Resources => {
  const { Resources: all } = Template.fromStack(aStack(context)).toJSON() as { Resources: Record<string, Resource> };
  return (type) => Object.entries(all).filter(([, { Type }]) => Type === type);
};

/** The value at a path in a resource's properties, such as `RedrivePolicy.maxReceiveCount`. */
export const at = (resource: Resource | undefined, path: string): unknown => {
  let value: unknown = resource?.Properties;
  for (const key of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
};

export const textAt = (resource: Resource | undefined, path: string): string => String(at(resource, path));
export const listAt = <Item>(resource: Resource | undefined, path: string): Item[] => at(resource, path) as Item[];

/** The logical id that a Ref or GetAtt names. */
export const idOf = (value: unknown): string => {
  const reference = value as { Ref?: string; "Fn::GetAtt"?: [string, string] };
  return reference.Ref ?? reference["Fn::GetAtt"]?.[0] ?? String(value);
};

export const idAt = (resource: Resource | undefined, path: string): string => idOf(at(resource, path));
