import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import * as v from "valibot";
import { retryAfterMs } from "../domain/basics/retry-after.ts";
import { outcomeOfStatus, type Post, type PostOutcome, type PostRequest } from "../domain/webhook/delivery-queue.ts";
import { webhookUrlFault } from "../domain/webhook/public-url.ts";
import { createPublicLookup } from "./public-lookup.ts";

/** From the call to its status, including the DNS lookup: by the specification 15 to 30 s at most, ours are quicker. */
export const POST_DEADLINE_MS = 5_000;
/** Concurrent requests of one instance. */
const MAX_CONNECTIONS = 64;

export type PostOptions = {
  now: () => number;
  /** Addresses with this prefix are called although they are not public. For a stand-in. */
  standIn?: string | undefined;
  deadlineMs?: number;
  lookup?: LookupFunction;
  /** Another certificate authority and port than the public ones, for a receiver on this machine. */
  tls?: { ca: string; port: number };
};

const SystemError = v.object({ code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{1,40}$/)) });

export const codeOf = (error: unknown): string => {
  const known = v.safeParse(SystemError, error);
  return known.success ? known.output.code : "NETWORK";
};

/** The code for an address that is not called, whatever it was when it was stored. */
export const REFUSED_URL = "URL_NOT_PUBLIC";

/**
 * Posts to a public address, once: redirects are not followed, and of the answer only its status and Retry-After
 * are read. The address is checked before each call, and each IP address of its name when it is looked up; the
 * connection is made to the checked one. No connection is kept, because the next message may be days away.
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

  const open = (url: URL, { headers, body }: PostRequest, signal: AbortSignal): ClientRequest => {
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
    // Node looks up no name for a host that is an IP address, so such a host must not come this far.
    if (webhookUrlFault(request.url, standIn) !== undefined) return { kind: "failed", code: REFUSED_URL };
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const answered = Promise.withResolvers<IncomingMessage>();
      const sent = open(new URL(request.url), request, signal);
      sent.once("response", answered.resolve).once("error", answered.reject);
      sent.end(request.body);
      const response = await answered.promise;
      // Nothing else of the answer is needed, however long it is.
      response.once("error", () => {});
      response.destroy();
      return outcomeOfStatus(response.statusCode ?? 0, retryAfterMs(response.headers["retry-after"], now()));
    } catch (error) {
      return { kind: "failed", code: signal.aborted ? "DEADLINE" : codeOf(error) };
    }
  };
};
