import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import * as v from "valibot";
import { parseRetryAfter } from "../domain/basics/retry-after.ts";
import { toPostOutcome, type Post, type PostOutcome, type PostRequest } from "../domain/webhook/delivery-queue.ts";
import { findWebhookUrlFault } from "../domain/webhook/public-url.ts";
import { createPublicLookup } from "./public-lookup.ts";

/** The maximum time until the HTTP status arrives, including the DNS lookup. (Standard Webhooks recommends 15 to 30 s.) */
export const POST_DEADLINE_MS = 5_000;
/** The maximum number of connections per Lambda instance. */
const MAX_CONNECTIONS = 64;

export type PostOptions = {
  now: () => number;
  /** URLs with this prefix may be called even if the address is not public. */
  standIn?: string | undefined;
  deadlineMs?: number;
  lookup?: LookupFunction;
  /** The certificate authority and the port of a test receiver on this machine. */
  tls?: { ca: string; port: number };
};

const SystemError = v.object({ code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{1,40}$/)) });

/** Returns the code of a system error, such as ECONNRESET, and NETWORK for any other value. */
export const toErrorCode = (error: unknown): string => {
  const known = v.safeParse(SystemError, error);
  return known.success ? known.output.code : "NETWORK";
};

export const REFUSED_URL = "URL_NOT_PUBLIC";

/**
 * Returns a function that posts once to a public URL. Checks the URL and then its host's IP addresses, and connects only to a
 * checked address. Follows no redirects, reads only the status and Retry-After, and keeps no connection alive.
 */
export const createPost = ({
  now,
  standIn,
  deadlineMs = POST_DEADLINE_MS,
  lookup = createPublicLookup(),
  tls,
}: PostOptions): Post => {
  const outside = new HttpsAgent({
    keepAlive: false,
    maxSockets: MAX_CONNECTIONS,
    lookup,
    ...(tls === undefined ? {} : { ca: tls.ca }),
  });
  const inside = new HttpAgent({ keepAlive: false });

  const openRequest = (url: URL, { headers, body }: PostRequest, signal: AbortSignal): ClientRequest => {
    const options = {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "event-alerting-webhooks/1",
      },
      signal,
    };
    if (url.protocol === "http:") return httpRequest(url, { ...options, agent: inside });
    return httpsRequest(url, { ...options, agent: outside, ...(tls === undefined ? {} : { port: tls.port }) });
  };

  return async (request): Promise<PostOutcome> => {
    // Node calls no lookup if the host is an IP address, so internal addresses must be refused here.
    if (findWebhookUrlFault(request.url, standIn) !== undefined) return { kind: "failed", code: REFUSED_URL };
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const answered = Promise.withResolvers<IncomingMessage>();
      const sent = openRequest(new URL(request.url), request, signal);
      sent.once("response", answered.resolve).once("error", answered.reject);
      sent.end(request.body);
      const response = await answered.promise;
      // The answer's body is not read, so errors in the body are ignored.
      response.once("error", () => {});
      response.destroy();
      return toPostOutcome(response.statusCode ?? 0, parseRetryAfter(response.headers["retry-after"], now()));
    } catch (error) {
      return { kind: "failed", code: signal.aborted ? "DEADLINE" : toErrorCode(error) };
    }
  };
};
