import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

/** The version stages of a secret. When a new value is stored, Secrets Manager gives the old one the stage AWSPREVIOUS. */
type Stage = "AWSCURRENT" | "AWSPREVIOUS";

/** A secret's text, and the time at which this version was stored, in milliseconds since the epoch. */
export type Secret = { text: string; madeAt: number };

/**
 * The client's settings: at most two tries of one second, because pushes wait while a secret is read. Connections are not kept
 * alive: the next read is minutes away, and an open connection may die unnoticed while Lambda freezes the instance.
 */
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

/** Returns a reader of a secret. The reader returns undefined if the secret has no version with this stage. */
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

/** Reads the secret that an environment variable names. */
export const liveSecret = (variable: string): ReturnType<typeof secretReader> => {
  const secretId = process.env[variable];
  if (secretId === undefined || secretId === "") throw new Error(`environment variable ${variable} is not set`);
  return secretReader(new SecretsManagerClient(secretsClientOptions), secretId);
};
