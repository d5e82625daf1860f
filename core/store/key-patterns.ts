/*
 * The partition keys of each kind of item, in IAM's notation: `*` is any text, `?` is any character. IAM lets a public Lambda
 * function access only the listed kinds of items. Only a function's code limits the function to its caller's workspace.
 */
export const keyPatterns = {
  apiKeys: ["WS#*#KEYS"],
  claims: ["WS#*#DEDUPE#*", "WS#*#IDEM#*"],
  events: ["WS#*#EVENTS", "WS#*#EVENTS#?"],
  lostNumbers: ["WS#*#LOST"],
  markers: ["PENDING#??", "STEPS#??"],
  packs: ["WS#*#NOTIFICATIONS", "WS#*#NOTIFICATIONS#*"],
  planParts: ["WS#*#PLAN#*"],
  escalations: ["WS#*#ESCALATIONS"],
  firings: ["WS#*#FIRINGS"],
  grouped: ["WS#*#GROUPED#*"],
  openEvents: ["WS#*#OPEN", "WS#*#OPEN#*"],
  statistics: ["WS#*#STATISTICS"],
  people: ["WS#*#PEOPLE"],
  devices: ["WS#*#DEVICES"],
  heartbeats: ["WS#*#HEARTBEATS"],
  heartbeatChecks: ["HEARTBEATS#??"],
  held: ["WS#*#HELD#*"],
  probes: ["WS#*#PROBES"],
  slackAccounts: ["WS#*#SLACK"],
  calendars: ["WS#*#CALENDARS", "CALENDAR#*"],
} as const;
export type KeyKind = keyof typeof keyPatterns;

/** A workspace's own items: admission, settings, counts. `*` also matches `#`, so `unlike` excludes longer keys. */
export const workspaceKeys = { like: "WS#*", unlike: "WS#*#*" };
