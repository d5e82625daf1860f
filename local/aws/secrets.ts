import * as v from "valibot";
import { awsError, type AwsService } from "./front.ts";

const Request = v.looseObject({ SecretId: v.string() });

/** Secrets Manager's one operation that the functions use; `read` gives the text of a secret, or undefined. */
export const secretsService = (read: (arn: string) => string | undefined): AwsService => ({
  permissionOf: (operation, input) =>
    operation === "GetSecretValue"
      ? { action: "secretsmanager:GetSecretValue", resource: v.parse(Request, input).SecretId }
      : undefined,
  handle: ({ input }) => {
    const { SecretId } = v.parse(Request, input);
    const text = read(SecretId);
    return Promise.resolve(
      text === undefined
        ? awsError(400, "ResourceNotFoundException", "Secrets Manager can't find the specified secret.")
        : { status: 200, body: JSON.stringify({ ARN: SecretId, SecretString: text, VersionStages: ["AWSCURRENT"] }) },
    );
  },
  refuse: (code, message) => awsError(400, code, message),
});
