import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { ECDH } from "node:crypto";

/** The record size (RFC 8188). A message is a single record, so this is also the largest body that push services must accept. */
const RECORD_BYTES = 4096;
const SALT_BYTES = 16;
const KEY_BYTES = 65;

/** Random values that must be new for each message. */
type Fresh = { salt: Uint8Array; sender: ECDH };

const createFreshKeys = (): Fresh => {
  const sender = createECDH("prime256v1");
  sender.generateKeys();
  return { salt: randomBytes(SALT_BYTES), sender };
};

const deriveKey = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));

/** Encrypts a message for one browser (RFC 8291). Throws if the subscription's key is not a point on the curve. */
export const encryptForBrowser = (
  plaintext: Uint8Array,
  keys: { p256dh: string; auth: string },
  { salt, sender }: Fresh = createFreshKeys(),
): Buffer => {
  const receiver = Buffer.from(keys.p256dh, "base64url");
  const own = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, own]);
  const secret = deriveKey(sender.computeSecret(receiver), Buffer.from(keys.auth, "base64url"), info, 32);
  const key = deriveKey(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = deriveKey(secret, salt, "Content-Encoding: nonce\0", 12);

  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_BYTES, 0);
  header.writeUInt8(KEY_BYTES, 4);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // The delimiter 2 marks the last record.
  const record = [cipher.update(plaintext), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, header, own, ...record]);
};
