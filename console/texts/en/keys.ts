import type { Catalogue } from "../catalogue.ts";

/** What the API keys say. */
export const texts = {
  keys: {
    newKey: "New key",
    name: "Name",
    nameHint: "What will send with it, such as the name of a system.",
    usedBy: "Used by",
    anyApplication: "An application of yours",
    eventKeys: "Event keys",
    eventKeysHint: "Patterns such as order.*, separated by commas. Empty: everything.",
    mayResolve: "May resolve",
    resolves: { own: "What it has sent itself", any: "Everything" },
    sends: (patterns: string) => `sends ${patterns}`,
    resolvesAll: "resolves everything",
    ends: "Ends",
    by: (name: string) => `by ${name}`,
    lastUsed: "Last used",
    neverUsed: "Not used yet",
    addressForTool: "Address for the tool",
    addressHint: "The tool posts there without any header. The key is in it, so treat it as a password.",
    create: "Create",
    empty: "No key yet. An application sends events with a key; make the first one.",
    created: "Created",
    delete: "Delete",
    deleteQuestion: (name: string) => `Delete the key "${name}"? Whatever sends with it is answered 401 from then on.`,
    deleted: (name: string) => `The key "${name}" is deleted.`,
    once: "This is the key. It is shown this once; keep it where only your servers can read it.",
    key: "Key",
    tryIt: "Send an event with it",
    tryItHint:
      "Address and key are filled in: in a program, read both from where you keep secrets. Each piece tries again while the service is busy, makes one event however often it tries, and prints what it is told when it is refused.",
    signed: "signed",
    withClient: "JavaScript, with the client",
    clientHint: "The package is made by npm pack in the folder client of this service's source.",
    done: "Done",
  },
};
export type Texts = Catalogue<typeof texts>;
