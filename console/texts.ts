import type { Failure } from "./app/failure.ts";

const count = (n: number, one: string, many: string): string => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Every sentence of the console that does not come from the API. */
export const texts = {
  product: "Event Alerting",
  skip: "Skip to content",
  main: "Main",
  workspace: "Workspace",
  theme: "Theme",
  signIn: "Sign in",
  signOut: "Sign out",
  workbench: "Workbench",
  apiPages: "API",
  loading: "Loading",
  tryAgain: "Try again",
  cancel: "Cancel",
  close: "Close",
  copy: "Copy",
  copied: "Copied.",
  back: "Back",
  pages: {
    inbox: "Inbox",
    events: "Events",
    event: "Event",
    rules: "Rules",
    onCall: "On call",
    escalation: "Escalation",
    groups: "Groups",
    people: "People",
    silences: "Silences",
    devices: "Devices",
    keys: "API keys",
  },
  login: {
    heading: "Event Alerting",
    lead: "See what is open, who is on call, and why you were told.",
    failed: "Signing in did not work, or was begun in another tab. Please try again.",
    working: "Signing you in …",
  },
  notFound: { heading: "There is no such page", lead: "The address may be mistyped, or the page is gone." },
  noWorkspace: {
    heading: "Your first workspace",
    lead: "You are in no workspace yet. Make one, or ask a colleague to add you to theirs.",
    name: "Name",
    create: "Create workspace",
  },
  trouble: "What you see may be old.",
  changed: (n: number) => `${count(n, "new entry", "new entries")}: show`,
  failures: {
    offline: "No answer came: the network or the service is out of reach.",
    signedOut: "You are signed out. Sign in again to go on.",
    notFound: "This is not there. It may have been deleted, or belong to another workspace.",
    notAMember: "You are not a member of this workspace any more.",
    tooFast: (seconds: number | undefined) =>
      seconds === undefined
        ? "Too many requests. Try again in a moment."
        : `Too many requests. Try again in ${seconds} s.`,
    ours: (requestId: string | undefined) =>
      `The service failed. Try again${requestId === undefined ? "." : `; if it stays so, report request ${requestId}.`}`,
  },
  keysHelp: {
    heading: "Keys",
    rows: [
      ["/", "Search"],
      ["j, k", "Next, previous entry"],
      ["a", "Acknowledge"],
      ["?", "Show the keys"],
    ],
  },
  priority: { LOW: "Low", NORMAL: "Normal", HIGH: "High", URGENT: "Urgent" },
  status: {
    QUEUED: "On its way",
    SENT: "Sent",
    DELIVERED: "Arrived",
    OPENED: "Opened",
    ACKNOWLEDGED: "Acknowledged",
    FAILED: "Failed",
  },
  inbox: {
    acknowledge: "Acknowledge",
    acknowledgeAll: "Acknowledge all",
    everyones: "Everyone's",
    empty: "Nothing is open for you.",
    emptyShared: "Nothing is open for anybody.",
    toEvents: "See what came in",
    notSent: "Not sent yet",
    acknowledged: (n: number) => `${count(n, "notification", "notifications")} acknowledged.`,
    kept: (n: number) =>
      `${count(n, "acknowledgement is", "acknowledgements are")} not sent yet; kept until there is a network.`,
    because: (rule: string, step: number) =>
      step === 0 ? `by rule ${rule}` : `by rule ${rule}, escalation step ${step}`,
  },
  events: {
    search: "Search title",
    site: "Site",
    allSites: "All sites",
    pages: "Pages",
    newer: "Newer",
    older: "Older",
    pageOf: (page: number, last: number, total: number) =>
      `Page ${page.toLocaleString("en")} of ${last.toLocaleString("en")}, ${count(total, "event", "events")}`,
    empty: "No event has come in yet. Make an API key; it comes with a line to paste.",
    toKeys: "Go to API keys",
    noneFound: "No event on this page fits.",
    told: (n: number) => (n === 0 ? "nobody told" : count(n, "notification", "notifications")),
  },
  keys: {
    newKey: "New key",
    name: "Name",
    nameHint: "What will send with it, such as the name of a system.",
    create: "Create",
    empty: "No key yet. An application sends events with a key; make the first one.",
    created: "Created",
    delete: "Delete",
    deleteQuestion: (name: string) => `Delete the key "${name}"? Whatever sends with it is answered 401 from then on.`,
    deleted: (name: string) => `The key "${name}" is deleted.`,
    once: "This is the key. It is shown this once; keep it where only your servers can read it.",
    key: "Key",
    tryIt: "Send an event with it",
    done: "Done",
  },
} as const;

/** What a failure means for the reader, and what to do. */
export const sentenceOf = (failure: Failure): string => {
  if (failure.kind === "offline") return texts.failures.offline;
  if (failure.kind === "signed-out") return texts.failures.signedOut;
  const { status, code, message, requestId, retryAfter } = failure;
  if (status >= 500) return texts.failures.ours(requestId);
  if (status === 429) return texts.failures.tooFast(retryAfter);
  if (status === 404) return texts.failures.notFound;
  if (code === "not_a_member") return texts.failures.notAMember;
  return message === "" ? texts.failures.ours(requestId) : message;
};
