import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody } from "./body.ts";
import { replyJson } from "./reply.ts";
import { createResponder } from "./scripted.ts";

export type ReceivedWebhook = { receivedAt: string; headers: Record<string, string>; body: string };

const ROOT = "/local/hooks";
const READ_MAX_BYTES = 1_000_000;
/** The maximum number of messages that are stored per receiver. */
const KEPT = 10_000;

/** Creates receivers of webhooks. `POST <inboxUrl>/<name>` accepts a message, or fails as the name says; `GET` lists messages. */
export const createWebhookInbox = ({
  origin,
  onMessage,
}: {
  origin: string;
  onMessage?: (name: string, message: ReceivedWebhook) => void;
}) => {
  const received = new Map<string, ReceivedWebhook[]>();
  const door = createResponder();

  const storeMessage = (name: string, { headers }: IncomingMessage, body: string): void => {
    const shown = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)]));
    const message = { receivedAt: new Date().toISOString(), headers: shown, body };
    received.set(name, [...(received.get(name) ?? []), message].slice(-KEPT));
    onMessage?.(name, message);
  };

  const answerMessage = async (request: IncomingMessage, response: ServerResponse, receiver: string): Promise<void> => {
    const body = (await readBody(request, READ_MAX_BYTES))?.toString() ?? "";
    if (receiver.startsWith("gone-")) return replyJson(response, 410, { error: "gone" });
    door.answer(receiver, request, {
      take: () => storeMessage(receiver, request, body),
      accept: () => replyJson(response, 200, { ok: true }),
      refuse: ({ status, retryAfter }) =>
        replyJson(response, status, {}, retryAfter === undefined ? {} : { "retry-after": retryAfter }),
    });
  };

  return {
    /** The prefix of webhook URLs that are allowed in addition to public URLs. */
    prefix: `${origin}${ROOT}/inbox/`,
    inboxUrl: `${origin}${ROOT}/inbox`,
    serve: (request: IncomingMessage, response: ServerResponse): boolean => {
      const { pathname } = new URL(request.url ?? "/", origin);
      if (!pathname.startsWith(`${ROOT}/`)) return false;
      const name = decodeURIComponent(pathname.slice(`${ROOT}/inbox/`.length));
      if (!pathname.startsWith(`${ROOT}/inbox/`) || name === "")
        replyJson(response, 404, { error: `unknown request; use POST, GET or DELETE ${ROOT}/inbox/<name>` });
      else if (request.method === "POST") answerMessage(request, response, name).catch(() => response.destroy());
      else if (request.method === "DELETE") {
        received.delete(name);
        replyJson(response, 200, { messages: [] });
      } else replyJson(response, 200, { messages: received.get(name) ?? [] });
      return true;
    },
    close: door.close,
  };
};
export type WebhookInbox = ReturnType<typeof createWebhookInbox>;
