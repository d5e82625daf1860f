import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

/** A version of a secret. AWSPREVIOUS is the value before the current value. */
type Stage = "AWSCURRENT" | "AWSPREVIOUS";

/** `madeAt`: when this version was stored, in milliseconds since the epoch; `Infinity` if unknown. */
export type Secret = { text: string; madeAt: number };

/** The timeouts are short, because pushes wait for the secret. Reads are minutes apart, so connections are not kept alive. */
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

/** Returns a function that reads the current or previous version of a secret; undefined if the version does not exist. */
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

/** Returns a function that reads the secret whose ARN an environment variable contains. */
export const liveSecret = (variable: string): ReturnType<typeof secretReader> => {
  const secretId = process.env[variable];
  if (secretId === undefined || secretId === "") throw new Error(`environment variable ${variable} is not set`);
  return secretReader(new SecretsManagerClient(secretsClientOptions), secretId);
};
