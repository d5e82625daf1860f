import * as v from "valibot";
import { createAwsError, type AwsService } from "./front.ts";

const Request = v.looseObject({ SecretId: v.string(), VersionStage: v.optional(v.string(), "AWSCURRENT") });

export type SecretVersion = { text: string; madeAt: number };

/** Creates a stand-in for Secrets Manager that only reads secrets. `readSecret`: undefined if the secret does not exist. */
export const createSecretsService = (
  readSecret: (arn: string, stage: string) => SecretVersion | undefined,
): AwsService => ({
  permissionsOf: (operation, input) =>
    operation === "GetSecretValue"
      ? [{ action: "secretsmanager:GetSecretValue", resource: v.parse(Request, input).SecretId }]
      : undefined,
  handle: ({ input }) => {
    const { SecretId, VersionStage } = v.parse(Request, input);
    const version = readSecret(SecretId, VersionStage);
    if (version === undefined)
      return Promise.resolve(
        createAwsError(400, "ResourceNotFoundException", "Secrets Manager can't find the specified secret."),
      );
    const { text: SecretString, madeAt } = version;
    const answer = { ARN: SecretId, SecretString, VersionStages: [VersionStage], CreatedDate: madeAt / 1000 };
    return Promise.resolve({ status: 200, body: JSON.stringify(answer) });
  },
  refuse: (code, message) => createAwsError(400, code, message),
});
