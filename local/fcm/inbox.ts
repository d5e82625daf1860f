import type { ReceivedMessage } from "./answers.ts";

export type InboxEntry = { id: string; receivedAt: string; token: string; message: ReceivedMessage };

/** About 100 MB of pushes; then the oldest go. */
const MAX_ENTRIES = 100_000;

/** The messages that were taken, oldest first. They are kept as text: a reader wants them all at once, as JSON. */
export const createInbox = (maxEntries = MAX_ENTRIES) => {
  let entries: string[] = [];
  return {
    add: (entry: object) => {
      entries.push(JSON.stringify(entry));
      // In one go and rarely, because dropping from the front moves all the others.
      if (entries.length >= maxEntries * 1.1) entries = entries.slice(-maxEntries);
    },
    toJson: () => `{"messages":[${entries.slice(-maxEntries).join(",")}]}`,
    clear: () => {
      entries = [];
    },
  };
};
