import type { Catalogue } from "../catalogue.ts";

export const texts = {
  keys: {
    newKey: "New key",
    name: "Name",
    nameHint: "The system that sends with this key, such as the shop.",
    usedBy: "Used by",
    anyApplication: "Your own application",
    eventKeys: "Event keys",
    eventKeysHint: "Patterns such as order.*, separated by commas. Leave empty for all events.",
    mayResolve: "May resolve",
    resolves: { own: "Its own events", any: "All events" },
    sends: (patterns: string) => `sends ${patterns}`,
    resolvesAll: "may resolve all events",
    ends: "Expires",
    by: (name: string) => `by ${name}`,
    lastUsed: "Last used",
    neverUsed: "Not used yet",
    addressForTool: "URL for the tool",
    addressHint:
      "The tool posts to this URL and needs no authorization header. The URL contains the key, so treat it as a password.",
    create: "Create",
    empty: "No keys yet. Applications send events with a key; create the first one, such as for your shop.",
    created: "Created",
    delete: "Delete",
    deleteOf: (name: string) => `Delete ${name}`,
    deleteQuestion: (name: string) => `Delete the key "${name}"? Requests with this key are refused (401) at once.`,
    deleted: (name: string) => `Key "${name}" deleted.`,
    once: "This key is shown only once. Store it where only your servers can read it.",
    key: "Key",
    tryIt: "Send an event with this key",
    tryItHint:
      "URL and key are filled in; in a program, read both from your secret store. Each snippet retries while the service is busy. Retries never create a second event. If the event is refused, the snippet prints the error.",
    signed: "signed",
    withClient: "JavaScript, with the client",
    clientHint: "Build the package with “npm pack” in the folder “client” of this service's source code.",
    done: "Done",
  },
};
export type Texts = Catalogue<typeof texts>;
