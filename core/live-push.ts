import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Push } from "./domain/delivery/push/outcome.ts";
import { createPush } from "./push/fcm.ts";
import { env } from "./wiring.ts";

/** FCM, with the service account from Secrets Manager: read at the first push and kept by the client. */
export const livePush = (): Push => {
  const secretId = process.env[env.fcmSecret];
  if (secretId === undefined || secretId === "") throw new Error(`environment variable ${env.fcmSecret} is not set`);
  const secrets = new SecretsManagerClient({});
  return createPush({
    now: Date.now,
    getServiceAccount: async () => {
      const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: secretId }));
      if (SecretString === undefined) throw new Error("the FCM secret has no text");
      return SecretString;
    },
  });
};
