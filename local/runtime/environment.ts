import { account, region } from "../template/resolve.ts";
import type { FunctionModel } from "../template/function-model.ts";

export type Endpoints = { dynamodb: string; aws: string };

export const createFunctionEnvironment = (model: FunctionModel, endpoints: Endpoints): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  TZ: ":UTC",
  LANG: "en_US.UTF-8",
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_ACCOUNT_ID: account,
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
  AWS_LAMBDA_FUNCTION_NAME: model.physicalName,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(model.memoryMb),
  AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
  AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
  _HANDLER: "index.handler",
  LAMBDA_TASK_ROOT: model.codeDir,
  // The access key id is the function's name, by which its policies are found.
  AWS_ACCESS_KEY_ID: model.name,
  AWS_SECRET_ACCESS_KEY: "local",
  AWS_SESSION_TOKEN: "local",
  AWS_ENDPOINT_URL: endpoints.aws,
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  ...model.environment,
});
