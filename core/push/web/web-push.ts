import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import * as v from "valibot";
import { isEndpoint, isPushServiceEndpoint } from "../../domain/delivery/push/endpoint.ts";
import { declarativeOf } from "../../domain/delivery/push/message.ts";
import type { WebPushMessage } from "../../domain/delivery/push/message.ts";
import type { PushOutcome, Way } from "../../domain/delivery/push/outcome.ts";
import { connectionOptions, createTransport, sendWithin } from "../attempt.ts";
import type { Attempt } from "../attempt.ts";
import { MAX_CONNECTIONS, PUSH_DEADLINE_MS } from "../limits.ts";
import { afterRealTime } from "../within.ts";
import type { After } from "../within.ts";
import { encrypt } from "./encrypt.ts";
import { outcomeOfAnswer } from "./outcome-of-answer.ts";
import { createPublicLookup } from "./public-lookup.ts";
import { vapidAuthorization } from "./vapid.ts";
import type { VapidKeys } from "./vapid.ts";

/** Where pushes go on a machine that does not call the push services. */
export type StandIn = {
  /** Endpoints that begin with it are the stand-in's own. */
  prefix: string;
  /** Whether it also takes pushes for the real push services, at `relay/` and the endpoint. */
  takesAll: boolean;
};

export type WebPushOptions = {
  /** The current keys and the previous ones: a browser that has not renewed its subscription still needs those. */
  getKeys: () => Promise<{ current: VapidKeys; previous: VapidKeys | undefined } | undefined>;
  now: () => number;
  standIn?: StandIn | undefined;
  deadlineMs?: number;
  maxConnections?: number;
  after?: After;
  lookup?: LookupFunction;
};

const ANSWER_MAX_BYTES = 4096;

const SystemError = v.object({ code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{1,40}$/)) });

/** The beginning of an answer. The rest is read and dropped, so that the connection can be used again. */
const readAnswer = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const data = Buffer.from(chunk);
    bytes += data.length;
    if (bytes <= ANSWER_MAX_BYTES) chunks.push(data);
  }
  return Buffer.concat(chunks).toString();
};

/** Undefined if the browser's key is invalid, which trying again does not change. */
const encryptFor = (browser: WebPushMessage["subscription"]["keys"], message: WebPushMessage): Buffer | undefined => {
  try {
    return encrypt(Buffer.from(JSON.stringify(declarativeOf(message))), browser);
  } catch {
    return undefined;
  }
};

/** Undefined if it is no endpoint of a push service. */
const addressOf = (endpoint: string, standIn: StandIn | undefined): URL | undefined => {
  if (!isEndpoint(endpoint, standIn?.prefix)) return undefined;
  const relayed = standIn?.takesAll === true && isPushServiceEndpoint(endpoint);
  return new URL(relayed ? `${standIn.prefix}relay/${encodeURIComponent(endpoint)}` : endpoint);
};

type Transports = Record<"outside" | "inside", ReturnType<typeof createTransport>>;

const open = (
  { outside, inside }: Transports,
  url: URL,
  headers: Record<string, string | number>,
  attempt: Attempt,
): ClientRequest => {
  const options = { method: "POST", headers };
  return url.protocol === "https:"
    ? outside.run(attempt, () => httpsRequest(url, { ...options, agent: outside.agent }))
    : inside.run(attempt, () => httpRequest(url, { ...options, agent: inside.agent }));
};

type Post = {
  message: WebPushMessage;
  encrypted: Buffer;
  url: URL;
  attempt: Attempt;
  transports: Transports;
  now: () => number;
};

/** One request, signed by these keys. */
const post = async (
  { message, encrypted, url, attempt, transports, now }: Post,
  keys: VapidKeys,
): Promise<PushOutcome> => {
  if (attempt.isAborted()) return { kind: "retry", code: "DEADLINE" };
  try {
    const answered = Promise.withResolvers<IncomingMessage>();
    const headers = {
      ...message.headers,
      Authorization: vapidAuthorization(keys, message.subscription.endpoint, now()),
      "Content-Encoding": "aes128gcm",
      "Content-Type": "application/notification+json",
      "Content-Length": encrypted.length,
    };
    const request = open(transports, url, headers, attempt);
    request.once("response", answered.resolve).once("error", answered.reject);
    request.end(encrypted);
    const response = await answered.promise;
    // The status is the answer, even if the connection breaks in the middle of the body.
    const body = await readAnswer(response).catch(() => "");
    return outcomeOfAnswer(response.statusCode ?? 0, response.headers, body, now());
  } catch (error) {
    const known = v.safeParse(SystemError, error);
    const code = known.success ? known.output.code : "NETWORK";
    return attempt.mayHaveArrived() ? { kind: "unknown", code } : { kind: "retry", code };
  }
};

/** The way to browsers through Web Push (RFC 8030, 8291, 8292). One request per send and key; no redirects. */
export const createWebPush = ({
  getKeys,
  now,
  standIn,
  deadlineMs = PUSH_DEADLINE_MS,
  maxConnections = MAX_CONNECTIONS,
  after = afterRealTime,
  lookup = createPublicLookup(),
}: WebPushOptions): Way<WebPushMessage> => {
  const transports = {
    outside: createTransport(new HttpsAgent({ ...connectionOptions(maxConnections), lookup }), now),
    inside: createTransport(new HttpAgent(connectionOptions(maxConnections)), now),
  };

  const readKeys = async () => {
    try {
      return { known: await getKeys() };
    } catch {
      return undefined;
    }
  };

  const deliver = async (message: WebPushMessage, attempt: Attempt): Promise<PushOutcome> => {
    const { endpoint, keys: browser } = message.subscription;
    const url = addressOf(endpoint, standIn);
    if (url === undefined) return { kind: "invalid", code: "ENDPOINT_UNKNOWN" };
    const read = await readKeys();
    if (read === undefined) return { kind: "retry", code: "VAPID_KEYS_UNAVAILABLE" };
    if (read.known === undefined) return { kind: "auth", code: "VAPID_KEYS_MISSING" };
    const { current, previous } = read.known;
    const encrypted = encryptFor(browser, message);
    if (encrypted === undefined) return { kind: "invalid", code: "KEYS_INVALID" };
    const request = { message, encrypted, url, attempt, transports, now };
    const outcome = await post(request, current);
    // A refusal is certain: nothing was taken, so the same message may be sent with the previous keys.
    return outcome.kind === "auth" && previous !== undefined ? post(request, previous) : outcome;
  };

  return { send: (message) => sendWithin(after, deadlineMs, (attempt) => deliver(message, attempt)) };
};
