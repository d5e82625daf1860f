/*
 * The kinds of items by their partition keys, in IAM's notation: `*` is any text, `?` any character. A function that
 * strangers can reach is granted these alone. Which workspace it reads, its code decides; what kinds of things, IAM does.
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
  slackAccounts: ["WS#*#SLACK"],
  calendars: ["WS#*#CALENDARS", "CALENDAR#*"],
} as const;
export type KeyKind = keyof typeof keyPatterns;

/**
 * What stands under a workspace's own key: its admission, its settings, and counts. Like the first pattern, unlike the
 * second: ids have no fixed length, and `*` takes every character.
 */
export const workspaceKeys = { like: "WS#*", unlike: "WS#*#*" };
