import { hmacSha256 } from "../basics/hmac.ts";
import type { WorkspaceId } from "../basics/ids.ts";

/* Signatures of the Standard Webhooks specification: HMAC-SHA256 over id, time and body, in base64, separated by spaces. */

const SECRET_PREFIX = "whsec_";

type Signer = { workspaceId: WorkspaceId; id: string; secret: number; before?: number | undefined };

/** Derives a secret from the service's key, so that secrets need not be stored. */
const deriveSecret = (key: string, { workspaceId, id }: Signer, secretNumber: number): Promise<Buffer> =>
  hmacSha256(key, `webhook.${workspaceId}.${id}.${secretNumber}`);

/** Returns the secret in the form that is shown to the webhook's owner. */
export const deriveCurrentSecret = async (key: string, webhook: Signer): Promise<string> =>
  SECRET_PREFIX + (await deriveSecret(key, webhook, webhook.secret)).toString("base64");

export type Signed = { id: string; body: string; atMs: number };

/** Returns the headers of a message. During a rotation of the secret, signs with both secrets. */
export const createSignedHeaders = async (
  key: string,
  webhook: Signer,
  { id, body, atMs }: Signed,
): Promise<Record<string, string>> => {
  const seconds = String(Math.floor(atMs / 1000));
  const numbers = [webhook.secret, ...((webhook.before ?? 0) > atMs ? [webhook.secret - 1] : [])];
  const signatures = numbers.map(async (number) => {
    const secret = await deriveSecret(key, webhook, number);
    return `v1,${(await hmacSha256(Uint8Array.from(secret), `${id}.${seconds}.${body}`)).toString("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": (await Promise.all(signatures)).join(" "),
  };
};
