import * as v from "valibot";
import { type WorkspaceId, isId, type DeviceId } from "../basics/ids.ts";
import { decodeBase64url, toBase64url } from "../basics/p256.ts";
import { NotificationStatus } from "../basics/notification-status.ts";
import { NotificationReport } from "./notification.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../basics/units.ts";

/*
 * A device needs no session to report that it showed a push. The report contains the push's token, which only the service can
 * create, and a signature by the device's key. A report by email needs no signature: any reader of the mailbox can send it.
 */

/** The longest lifetime of a push, plus an hour to read it. */
export const RECEIPT_LIFE_MS = 25 * HOUR_MS;
/** The time within which every Lambda function reads a changed secret. */
const SPREAD_MS = 10 * MINUTE_MS;

const Key = v.pipe(v.string(), v.minLength(32));

export const ReceiptKeys = v.object({
  key: Key,
  /** When the key replaces the previous key (`before`) for new tokens, in milliseconds. */
  since: v.optional(v.number(), 0),
  /** The previous key, whose tokens are accepted until `until` (milliseconds). */
  before: v.exactOptional(v.object({ key: Key, until: v.number() })),
});
export type ReceiptKeys = v.InferOutput<typeof ReceiptKeys>;

/** Parses the stored keys. Returns undefined for other text, because an error would quote parts of the secret. */
export const parseReceiptKeys = (text: string): ReceiptKeys | undefined => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ReceiptKeys), text);
  return parsed.success ? parsed.output : undefined;
};

/** Returns the keys with a new `key`, which signs once all functions read it. The old key is valid until its tokens expire. */
export const rotateReceiptKeys = ({ key: before }: ReceiptKeys, key: string, nowMs: number): ReceiptKeys => {
  const since = nowMs + SPREAD_MS;
  return { key, since, before: { key: before, until: since + RECEIPT_LIFE_MS + SPREAD_MS } };
};

/** What a token is for: the device and the message. */
export type ReceiptSubject = {
  workspaceId: WorkspaceId;
  userId: string;
  deviceId: DeviceId;
  /** The id of a notification or of a test. */
  about: string;
};

const utf8 = new TextEncoder();
const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

const toHmacKey = (key: string) => crypto.subtle.importKey("raw", utf8.encode(key), HMAC, false, ["sign", "verify"]);

/** Returns a token for one device and message, with its expiry and the service's signature. */
export const createReceiptToken = async (
  { key, since, before }: ReceiptKeys,
  { workspaceId, userId, deviceId, about }: ReceiptSubject,
  nowMs: number,
): Promise<string> => {
  const expires = Math.floor((nowMs + RECEIPT_LIFE_MS) / SECOND_MS);
  const said = [workspaceId, userId, deviceId, about, String(expires)].join(".");
  const mac = await crypto.subtle.sign(
    HMAC,
    await toHmacKey(before !== undefined && nowMs < since ? before.key : key),
    utf8.encode(said),
  );
  return `${said}.${toBase64url(new Uint8Array(mac))}`;
};

/** Returns what the token is for, without reading the table; undefined if it is invalid or expired. */
export const verifyReceiptToken = async (
  { key, before }: ReceiptKeys,
  token: string,
  nowMs: number,
): Promise<ReceiptSubject | undefined> => {
  const end = token.lastIndexOf(".");
  const mac = decodeBase64url(token.slice(end + 1));
  if (mac === undefined) return undefined;
  const said = token.slice(0, Math.max(0, end));
  const taken = before !== undefined && nowMs < before.until ? [key, before.key] : [key];
  // WebCrypto compares signatures in constant time.
  const checks = taken.map(async (one) => crypto.subtle.verify(HMAC, await toHmacKey(one), mac, utf8.encode(said)));
  if (!(await Promise.all(checks)).includes(true)) return undefined;
  const [workspaceId = "", userId = "", deviceId = "", about = "", expires] = said.split(".");
  if (!isId("ws", workspaceId) || !isId("dev", deviceId)) return undefined;
  return nowMs < Number(expires) * SECOND_MS ? { workspaceId, userId, deviceId, about } : undefined;
};

/** `at`: the time on the device's clock, in milliseconds. */
export const ReceiptInput = v.object({
  token: v.string(),
  status: NotificationReport.entries.status,
  at: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** ECDSA on P-256 with SHA-256 over three lines (token, status, time): r and s in base64url. An email has no signature. */
  signature: v.exactOptional(v.string()),
});
export type ReceiptInput = v.InferOutput<typeof ReceiptInput>;

const ECDSA = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Returns whether the device signed the report. `publicKey`: 65 bytes in base64url. */
export const isSignedByKey = async (
  publicKey: string,
  { token, status, at, signature = "" }: ReceiptInput,
): Promise<boolean> => {
  const point = decodeBase64url(publicKey);
  const bytes = decodeBase64url(signature);
  if (point === undefined || bytes === undefined) return false;
  const key = await crypto.subtle.importKey("raw", point, ECDSA, false, ["verify"]);
  return crypto.subtle.verify(ECDSA, key, bytes, utf8.encode(`${token}\n${status}\n${at}`));
};

/** The status of the notification; always DELIVERED for a test. */
export const ReceiptAnswer = v.object({ status: NotificationStatus });
export type ReceiptAnswer = v.InferOutput<typeof ReceiptAnswer>;
