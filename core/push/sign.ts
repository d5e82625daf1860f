import { createHash, createHmac } from "node:crypto";
import { toIso } from "../domain/basics/time.ts";

/** `token`: the session token of temporary keys. */
export type Credentials = { keyId: string; secret: string; token?: string | undefined };

const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hmacSha256 = (key: string | Uint8Array, data: string): Buffer => createHmac("sha256", key).update(data).digest();

/** Returns headers signed for AWS (Signature Version 4). The URL must have neither a query nor a path that needs escaping. */
export const signRequestHeaders = (
  {
    method = "POST",
    url,
    body,
    headers,
  }: { method?: "GET" | "POST" | "PUT"; url: URL; body: Uint8Array; headers: Record<string, string> },
  { keyId, secret, token }: Credentials,
  { region, service, nowMs }: { region: string; service: string; nowMs: number },
): Record<string, string> => {
  const at = toIso(nowMs).replaceAll(/[-:]|\.\d{3}/g, "");
  const date = at.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    "x-amz-date": at,
    ...(token === undefined ? {} : { "x-amz-security-token": token }),
  };
  const names = Object.keys(all).sort();
  const signed = names.join(";");
  const lines = names.map((name) => `${name}:${all[name] ?? ""}\n`).join("");
  const request = [method, url.pathname, "", lines, signed, sha256(body)].join("\n");
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", at, scope, sha256(request)].join("\n");
  const key = [date, region, service, "aws4_request"].reduce<string | Uint8Array>(hmacSha256, `AWS4${secret}`);
  const signature = hmacSha256(key, toSign).toString("hex");
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  };
};
