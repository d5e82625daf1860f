import { createDecipheriv, createECDH, hkdfSync } from "node:crypto";

/** A browser's keys (base64url). The browser keeps `privateKey` secret, and gives `p256dh` and `auth` to senders. */
export type BrowserKeys = { p256dh: string; auth: string; privateKey: string };

const deriveKey = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array | string, byteCount: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, byteCount));

/** The size of salt, record size and key length together (RFC 8188). */
const HEADER_BYTES = 21;
const TAG_BYTES = 16;

/** Decrypts a message (RFC 8291). Throws if the message is not for the keys. */
export const decryptMessage = (body: Buffer, { p256dh, auth, privateKey }: BrowserKeys): Buffer => {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(HEADER_BYTES, HEADER_BYTES + body.readUInt8(HEADER_BYTES - 1));
  const record = body.subarray(HEADER_BYTES + sender.length);
  if (record.length > body.readUInt32BE(16)) throw new Error("the record is longer than its declared record size");

  const receiver = createECDH("prime256v1");
  receiver.setPrivateKey(Buffer.from(privateKey, "base64url"));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), Buffer.from(p256dh, "base64url"), sender]);
  const secret = deriveKey(receiver.computeSecret(sender), Buffer.from(auth, "base64url"), info, 32);
  const key = deriveKey(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = deriveKey(secret, salt, "Content-Encoding: nonce\0", 12);

  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error("the last record does not have the delimiter 2");
  return padded.subarray(0, end);
};

export const generateBrowserKeys = (randomBytes: (size: number) => Buffer): BrowserKeys => {
  const receiver = createECDH("prime256v1");
  const p256dh = receiver.generateKeys("base64url");
  return { p256dh, auth: randomBytes(16).toString("base64url"), privateKey: receiver.getPrivateKey("base64url") };
};
