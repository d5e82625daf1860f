const SIGNED = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

const toBase64Url = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString("base64url");

/** Creates the key pair of a device. `receiptKey`: the public key; `sign` returns the body of a signed receipt. */
export const createReceiptSigner = async () => {
  const pair = await crypto.subtle.generateKey(SIGNED, false, ["sign", "verify"]);
  return {
    receiptKey: toBase64Url(await crypto.subtle.exportKey("raw", pair.publicKey)),
    sign: async (token: string, status: string, at = Date.now()) => {
      const said = new TextEncoder().encode(`${token}\n${status}\n${at}`);
      return { token, status, at, signature: toBase64Url(await crypto.subtle.sign(SIGNED, pair.privateKey, said)) };
    },
  };
};
