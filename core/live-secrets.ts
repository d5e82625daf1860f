import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

/** AWSPREVIOUS: the value before the current value. */
type Stage = "AWSCURRENT" | "AWSPREVIOUS";

/** `madeAt`: when this version was stored, in milliseconds. */
export type Secret = { text: string; madeAt: number };

/** Timeouts are short: pushes wait. No connection is kept: the next read is minutes away, and Lambda may freeze the instance. */
export const secretsClientOptions = {
  maxAttempts: 2,
  requestHandler: {
    connectionTimeout: 500,
    requestTimeout: 1000,
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: false },
    httpsAgent: { keepAlive: false },
  },
};

/** Undefined if the secret has no version at this stage. */
export const secretReader =
  (secrets: Pick<SecretsManagerClient, "send">, secretId: string) =>
  async (stage: Stage = "AWSCURRENT"): Promise<Secret | undefined> => {
    try {
      const command = new GetSecretValueCommand({ SecretId: secretId, VersionStage: stage });
      const { SecretString: text, CreatedDate: made } = await secrets.send(command);
      return text === undefined ? undefined : { text, madeAt: made?.getTime() ?? Infinity };
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };

export const liveSecret = (variable: string): ReturnType<typeof secretReader> => {
  const secretId = process.env[variable];
  if (secretId === undefined || secretId === "") throw new Error(`environment variable ${variable} is not set`);
  return secretReader(new SecretsManagerClient(secretsClientOptions), secretId);
};
