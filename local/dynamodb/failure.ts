export type Failure = { statusCode: number; body: { __type: string; message?: string } };

const TYPE = "com.amazonaws.dynamodb.v20120810#";
export const createFailure = (type: string, message: string): Failure => ({
  statusCode: 400,
  body: { __type: TYPE + type, message },
});
export const createValidationFailure = (message: string): Failure => ({
  statusCode: 400,
  body: { __type: "com.amazon.coral.validate#ValidationException", message },
});
export const isFailure = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "statusCode" in error && "body" in error;
