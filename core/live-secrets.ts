import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

/** When a new value is put in, Secrets Manager gives the old one the stage AWSPREVIOUS. */
type Stage = "AWSCURRENT" | "AWSPREVIOUS";

/** Reads the secret that an environment variable names. Undefined if it has no value of this stage. */
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
