import type { Statement } from "./resources.ts";

export type FunctionModel = {
  /** The function's name in bundles, logs, meters and credentials. */
  name: string;
  physicalName: string;
  arn: string;
  codeDir: string;
  environment: Record<string, string>;
  timeoutMs: number;
  memoryMb: number;
  reservedConcurrency: number | undefined;
  statements: readonly Statement[];
};

export type FunctionOf = (reference: string) => FunctionModel;

/** Returns true if a role that the service assumes, or the function's permission, allows the call. */
export type IsPermitted = (target: FunctionModel, principal: string, sourceArn: string, roleArn?: string) => boolean;
