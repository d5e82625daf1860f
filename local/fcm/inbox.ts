import type { IncomingMessage, ServerResponse } from "node:http";
import { replyJson } from "../reply.ts";
import type { ReceivedMessage } from "./answers.ts";

export type InboxEntry = { id: string; receivedAt: string; token: string; message: ReceivedMessage };

/** The maximum number of pushes in the inbox, about 100 MB. Older pushes are dropped. */
const MAX_ENTRIES = 100_000;

/** Creates an inbox, oldest pushes first. Stores pushes as text, because readers want all of them as JSON. */
export const createInbox = (maxEntries = MAX_ENTRIES) => {
  let entries: string[] = [];
  return {
    add: (entry: object) => {
      entries.push(JSON.stringify(entry));
      // Drops many pushes at a time, because dropping the first pushes moves all other pushes.
      if (entries.length >= maxEntries * 1.1) entries = entries.slice(-maxEntries);
    },
    /** Returns the pushes to the device with the token as a JSON list; null for the pushes to all devices. */
    toJson: (token: string | null = null) => {
      const kept = entries.slice(-maxEntries);
      const named = token === null ? kept : kept.filter((entry) => entry.includes(`"token":${JSON.stringify(token)}`));
      return `{"messages":[${named.join(",")}]}`;
    },
    clear: () => {
      entries = [];
    },
  };
};

/** Returns a handler of requests for `path`, which returns false for other requests. DELETE empties the inbox. */
export const serveInbox =
  (path: string, inbox: ReturnType<typeof createInbox>) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.url !== path) return false;
    if (request.method === "DELETE") inbox.clear();
    replyJson(response, 200, inbox.toJson());
    return true;
  };
