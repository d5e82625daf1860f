const SIGNED = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

const base64url = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString("base64url");

export const newSigner = async () => {
  const pair = await crypto.subtle.generateKey(SIGNED, false, ["sign", "verify"]);
  return {
    receiptKey: base64url(await crypto.subtle.exportKey("raw", pair.publicKey)),
    sign: async (token: string, status: string, at = Date.now()) => {
      const said = new TextEncoder().encode(`${token}\n${status}\n${at}`);
      return { token, status, at, signature: base64url(await crypto.subtle.sign(SIGNED, pair.privateKey, said)) };
    },
  };
};
