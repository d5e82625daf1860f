import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Fault } from "../aws/front.ts";
import { readBody } from "../body.ts";
import { createInbox } from "../fcm/inbox.ts";
import { replyJson, replyUnknown } from "../reply.ts";
import { createResponder } from "../scripted.ts";
import { checkMessage, checkVapid, type Refusal } from "./check.ts";
import { createKeyRing } from "./key-ring.ts";
import { createListeners } from "./listeners.ts";

export type WebPushEntry = {
  id: string;
  receivedAt: string;
  endpoint: string;
  headers: Record<string, string>;
  /** The size of the encrypted body. */
  bytes: number;
  /** The decrypted message; null if the browser's keys were created elsewhere. */
  message: unknown;
};

export type WebPushOptions = {
  /** The API's own origin, so that endpoints survive restarts. */
  origin: string;
  /** The functions' clock, which a test may have advanced. */
  now?: () => number;
  onMessage?: (entry: WebPushEntry) => void;
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

/** Maps FCM's statuses to the statuses of Web Push (RFC 8030), if they differ. */
const STATUS_OF: Readonly<Record<number, number>> = { 404: 410 };

const pickShownHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    SHOWN_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );

/** Google's answer if a subscription belongs to another sender's key. */
const OTHER_KEY =
  "the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.\n";

/** Creates a check that returns why a push is refused, if it is. A subscription accepts only its first push's sender. */
const createPushChecker = (now: () => number) => {
  const senderByEndpoint = new Map<string, string>();
  return (endpoint: string, request: IncomingMessage, body: Buffer): Refusal | undefined => {
    const sender = checkVapid(request.headers.authorization, endpoint, now());
    if ("status" in sender) return sender;
    const wrong = checkMessage(request.headers, body);
    if (wrong !== undefined) return wrong;
    const bound = senderByEndpoint.get(endpoint);
    if (bound !== undefined && bound !== sender.key) return { status: 403, reason: "VapidPkHashMismatch" };
    senderByEndpoint.set(endpoint, sender.key);
    return undefined;
  };
};

/** Creates the inbox of accepted pushes, with the keys of browsers and the open pages that get the pushes. */
const createMailbox = (onMessage: WebPushOptions["onMessage"]) => {
  const inbox = createInbox();
  const keyRing = createKeyRing();
  const listeners = createListeners();
  /** Adds a push to the inbox, passes it to open pages, and returns the entry's id. */
  const receivePush = (endpoint: string, request: IncomingMessage, body: Buffer): string => {
    const entry: WebPushEntry = {
      id: randomUUID(),
      receivedAt: new Date().toISOString(),
      endpoint,
      headers: pickShownHeaders(request),
      bytes: body.length,
      message: keyRing.read(endpoint, body),
    };
    inbox.add(entry);
    listeners.tell(endpoint, entry.message, body);
    onMessage?.(entry);
    return entry.id;
  };
  return { inbox, keyRing, listeners, take: receivePush };
};
type Mailbox = ReturnType<typeof createMailbox>;

/** Creates the handler of pushes to endpoints. The name at the end of the endpoint selects the answer to a valid push. */
const createPushEndpoint = (
  check: ReturnType<typeof createPushChecker>,
  addToInbox: Mailbox["take"],
  endpointPrefix: string,
) => {
  const door = createResponder();

  const answerPush = (request: IncomingMessage, response: ServerResponse, endpoint: string, body: Buffer): void => {
    const refusal = check(endpoint, request, body);
    if (refusal !== undefined) {
      replyJson(response, refusal.status, { reason: refusal.reason });
      return;
    }
    const name = endpoint.slice(endpoint.lastIndexOf("/") + 1);
    door.answer(name, request, {
      take: () => addToInbox(endpoint, request, body),
      accept: (id) => {
        response.writeHead(201, { location: `${endpointPrefix}messages/${id}`, ttl: String(request.headers["ttl"]) });
        response.end();
      },
      refuse: ({ status, code, retryAfter }) => {
        const says = code === "SENDER_ID_MISMATCH" ? OTHER_KEY : "{}";
        const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
        replyJson(response, STATUS_OF[status] ?? status, says, headers);
      },
    });
  };
  return { answer: answerPush, close: door.close };
};

type Page = (response: ServerResponse, url: URL) => void;

/** Returns the handlers of requests to the mailbox, by method and path. */
const createMailboxRoutes = ({ inbox, keyRing, listeners }: Mailbox, endpointPrefix: string): Record<string, Page> => ({
  [`GET ${ROOT}/inbox`]: (response) => replyJson(response, 200, inbox.toJson()),
  [`DELETE ${ROOT}/inbox`]: (response) => {
    inbox.clear();
    replyJson(response, 200, inbox.toJson());
  },
  [`POST ${ROOT}/inbox/keys`]: (response) => replyJson(response, 201, keyRing.make()),
  // For a page without a push service, creates a subscription or renews the subscription's keys.
  [`POST ${ROOT}/subscriptions`]: (response, url) => {
    const former = url.searchParams.get("endpoint") ?? "";
    const endpoint = former.startsWith(endpointPrefix) ? former : `${endpointPrefix}page-${randomUUID()}`;
    replyJson(response, 201, { endpoint, keys: keyRing.make(endpoint) });
  },
  [`GET ${ROOT}/stream`]: (response, url) => listeners.add(url.searchParams.get("endpoint") ?? "", response),
});

/** Creates a push service as strict as real push services. */
export const createWebPushService = ({ origin, now = Date.now, onMessage }: WebPushOptions) => {
  const endpointPrefix = `${origin}${ROOT}/push/`;
  const mailbox = createMailbox(onMessage);
  const door = createPushEndpoint(createPushChecker(now), mailbox.take, endpointPrefix);
  const pages = createMailboxRoutes(mailbox, endpointPrefix);
  let mode: Fault = "up";

  const handlePush = async (request: IncomingMessage, response: ServerResponse, target: string): Promise<void> => {
    const relayed = `${ROOT}/push/relay/`;
    const endpoint = target.startsWith(relayed)
      ? decodeURIComponent(target.slice(relayed.length))
      : new URL(target, origin).href;
    // A longer body is refused because of its length, so its content does not matter.
    const body = (await readBody(request, READ_MAX_BYTES)) ?? Buffer.alloc(READ_MAX_BYTES);
    if (mode === "up") door.answer(request, response, endpoint, body);
    else if (mode === "down") request.socket.destroy();
  };

  return {
    endpointPrefix,
    inboxUrl: `${origin}${ROOT}/inbox`,
    setMode: (fault: Fault): void => {
      mode = fault;
    },
    serve: (request: IncomingMessage, response: ServerResponse): boolean => {
      const target = request.url ?? "/";
      if (!target.startsWith(`${ROOT}/`)) return false;
      if (request.method === "POST" && target.startsWith(`${ROOT}/push/`)) {
        handlePush(request, response, target).catch(() => response.destroy());
        return true;
      }
      const url = new URL(target, origin);
      const page = pages[`${request.method ?? ""} ${url.pathname}`];
      if (page === undefined) replyUnknown(response, pages);
      else page(response, url);
      return true;
    },
    close: (): void => {
      door.close();
      mailbox.listeners.close();
    },
  };
};
export type WebPush = ReturnType<typeof createWebPushService>;
