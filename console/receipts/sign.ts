import { readKey, writeKey } from "./store.ts";

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;

export const encodeBase64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Returns this browser's public key for receipts, in base64url. Creates the key if there is none. */
export const readOrCreateKey = async (): Promise<string> => {
  let pair = await readKey();
  if (pair === undefined) {
    pair = await crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]);
    await writeKey(pair);
  }
  return encodeBase64url(await crypto.subtle.exportKey("raw", pair.publicKey));
};

/** Returns the body of a signed receipt; undefined if this browser has no key. */
export const signReceipt = async (token: string, status: string, time: number): Promise<string | undefined> => {
  const pair = await readKey();
  if (pair === undefined) return undefined;
  const said = new TextEncoder().encode(`${token}\n${status}\n${time}`);
  const signature = encodeBase64url(await crypto.subtle.sign({ ...CURVE, hash: "SHA-256" }, pair.privateKey, said));
  return JSON.stringify({ token, status, at: time, signature });
};
