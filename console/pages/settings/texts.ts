/** The words of the page of the workspace's settings; they are loaded with it. */
export const texts = {
  name: "Name of the workspace",
  limited: "Ring nobody too often",
  limitedHint: "What comes beyond it is told without a sound, in one line. A higher priority still rings.",
  loud: "Rings of one person within ten minutes",
  open: "Open the page to acknowledge",
  openHint: "Whoever holds a locked phone cannot acknowledge from its lock screen.",
  floor: "Urgent alerts reach everybody in time",
  floorHint: "Whatever somebody's own notification rules say.",
  floorWays: "By one of",
  floorMinutes: "Within how many minutes",
  topics: "Topics of Amazon SNS",
  topicsHint: "Their ARNs, one a line: subscriptions of these topics are confirmed.",
  save: "Save",
  saved: "The settings are saved.",
  plan: "Plan and usage",
  events: "Events this month",
  used: (used: number, limit: number) => `${used.toLocaleString("en")} of ${limit.toLocaleString("en")}`,
  resetAt: "The count begins again",
  perMinute: "Events a minute",
  perMinuteOf: (perMinute: number, burst: number) =>
    `${perMinute.toLocaleString("en")}, and ${burst.toLocaleString("en")} at once`,
} as const;
