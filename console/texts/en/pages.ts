import type { Catalogue } from "../catalogue.ts";
import { formatCount, formatNumber } from "../numbers.ts";
import { formatDuration } from "./duration.ts";

/** Texts of single pages are in files named after the page's path. */
export const pages = {
  span: (start: string, end: string) => `${start} to ${end}`,
  dutyWords: {
    nobody: "nobody",
    and: "and",
    insteadOf: (after: string, before: string) => `${after} instead of ${before}`,
  },
  groupGone: "a deleted group",
  duration: formatDuration,
  tools: {
    alertmanager: "Alertmanager",
    grafana: "Grafana",
    cloudwatch: "CloudWatch",
    sentry: "Sentry",
    github: "GitHub",
    "uptime-kuma": "Uptime Kuma",
    opsgenie: "Tools that send to Opsgenie",
    pagerduty: "Tools that send to PagerDuty",
    gitlab: "GitLab",
    zabbix: "Zabbix",
    datadog: "Datadog",
    "azure-monitor": "Azure Monitor",
    "google-cloud-monitoring": "Google Cloud",
    mapped: "Any other tool",
  },
  ways: { push: "Push", email: "Email", sms: "Text message", voice: "Call" },
  eventKey: "Event key",
  search: {
    label: "Search",
    found: (found: number, of: number) =>
      found === of ? `${formatNumber(of)} in all` : `${formatNumber(found)} of ${formatNumber(of)}`,
    none: (typed: string) => `No results for "${typed}".`,
  },
  trace: {
    missing: "nothing",
    was: "was",
    verdict: (held: boolean) => (held ? "Met:" : "Not met:"),
    activeHours: "Active hours",
    came: "The event was received at",
    fallback: (matched: string | undefined) =>
      matched === undefined ? "No other rule matched." : `This is a fallback rule, and the rule "${matched}" matched.`,
    chain: (name: string, matched: string | undefined) =>
      matched === undefined
        ? `No earlier rule of the chain "${name}" matched.`
        : `An earlier rule of the chain "${name}" matched: "${matched}".`,
    notBefore: "not:",
    anyCase: "(ignoring case)",
  },
  operators: {
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
  },
  week: {
    days: "Days",
    from: "From",
    to: "Until",
    hoursOf: (n: number) => `Hours ${n}`,
    addHours: "Add hours",
    removeHours: "Remove hours",
    zone: "Time zone",
  },
  push: {
    notifyHere: "Notify this browser",
    registeredHere: (name: string) => `${name} on this device now receives notifications.`,
    browsers: { Edg: "Edge", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" },
    cannot: "This browser cannot show notifications. On an iPhone, add the console to the home screen first.",
    denied: "Notifications are blocked for this page. Allow them in the browser's settings, then try again.",
    noService: "The browser's push service did not answer. Check the network, then try again.",
    platforms: { ios: "iPhone or iPad", android: "Android", web: "Browser", email: "Email", phone: "Phone number" },
  },
  reach: {
    states: {
      proven: "Reached recently",
      unproven: "Has a device that has not confirmed a push yet",
      silent: "No contact for 30 days; possibly unreachable",
      no: "No device; cannot be reached",
    },
    unnamed: "Device without a name",
  },
  probe: { green: "Confirmed", pending: "Not confirmed yet", red: "Broken", none: "Not probed" },
  matching: {
    name: "Name",
    eventKeyHint: "* matches all events, booking.* all events of a resource, booking.created one kind of event.",
    conditions: "Conditions",
    condition: (n: number) => `Condition ${n}`,
    match: "Conditions that must be met",
    all: "All of them",
    any: "Any of them",
    addCondition: "Add condition",
    removeCondition: "Remove condition",
    field: "Field",
    operator: "Operator",
    value: "Value",
    high: "And",
    listHint: "Separate values with commas.",
    not: "Must not be met",
    ignoreCase: "Ignore case",
  },
  mapping: {
    mapping: "Mapping",
    mappingHint:
      "JSON that maps the title, the text and other fields to paths in the tool's messages, such as incident.summary.",
    message: "Sample message",
    messageHint: "Paste a message of the tool (JSON or a form) to preview the event. Nothing is sent.",
    noJson: "The mapping must be JSON.",
    tried: "Preview",
    ignored: "No event",
    becomes: ({
      eventKey,
      title,
      priority,
      key,
    }: Record<"eventKey" | "title" | "key", string | undefined> & { priority: string | undefined }) =>
      [eventKey, title === "" ? undefined : title, priority, key === "" ? undefined : `identified by ${key}`]
        .filter((part) => part !== undefined)
        .join(" · "),
  },
  signing: {
    secret: "Client secret",
    secretHint:
      "Sentry shows this secret when you save the integration. If you enter it here, unsigned messages are refused. If you leave it empty, signatures are not checked.",
  },
  unreachable: (count: number, of: number, names: string) =>
    `${count} of ${formatCount(of, "person", "people")} cannot be reached: ${names}`,
  losses: {
    lastMember: (group: string) => `${group} would be empty: rules for this group would notify nobody.`,
    lastOnDuty: (group: string) =>
      `Nobody would be on call in ${group} until the next shift: rules for people on call would notify nobody.`,
  },
};
export type Pages = Catalogue<typeof pages>;
