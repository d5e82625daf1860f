import type { Failure } from "./app/failure.ts";

const count = (n: number, one: string, many: string): string => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

const operators: Readonly<Record<string, string>> = {
  equals: "equals",
  not_equals: "does not equal",
  contains: "contains",
  starts_with: "starts with",
  ends_with: "ends with",
  one_of: "is one of",
  not_one_of: "is none of",
  greater_than: "is greater than",
  greater_than_or_equal: "is at least",
  less_than: "is less than",
  less_than_or_equal: "is at most",
  between: "is between",
  is_empty: "is empty",
  is_not_empty: "is not empty",
  matches_regex: "matches the regular expression",
};

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
  event: {
    details: "Details",
    story: "What happened",
    people: "Who was told",
    why: "Why",
    whyNot: "Why not",
    notTold: "Not told",
    replay: "Replay in a rule",
    noRule: "No rule matched this event.",
    explained: (name: string) => `Explanation for ${name}`,
    received: "The event came in.",
    matched: (rule: string, version: number) => `Rule ${rule} (version ${version}) matched.`,
    called: (who: string, rule: string, step: number) =>
      step === 0 ? `${who} was to be told by rule ${rule}.` : `Escalation step ${step} of rule ${rule} called ${who}.`,
    sent: (who: string) => `The push to ${who} was handed over.`,
    acknowledged: (who: string) => `${who} acknowledged.`,
    failed: (who: string, reason: string) => `The push to ${who} failed: ${reason}`,
    outcomes: {
      pending: "On its way",
      no_match: "No rule matched",
      no_recipient: "Nobody to tell",
      delivered: "Everybody was told",
      partial: "Some were told",
      all_failed: "Nobody could be told",
      silenced: "Kept still by a silence",
    },
  },
  trace: {
    eventKey: "Event key",
    missing: "nothing",
    was: "was",
    verdict: (held: boolean) => (held ? "Held:" : "Did not hold:"),
  },
  operators,
  rules: {
    newRule: "New rule",
    empty: "No rule yet. A rule says which events wake whom.",
    groupGone: "a deleted group",
    on: "Enabled",
    off: "Disabled",
    turnOff: "Disable",
    turnOnAgain: "Enable",
    turn: (enabled: boolean, name: string) => `${enabled ? "Disable" : "Enable"} ${name}`,
    turnedOn: (name: string) => `The rule "${name}" is enabled.`,
    turnedOff: (name: string) => `The rule "${name}" is disabled.`,
    conditions: (n: number) => (n === 0 ? "no condition" : count(n, "condition", "conditions")),
  },
  rule: {
    heading: "Rule",
    name: "Name",
    eventKey: "Event key",
    eventKeyHint: "* for all events, booking.* for all of a resource, booking.created for one.",
    groups: "Groups",
    noGroups: "There is no group yet; make one first.",
    requiresAck: "Requires acknowledgement",
    priority: "Priority",
    asEvent: "As the event says",
    critical: "Critical",
    onCallOnly: "On call only",
    onCallOnlyHint: "Of the groups, only who is on call then.",
    policy: "Escalation policy",
    noPolicy: "None",
    enabled: "Enabled",
    conditions: "Conditions",
    condition: (n: number) => `Condition ${n}`,
    match: "How many must hold",
    all: "All of them",
    any: "Any of them",
    addCondition: "Add condition",
    removeCondition: "Remove condition",
    field: "Field",
    operator: "Operator",
    value: "Value",
    high: "And",
    listHint: "Several, separated by commas.",
    save: "Save",
    saved: (name: string) => `The rule "${name}" is saved.`,
    delete: "Delete rule",
    deleteQuestion: (name: string) =>
      `Delete the rule "${name}"? Events go on coming in; by this rule nobody is told any more.`,
    deleted: (name: string) => `The rule "${name}" is deleted.`,
  },
  effect: {
    heading: "What it would do",
    matches: "Matches",
    matchesNot: "Does not match",
    nobody: "It would tell nobody.",
    told: (names: readonly string[]) => `It would tell ${names.join(", ")}.`,
    noGroup: "Choose a group: without one nobody is told.",
    fitting: (n: number, recent: number) =>
      recent === 0
        ? "No event has come in yet on which the rule could be tried."
        : `Of the last ${count(recent, "event", "events")}, ${n.toLocaleString("en")} ${n === 1 ? "has" : "have"} a fitting key. The newest of them:`,
  },
  devices: {
    empty: "No device yet. The app registers your phone when you sign in there.",
    unnamed: "Device without a name",
    platforms: { ios: "iPhone or iPad", android: "Android", web: "Browser" },
    registered: "Registered",
    remove: "Remove",
    removed: (name: string) => `${name} is removed.`,
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
