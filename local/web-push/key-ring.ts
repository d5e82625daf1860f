import { randomBytes } from "node:crypto";
import { parseJson } from "../body.ts";
import { type BrowserKeys, decryptMessage, generateBrowserKeys } from "./decrypt.ts";

/** Creates keys of browsers, and decrypts pushes with the keys of their endpoint. */
export const createKeyRing = () => {
  const made: BrowserKeys[] = [];
  const byEndpoint = new Map<string, BrowserKeys>();

  /** Creates a browser's keys. `endpoint`: by default, the endpoint of the first push that the keys decrypt. */
  const createBrowserKeys = (endpoint?: string): Pick<BrowserKeys, "p256dh" | "auth"> => {
    const keys = generateBrowserKeys(randomBytes);
    made.push(keys);
    if (endpoint !== undefined) byEndpoint.set(endpoint, keys);
    return { p256dh: keys.p256dh, auth: keys.auth };
  };

  /** Returns a push's message, JSON or text, decrypted with its endpoint's keys; null if the keys were created elsewhere. */
  const decryptPush = (endpoint: string, body: Buffer): unknown => {
    const known = byEndpoint.get(endpoint);
    for (const keys of known === undefined ? made : [known]) {
      try {
        const message = decryptMessage(body, keys).toString();
        byEndpoint.set(endpoint, keys);
        const parsed = parseJson(message);
        return parsed === undefined ? message : parsed;
      } catch {
        continue;
      }
    }
    return null;
  };

  return { make: createBrowserKeys, read: decryptPush };
};
