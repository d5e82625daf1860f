import type { Catalogue } from "../catalogue.ts";
import { counted as count } from "../numbers.ts";

/** The most people that a question names. */
const NAMED_MAX = 8;

/** What is needed before the inbox can be used. */
export const first = {
  product: "Event Alerting",
  skip: "Skip to content",
  main: "Main",
  workspace: "Workspace",
  theme: "Theme",
  account: "Account",
  signIn: "Sign in",
  signOut: "Sign out",
  more: "More",
  leaving: {
    heading: "Should this browser go on ringing?",
    lead: "It notifies you of alerts. On a computer that others use, let it stop: then nothing of yours stays here.",
    unsent: (count: number) =>
      `${count === 1 ? "One acknowledgement was" : `${count} acknowledgements were`} not sent yet. If the ringing stops here, so does the sending.`,
    stop: "Stop ringing and sign out",
    keep: "Keep ringing and sign out",
  },
  workbench: "Workbench",
  apiPages: "API",
  loading: "Loading",
  tryAgain: "Try again",
  cancel: "Cancel",
  close: "Close",
  copy: "Copy",
  copyOf: (what: string) => `Copy ${what}`,
  copied: "Copied.",
  edit: "Edit",
  editOf: (name: string) => `Edit ${name}`,
  remove: "Remove",
  removeOf: (what: string) => `Remove ${what}`,
  seeNow: "See what it is now (opens a new tab)",
  add: "Add",
  sections: { respond: "Respond", setUp: "Set up", workspace: "Workspace" },
  counts: { waiting: "Waiting for you", silences: "In force", devices: "May not be reached" },
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
    heartbeats: "Heartbeats",
    statistics: "Statistics",
    devices: "Devices",
    notificationRules: "Notification rules",
    keys: "API keys",
    webhooks: "Webhooks",
    connections: "Connections",
    secondFactor: "Second factor",
    audit: "Audit",
    sources: "Sources",
    whatIf: "What if",
    settings: "Settings",
  },
  login: {
    heading: "Event Alerting",
    lead: "See what is open, who is on call, and why you were told.",
    failed: "Signing in did not work, or was begun in another tab. Please try again.",
    denied: (reason: string) =>
      `The sign-in was refused: “${reason}”. Please try again; if it stays so, show this to whoever runs the sign-in.`,
    working: "Signing you in …",
  },
  press: {
    heading: "Acknowledge the alert",
    lead: "Your colleagues see that you take care of it, and nobody else is called.",
    acknowledge: "Acknowledge",
    acknowledged: "The alert is acknowledged.",
    confirmHeading: "The test has arrived",
    confirmLead: "Confirm it, and the console shows that this address can be reached.",
    confirm: "Confirm",
    confirmed: "It is noted that this address can be reached.",
    refused: "This link is not good any more. Sign in to the console to see what is open.",
  },
  notFound: { heading: "There is no such page", lead: "The address may be mistyped, or the page is gone." },
  notYours: {
    heading: "This workspace is not yours",
    lead: "The address leads to a workspace that is gone, or that you are no member of.",
  },
  noWorkspace: "Your first workspace",
  trouble: "What you see may be old.",
  line: {
    offline: "No network.",
    failing: "The service fails.",
    busy: "Too many requests.",
    showing: (time: string) => `Showing ${time}.`,
    trying: "Trying again …",
    next: (seconds: number) => `Trying again in ${seconds} s`,
    now: "Now",
  },
  changedBy: (name = "") => (name === "" ? "Last changed" : `Last changed by ${name}`),
  draft: {
    isBack: "What you had typed here and not saved is back.",
    startOver: "Start over",
    unsaved: "Unsaved changes",
  },
  ended: {
    lead: "Your session has ended. What you see may be old; what you typed stays here.",
    close: "You are signed in. You can close this window and go on where you were.",
  },
  changed: (n: number) => `${count(n, "new entry", "new entries")}: show`,
  failures: {
    offline: "No answer came: the network or the service is out of reach.",
    signedOut: "You are signed out. Sign in again to go on.",
    partGone: "A part of this page could not be loaded. Reload the page; if that does not help, tell your operator.",
    notFound: "This is not there. It may have been deleted, or belong to another workspace.",
    notAMember: "You are not a member of this workspace any more.",
    changedMeanwhile:
      "Somebody else has changed this since you opened it, so nothing was saved. What you typed is still here: look at what it is now, reload the page, start over and make your change on that.",
    tooFast: (seconds: number | undefined) =>
      seconds === undefined
        ? "Too many requests. Try again in a moment."
        : `Too many requests. Try again in ${seconds} s.`,
    ours: (requestId: string | undefined) =>
      `The service failed. Try again${requestId === undefined ? "." : `; if it stays so, report request ${requestId}.`}`,
  },
  chooseFirst: "Choose an entry first: j and k move.",
  priority: { LOW: "Low", NORMAL: "Normal", HIGH: "High", URGENT: "Urgent" },
  states: { open: "Open", acknowledged: "Acknowledged", resolved: "Resolved", expired: "Expired" },
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
    /** Before and after the time that is left. */
    escalates: (names: readonly string[]): readonly [before: string, after: string] => [
      names.length === 0
        ? "Escalates in"
        : `Escalates to ${names.slice(0, 2).join(", ")}${names.length > 2 ? ` and ${count(names.length - 2, "other", "others")}` : ""} in`,
      "",
    ],
    isNew: (priority: string, title: string, others: number) =>
      `New, ${priority.toLowerCase()}: ${title}${others === 0 ? "" : ` and ${count(others, "other", "others")}`}`,
    sending: "Sending",
    notSent: "Not sent yet",
    askAll: (n: number) => `Acknowledge ${count(n, "event", "events")}?`,
    askedAll: (names: readonly string[]) =>
      names.length === 0
        ? "Their escalations end for everybody."
        : `Their escalations end for everybody. Told so far: ${names.slice(0, NAMED_MAX).join(", ")}${names.length > NAMED_MAX ? ` and ${count(names.length - NAMED_MAX, "other", "others")}` : ""}.`,
    andMore: (n: number) => `and ${count(n, "other", "others")}`,
    acknowledgeThese: (n: number) => `Acknowledge ${count(n, "event", "events")}`,
    told: (n: number) => count(n, "notification", "notifications"),
    more: (n: number) => `${count(n, "older event is", "older events are")} open, too.`,
    moreOfMine: "There is more that waits for you; it follows when some of this is acknowledged.",
    acknowledged: (n: number) => `${count(n, "event", "events")} acknowledged.`,
    kept: (n: number) =>
      `${count(n, "acknowledgement is", "acknowledgements are")} not sent yet; kept, and tried again until it is.`,
    because: (rule: string, step: number) =>
      step === 0 ? `by rule ${rule}` : `by rule ${rule}, escalation step ${step}`,
  },
  palette: {
    open: "Go to",
    heading: "Go to a page, rule, group or person",
    places: "Places",
    found: (n: number) => count(n, "place", "places"),
    kinds: { page: "Page", rule: "Rule", group: "Group", person: "Person" },
  },
  group: {
    count: (n: number, title: string) => `${count(n, "event", "events")} of the group of ${title}`,
    of: (title: string) => `The group of ${title}`,
    more: "Show more",
    none: "They are older than the newest 1,000 events.",
    in: "in:",
    itsGroup: "the event that rang",
    which: (values: readonly string[]) =>
      values.length === 0 ? "The group is all events of the rule" : `The group: ${values.join(", ")}, by the rule`,
  },
  roles: {
    role: "Role",
    names: { viewer: "Viewer", responder: "Responder", manager: "Manager", owner: "Owner" },
    may: {
      viewer: "Reads everything, acknowledges, and has devices of their own.",
      responder: "Also resolves, snoozes, escalates, and gives away and takes over their own shifts.",
      manager: "Also changes rules, groups, schedules, policies, silences, heartbeats and keys.",
      owner: "Also changes people, roles and the workspace's settings.",
    },
    this: "Changing something here",
    handling: "Handling an event beyond acknowledging it",
    schedules: "Changing schedules, and the shifts of others,",
    needed: (what: string, needed: string, role: string) =>
      `${what} needs the role ${needed.toLowerCase()}; you are a ${role.toLowerCase()} here. An owner can change that, under People.`,
  },
  ago: { now: "just now", soon: "in a moment" },
  duty: {
    youAre: (groups: readonly string[]) => `You are on call: ${groups.join(", ")}.`,
    youAreFor: (group: string, until: string | undefined) => (until === undefined ? group : `${group} until ${until}`),
    yourNext: (group: string, at: string) => `Your next shift: ${group}, ${at}.`,
  },
  quiet: {
    overEverything: (name: string, until: string | undefined) =>
      `The silence "${name}" keeps every event still${until === undefined ? "" : ` until ${until}`}.`,
    see: "See silences",
  },
};
export type First = Catalogue<typeof first>;
