import type { Catalogue } from "../catalogue.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";

const NAMED_MAX = 8;

/** Texts that are needed before the inbox can be used. */
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
    heading: "Keep notifications on in this browser?",
    lead: "This browser notifies you of alerts. On a shared computer, turn notifications off: then none of your data stays here.",
    unsent: (count: number) =>
      count === 1
        ? "One acknowledgement has not been sent yet. Turning notifications off discards it."
        : `${count} acknowledgements have not been sent yet. Turning notifications off discards them.`,
    stop: "Turn off and sign out",
    keep: "Keep on and sign out",
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
  undo: "Undo",
  undone: "Undone.",
  remove: "Remove",
  removeOf: (what: string) => `Remove ${what}`,
  seeNow: "See the current version (opens a new tab)",
  add: "Add",
  counts: { waiting: "Waiting for you", silences: "Active", devices: "May be unreachable" },
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
    import: "Import",
    integrations: "Integrations",
    insights: "Insights",
    statistics: "Statistics",
    load: "Load",
    devices: "Devices",
    notificationRules: "Notification steps",
    keys: "API keys",
    webhooks: "Webhooks",
    connections: "Channels",
    secondFactor: "Second factor",
    audit: "Audit",
    shadow: "Shadow",
    sources: "Sources",
    simulator: "Simulator",
    settings: "Settings",
  },
  login: {
    heading: "Event Alerting",
    lead: "See what is open, who is on call, and why you were notified.",
    failed: "Sign-in failed or was started in another tab. Try again.",
    denied: (reason: string) =>
      `Sign-in was refused: “${reason}”. Try again; if this continues, show this message to your administrator.`,
    working: "Signing you in …",
  },
  press: {
    heading: "Acknowledge the alert",
    lead: "Your colleagues see that you are working on the alert, and nobody else is notified.",
    acknowledge: "Acknowledge",
    acknowledged: "The alert is acknowledged.",
    confirmHeading: "The test has arrived",
    confirmLead: "Confirm the test to show in the console that this address can be reached.",
    confirm: "Confirm",
    confirmed: "Confirmed: this address can be reached.",
    refused:
      "This link has expired, or your workspace requires signing in. Sign in to the console to see what is open.",
  },
  notFound: { heading: "Page not found", lead: "Check the address, or start at the inbox." },
  notYours: {
    heading: "No access to this workspace",
    lead: "The workspace does not exist, or you are not a member of it.",
  },
  noWorkspace: "Your first workspace",
  trouble: "This page may be out of date.",
  line: {
    offline: "No network.",
    failing: "The service returned an error.",
    busy: "Too many requests.",
    showing: (time: string) => `Data from ${time}.`,
    trying: "Trying again …",
    next: (seconds: number) => `Trying again in ${seconds} s`,
    now: "Now",
  },
  changedBy: (name = "") => (name === "" ? "Last changed" : `Last changed by ${name}`),
  draft: {
    isBack: "Your unsaved changes were restored.",
    startOver: "Start over",
    unsaved: "Unsaved changes",
  },
  ended: {
    lead: "Your session has ended. This page may be out of date; your changes are kept.",
    close: "You are signed in. Close this window to continue.",
  },
  changed: (n: number) => `Show ${count(n, "new entry", "new entries")}`,
  failures: {
    offline: "The service did not answer. Check the network.",
    signedOut: "You are signed out. Sign in again to continue.",
    partGone: "Part of this page could not be loaded. Reload the page; if this continues, contact your operator.",
    notFound: "Not found. The item was deleted or belongs to another workspace.",
    notAMember: "You are no longer a member of this workspace.",
    changedMeanwhile:
      'Somebody else changed this after you opened it, so nothing was saved. Your changes are still in this form. Compare them with the current version; then reload this page, press "Start over" and enter them again.',
    tooFast: (seconds: number | undefined) =>
      seconds === undefined
        ? "Too many requests. Try again in a moment."
        : `Too many requests. Try again in ${seconds} s.`,
    ours: (requestId: string | undefined) =>
      `The service returned an error. Try again${requestId === undefined ? "." : `; if this continues, report request ${requestId} to your operator.`}`,
  },
  chooseFirst: "First select an entry with j or k.",
  priority: { LOW: "Low", NORMAL: "Normal", HIGH: "High", URGENT: "Urgent" },
  states: { open: "Open", acknowledged: "Acknowledged", resolved: "Resolved", expired: "Expired" },
  status: {
    QUEUED: "Queued",
    SENT: "Sent",
    DELIVERED: "Delivered",
    OPENED: "Opened",
    ACKNOWLEDGED: "Acknowledged",
    FAILED: "Failed",
    SHADOW: "Shadow",
  },
  inbox: {
    acknowledge: "Acknowledge",
    acknowledgeAll: "Acknowledge all",
    everyones: "All open",
    empty: "No open alerts for you.",
    emptyShared: "No open alerts.",
    toEvents: "See all events",
    /** The remaining time is shown between the two texts. */
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
        ? "The escalations of these events end for everybody."
        : `The escalations of these events end for everybody. Notified so far: ${names.slice(0, NAMED_MAX).join(", ")}${names.length > NAMED_MAX ? ` and ${count(names.length - NAMED_MAX, "other", "others")}` : ""}.`,
    andMore: (n: number) => `and ${count(n, "other", "others")}`,
    acknowledgeThese: (n: number) => `Acknowledge ${count(n, "event", "events")}`,
    names: (who: readonly string[]) =>
      `${who.slice(0, 3).join(", ")}${who.length > 3 ? ` and ${count(who.length - 3, "other", "others")}` : ""}`,
    open: (n: number) => `${formatNumber(n)} open`,
    shown: (n: number, of: number) => `${formatNumber(n)} of ${formatNumber(of)}`,
    newest: "newest",
    acknowledged: (n: number) => `${count(n, "event", "events")} acknowledged.`,
    kept: (n: number) =>
      `${count(n, "acknowledgement is", "acknowledgements are")} not sent yet. The console keeps trying.`,
    because: (rule: string) => `by rule ${rule}`,
  },
  palette: {
    open: "Go to",
    keys: "Ctrl K",
    heading: "Go to a page, rule, group or person",
    places: "Places",
    found: (n: number) => count(n, "place", "places"),
    kinds: { page: "Page", rule: "Rule", group: "Group", person: "Person" },
  },
  group: {
    count: (n: number, title: string) => `${count(n, "event", "events")} in the group of "${title}"`,
    of: (title: string) => `The group of "${title}"`,
    more: "Show more",
    none: "These events are not among the newest 1,000, so they cannot be shown here.",
    in: "Grouped with",
    itsGroup: "the event that notified people",
    which: (values: readonly string[]) =>
      values.length === 0
        ? "The group contains all events of the rule"
        : `The group contains the events with ${values.join(", ")} that match the rule`,
  },
  roles: {
    role: "Role",
    names: { viewer: "Viewer", responder: "Responder", manager: "Manager", owner: "Owner" },
    may: {
      viewer: "Reads everything, acknowledges events, and has devices of their own.",
      responder: "Also resolves, snoozes and escalates events, and gives away or takes over shifts.",
      manager: "Also changes rules, groups, schedules, policies, silences, heartbeats and keys.",
      owner: "Also changes people, roles and the workspace's settings.",
    },
    this: "Making changes here",
    handling: "Responding to an event",
    schedules: "Changing schedules, and the shifts of others,",
    needed: (what: string, needed: string, role: string) =>
      `${what} needs the role ${needed.toLowerCase()}; you are a ${role.toLowerCase()}. An owner can change your role under People.`,
  },
  ago: { now: "just now", soon: "in a moment" },
  duty: {
    youAre: (groups: readonly string[]) => `You are on call: ${groups.join(", ")}.`,
    youAreFor: (group: string, until: string | undefined) => (until === undefined ? group : `${group} until ${until}`),
    yourNext: (group: string, at: string) => `Your next shift: ${group}, ${at}.`,
  },
  quiet: {
    overEverything: (name: string, until: string | undefined) =>
      `The silence "${name}" silences every event${until === undefined ? "" : ` until ${until}`}.`,
    see: "See silences",
  },
};
export type First = Catalogue<typeof first>;
