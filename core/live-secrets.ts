import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

/** Secrets Manager gives the old value its second stage by itself when a new one is put in. */
type Stage = "AWSCURRENT" | "AWSPREVIOUS";

/** Reads the secret that a variable of the environment names. Undefined where it has no value of this stage. */
export const liveSecret = (variable: string): ((stage?: Stage) => Promise<string | undefined>) => {
  const secretId = process.env[variable];
  if (secretId === undefined || secretId === "") throw new Error(`environment variable ${variable} is not set`);
  const secrets = new SecretsManagerClient({});
  return async (stage = "AWSCURRENT") => {
    try {
      const command = new GetSecretValueCommand({ SecretId: secretId, VersionStage: stage });
      return (await secrets.send(command)).SecretString;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };
};
