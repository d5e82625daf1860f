/** Curve P-256 (FIPS 186-4): y² = x³ - 3x + b modulo p. */
const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

const COORDINATE_BYTES = 32;
const UNCOMPRESSED = 0x04;

const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;

/** Decodes base64url with or without padding. Returns undefined if the text is not base64url. */
export const decodeBase64url = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!BASE64URL.test(text)) return undefined;
  try {
    const base64 = text.replaceAll("=", "").replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
};

/** Encodes the bytes in base64url, without padding. */
export const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const toBigInteger = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** Returns whether the text is an uncompressed P-256 key in base64url, on the curve. A push with an invalid key would fail. */
export const isP256PublicKey = (text: string): boolean => {
  const bytes = decodeBase64url(text);
  if (bytes?.length !== 1 + 2 * COORDINATE_BYTES || bytes[0] !== UNCOMPRESSED) return false;
  const x = toBigInteger(bytes.subarray(1, 1 + COORDINATE_BYTES));
  const y = toBigInteger(bytes.subarray(1 + COORDINATE_BYTES));
  return x < P && y < P && (y * y - (x * x * x - 3n * x + B)) % P === 0n;
};
