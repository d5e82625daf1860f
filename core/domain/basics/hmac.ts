const utf8 = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;
const toBytes = (value: string | Bytes): Bytes => (typeof value === "string" ? utf8.encode(value) : value);

export const hmacSha256 = async (secret: string | Bytes, message: string | Bytes): Promise<Buffer> => {
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", toBytes(secret), hash, false, ["sign"]);
  return Buffer.from(await crypto.subtle.sign("HMAC", key, toBytes(message)));
};

/** Compares two secrets in constant time. */
export const isSameSecret = (first: string, second: string): boolean => {
  let difference = first.length ^ second.length;
  for (let index = 0; index < first.length; index += 1)
    difference |= first.charCodeAt(index) ^ (second.charCodeAt(index % Math.max(1, second.length)) || 0);
  return difference === 0;
};
