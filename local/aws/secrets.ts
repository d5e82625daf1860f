import * as v from "valibot";
import { awsError, type AwsService } from "./front.ts";

const Request = v.looseObject({ SecretId: v.string(), VersionStage: v.optional(v.string(), "AWSCURRENT") });

/** The one operation of Secrets Manager in use. `read` returns the text of a secret's version, or undefined. */
export const secretsService = (read: (arn: string, stage: string) => string | undefined): AwsService => ({
  permissionOf: (operation, input) =>
    operation === "GetSecretValue"
      ? { action: "secretsmanager:GetSecretValue", resource: v.parse(Request, input).SecretId }
      : undefined,
  handle: ({ input }) => {
    const { SecretId, VersionStage } = v.parse(Request, input);
    const text = read(SecretId, VersionStage);
    return Promise.resolve(
      text === undefined
        ? awsError(400, "ResourceNotFoundException", "Secrets Manager can't find the specified secret.")
        : { status: 200, body: JSON.stringify({ ARN: SecretId, SecretString: text, VersionStages: [VersionStage] }) },
    );
  },
  refuse: (code, message) => awsError(400, code, message),
});
