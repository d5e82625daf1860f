import type { NewId } from "./ids.ts";

export const sha256 = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** Returns 256 random bits in base64url: the hash of four ids, each with 80 random bits. */
export const createSecret = async (newId: NewId): Promise<string> =>
  Buffer.from(await sha256(Array.from({ length: 4 }, () => newId("req")).join())).toString("base64url");
