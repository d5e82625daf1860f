import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";

const CORS = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type, x-amz-target" };

/** Returns the URL with the parameters in `values` that are not null. */
export const addQuery = (address: string, values: Record<string, string | null>): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
};

export const replyHtml = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
  response.end(body);
};

export const replyJson = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...CORS });
  response.end(JSON.stringify(body));
};

export const replyPreflight = (response: ServerResponse): void => void response.writeHead(204, CORS).end();

/** Redirects the browser. `cookie`: the cookie to set, with its attributes. */
export const replyRedirect = (response: ServerResponse, location: string, cookie?: string): void => {
  const cookies = cookie === undefined ? {} : { "set-cookie": cookie };
  response.writeHead(302, { location, "cache-control": "no-store", ...cookies }).end();
};

export const createRandomToken = (): string => randomBytes(32).toString("base64url");
