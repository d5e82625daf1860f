import { JwtVerifier } from "aws-jwt-verify";
import * as v from "valibot";

export type PublicKey = { kty: "RSA"; kid: string; n: string; e: string; alg: "RS256"; use: "sig" };
/** API Gateway passes all claims as text. */
export type Claims = Record<string, string>;

const Payload = v.looseObject({
  exp: v.number(),
  aud: v.optional(v.union([v.string(), v.array(v.string())])),
  client_id: v.optional(v.string()),
});

const formatClaim = (value: unknown): string => {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? `[${value.join(" ")}]` : JSON.stringify(value);
};

/** Checks tokens like API Gateway: signature, issuer, `exp` (required), `nbf`, `iat`, `aud` or `client_id`; not `token_use`. */
export const createAuthorizer = (
  { issuer, audience }: { issuer: string; audience: readonly string[] },
  keys: readonly PublicKey[],
) => {
  const verifier = JwtVerifier.create({ issuer, audience: null });
  verifier.cacheJwks({ keys: [...keys] });

  const readVerifiedPayload = (token: string): unknown => {
    try {
      return verifier.verifySync(token);
    } catch {
      return undefined;
    }
  };

  return (authorization: string | undefined): Claims | undefined => {
    const payload = v.safeParse(Payload, readVerifiedPayload((authorization ?? "").replace(/^bearer /i, "")));
    if (!payload.success) return undefined;
    const { aud, client_id: client, ...rest } = payload.output;
    const now = Date.now() / 1000;
    if (typeof rest["iat"] === "number" && rest["iat"] > now) return undefined;
    const named = [aud ?? client ?? []].flat();
    if (!named.some((name) => audience.includes(name))) return undefined;
    return Object.fromEntries(Object.entries(payload.output).map(([name, value]) => [name, formatClaim(value)]));
  };
};
