import type { Catalogue } from "../catalogue.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";

export const texts = {
  settings: {
    setUp: "Setup file",
    setUpLead:
      "The file names people, groups, schedules, policies, rules, keys, silences, webhooks and connections, without secrets. Keep the file in a repository, compare versions, and apply the file to this or another workspace.",
    export: "Export",
    setUpToken: "Set the environment variable SESSION_TOKEN to your access token.",
    name: "Workspace name",
    limited: "Per-person page limit",
    limitedHint:
      "Alerts over the limit are summarized silently in one notification. An alert of higher priority still pages.",
    loud: "Pages per person in ten minutes",
    open: "Acknowledge only on the event page",
    openHint: "Alerts cannot be acknowledged from the lock screen of a phone.",
    floor: "Required channels for urgent alerts",
    floorHint: "Applies even if somebody's notification steps say otherwise.",
    floorWays: "At least one of these channels",
    floorMinutes: "Time limit in minutes",
    proof: "Check reachability before shifts",
    proofHint:
      "Before a shift, a device of the person coming on call must confirm a silent push; otherwise the next channel is tried. If no device confirms, the managers and the person on call before the shift are notified.",
    proofMinutes: "Minutes before the shift",
    pay: "Pay for on call",
    payHint: "Rates in cents: 1250 means 12.50 in your currency. The Load page then shows pay, to owners only.",
    cents: "Cents per hour, and per page at night",
    paid: {
      weekday: "Weekday hour (cents)",
      night: "Night hour (cents)",
      weekend: "Weekend hour (cents)",
      holiday: "Holiday hour (cents)",
      nightPage: "Page at night (cents)",
    },
    topics: "Amazon SNS topics",
    topicsHint: "One ARN per line. Subscriptions of these topics are confirmed automatically.",
    save: "Save",
    saved: "Settings saved.",
    remove: "Delete this workspace",
    removeLead:
      "The deletion takes effect at once for everybody: nobody can open the workspace, its API keys are refused and nobody is notified. This cannot be undone. The data is deleted within hours.",
    removeName: "Type the workspace's name to delete it",
    plan: "Plan and usage",
    events: "Events this month",
    used: (used: number, limit: number) => `${formatNumber(used)} of ${formatNumber(limit)}`,
    resetAt: "Resets",
    perMinute: "Events a minute",
    perMinuteOf: (perMinute: number, burst: number) =>
      `${formatNumber(perMinute)}, with bursts of ${formatNumber(burst)}`,
    kept: "Events are kept",
    keptFor: (days: number) => count(days, "day", "days"),
  },
};
export type Texts = Catalogue<typeof texts>;
