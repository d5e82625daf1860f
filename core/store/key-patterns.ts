/*
 * The kinds of items by their partition keys, in IAM's notation: `*` is any text, `?` any character. A public function
 * is granted only these. Its code decides which workspace it reads; IAM decides which kinds of items.
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
 * The items under a workspace's own key: its admission, its settings, and counts. The second pattern excludes ids
 * with more parts, because ids have no fixed length, and `*` matches every character.
 */
export const workspaceKeys = { like: "WS#*", unlike: "WS#*#*" };
