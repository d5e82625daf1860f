import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody } from "../body.ts";
import { isCounted, tokenAnswer } from "../fcm/answers.ts";
import { createInbox } from "../fcm/inbox.ts";
import { type BrowserKeys, decrypt, newBrowserKeys } from "./decrypt.ts";
import { checkMessage, checkVapid, type Refusal } from "./check.ts";

export type WebPushEntry = {
  id: string;
  receivedAt: string;
  endpoint: string;
  headers: Record<string, string>;
  /** Of the encrypted body. */
  bytes: number;
  /** What the browser reads, where the stand-in made its keys; otherwise null. */
  message: unknown;
};

export type WebPushOptions = {
  /** The origin that it is served at: the API's own, so that endpoints stay good when the service starts again. */
  origin: string;
  /** The clock of the functions, which a test may have moved. */
  now?: () => number;
  /** Called for each message as it is taken into the inbox. */
  onMessage?: (entry: WebPushEntry) => void;
};

/** As `up`, breaking every connection, or never answering. */
export type WebPushMode = "up" | "down" | "hang";

export type WebPush = {
  endpointPrefix: string;
  inboxUrl: string;
  setMode: (mode: WebPushMode) => void;
  /** Answers what comes to its paths, all below `/local/web-push/`; false for everything else. */
  serve: (request: IncomingMessage, response: ServerResponse) => boolean;
  close: () => void;
};

const ROOT = "/local/web-push";

const READ_MAX_BYTES = 100_000;
const SHOWN_HEADERS = [
  "ttl",
  "urgency",
  "topic",
  "content-encoding",
  "content-type",
  "content-length",
  "authorization",
];

/** FCM's answers by a token, in the words of RFC 8030. */
const STATUS_OF: Readonly<Record<number, number>> = { 404: 410 };

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const json = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
  response.end(body);
};

/** A push service on this machine, as strict as the real ones, and the inbox of what it took. */
export const createWebPushService = ({ origin, now = Date.now, onMessage }: WebPushOptions): WebPush => {
  const endpointPrefix = `${origin}${ROOT}/push/`;
  const inbox = createInbox();
  const made: BrowserKeys[] = [];
  const keysByEndpoint = new Map<string, BrowserKeys>();
  /** A browser subscribes for one sender; here its first push says for whom. */
  const senderByEndpoint = new Map<string, string>();
  const requestsByName = new Map<string, number>();
  const streams = new Map<string, Set<ServerResponse>>();
  const timers = new Set<NodeJS.Timeout>();
  let mode: WebPushMode = "up";

  const makeKeys = (): BrowserKeys => {
    const keys = newBrowserKeys(randomBytes);
    made.push(keys);
    return keys;
  };

  /** The message, by the keys that fit; null where they were made elsewhere. */
  const read = (endpoint: string, body: Buffer): unknown => {
    const known = keysByEndpoint.get(endpoint);
    for (const keys of known === undefined ? made : [known]) {
      try {
        const message = decrypt(body, keys).toString();
        keysByEndpoint.set(endpoint, keys);
        return parse(message);
      } catch {
        continue;
      }
    }
    return null;
  };

  const take = (endpoint: string, request: IncomingMessage, body: Buffer): string => {
    const headers = Object.fromEntries(
      SHOWN_HEADERS.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, String(value)]];
      }),
    );
    const entry: WebPushEntry = {
      id: randomUUID(),
      receivedAt: new Date().toISOString(),
      endpoint,
      headers,
      bytes: body.length,
      message: read(endpoint, body),
    };
    inbox.add(entry);
    // Whoever made the keys elsewhere gets the message as it came.
    const told =
      entry.message === null
        ? `event: encrypted\ndata: ${body.toString("base64url")}`
        : `data: ${JSON.stringify(entry.message)}`;
    for (const stream of streams.get(endpoint) ?? []) stream.write(`${told}\n\n`);
    onMessage?.(entry);
    return entry.id;
  };

  const refusalOf = (endpoint: string, request: IncomingMessage, body: Buffer): Refusal | undefined => {
    const sender = checkVapid(request.headers.authorization, endpoint, now());
    if ("status" in sender) return sender;
    const wrong = checkMessage(request.headers, body);
    if (wrong !== undefined) return wrong;
    const bound = senderByEndpoint.get(endpoint);
    if (bound !== undefined && bound !== sender.key) return { status: 403, reason: "VapidPkHashMismatch" };
    senderByEndpoint.set(endpoint, sender.key);
    return undefined;
  };

  const onPush = async (request: IncomingMessage, response: ServerResponse, endpoint: string): Promise<void> => {
    // Of a body that is longer than any push service takes only the length matters.
    const body = (await readBody(request, READ_MAX_BYTES)) ?? Buffer.alloc(READ_MAX_BYTES);
    if (mode !== "up") {
      if (mode === "down") request.socket.destroy();
      return;
    }
    const refusal = refusalOf(endpoint, request, body);
    if (refusal !== undefined) {
      json(response, refusal.status, JSON.stringify({ reason: refusal.reason }));
      return;
    }
    const name = endpoint.slice(endpoint.lastIndexOf("/") + 1);
    const before = requestsByName.get(name) ?? 0;
    if (isCounted(name)) requestsByName.set(name, before + 1);
    const answer = tokenAnswer(name, before);
    const accept = (): void => {
      const id = take(endpoint, request, body);
      response.writeHead(201, { location: `${endpointPrefix}messages/${id}`, ttl: String(request.headers["ttl"]) });
      response.end();
    };
    if (answer.kind === "refuse") {
      const status = STATUS_OF[answer.status] ?? answer.status;
      const { retryAfter } = answer;
      json(response, status, "{}", retryAfter === undefined ? {} : { "retry-after": retryAfter });
    } else if (answer.kind === "takeAndReset") {
      take(endpoint, request, body);
      request.socket.destroy();
    } else if (answer.kind === "accept" && answer.afterMs > 0) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        accept();
      }, answer.afterMs);
      timers.add(timer);
    } else accept();
  };

  const stream = (response: ServerResponse, endpoint: string): void => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": open\n\n");
    const open = streams.get(endpoint) ?? new Set();
    streams.set(endpoint, open.add(response));
    response.on("close", () => open.delete(response));
  };

  const routes: Record<string, (response: ServerResponse, url: URL) => void> = {
    [`GET ${ROOT}/inbox`]: (response) => json(response, 200, inbox.toJson()),
    [`DELETE ${ROOT}/inbox`]: (response) => {
      inbox.clear();
      json(response, 200, inbox.toJson());
    },
    [`POST ${ROOT}/inbox/keys`]: (response) => {
      const { p256dh, auth } = makeKeys();
      json(response, 201, JSON.stringify({ p256dh, auth }));
    },
    // For a page that can reach no push service: a subscription, or new keys for one, and what comes for it as it comes.
    [`POST ${ROOT}/subscriptions`]: (response, url) => {
      const former = url.searchParams.get("endpoint") ?? "";
      const endpoint = former.startsWith(endpointPrefix) ? former : `${endpointPrefix}page-${randomUUID()}`;
      const keys = makeKeys();
      keysByEndpoint.set(endpoint, keys);
      json(response, 201, JSON.stringify({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }));
    },
    [`GET ${ROOT}/stream`]: (response, url) => stream(response, url.searchParams.get("endpoint") ?? ""),
  };

  return {
    endpointPrefix,
    inboxUrl: `${origin}${ROOT}/inbox`,
    setMode: (next) => {
      mode = next;
    },
    serve: (request, response) => {
      const target = request.url ?? "/";
      if (!target.startsWith(`${ROOT}/`)) return false;
      const url = new URL(target, origin);
      const relayed = `${ROOT}/push/relay/`;
      const endpoint = target.startsWith(relayed) ? decodeURIComponent(target.slice(relayed.length)) : url.href;
      if (request.method === "POST" && target.startsWith(`${ROOT}/push/`)) {
        onPush(request, response, endpoint).catch(() => response.destroy());
        return true;
      }
      const run = routes[`${request.method ?? ""} ${url.pathname}`];
      if (run === undefined)
        json(response, 404, JSON.stringify({ error: `there are ${Object.keys(routes).join(", ")}` }));
      else run(response, url);
      return true;
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      for (const open of streams.values()) for (const response of open) response.destroy();
    },
  };
};
