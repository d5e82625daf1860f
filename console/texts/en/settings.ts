import type { Catalogue } from "../catalogue.ts";
import { number } from "../numbers.ts";

/** What the settings say. */
export const texts = {
  settings: {
    setUp: "The set-up as a file",
    setUpLead:
      "People, groups, schedules, policies, rules, keys, silences, webhooks and connections by their names, without any secret: to keep in a repository, to compare, and to apply to this or another workspace.",
    export: "Export",
    setUpToken: "It asks for SESSION_TOKEN, an access token of yours, in the environment.",
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
    proof: "A shift begins with a proof",
    proofHint:
      "Before it, a quiet push must be confirmed by a device of whoever comes on call, or the next way is tried. If nothing is, whoever is on call before and the managers are told.",
    proofMinutes: "How many minutes before",
    topics: "Topics of Amazon SNS",
    topicsHint: "Their ARNs, one a line: subscriptions of these topics are confirmed.",
    save: "Save",
    saved: "The settings are saved.",
    remove: "Delete this workspace",
    removeLead:
      "For good, and at once for everybody: nobody can open it, its API keys are refused, nobody is told of anything more. What it had is taken away in the hours after. Nothing brings it back.",
    removeName: "Type the workspace's name to delete it",
    plan: "Plan and usage",
    events: "Events this month",
    used: (used: number, limit: number) => `${number(used)} of ${number(limit)}`,
    resetAt: "The count begins again",
    perMinute: "Events a minute",
    perMinuteOf: (perMinute: number, burst: number) => `${number(perMinute)}, and ${number(burst)} at once`,
    kept: "Events are kept",
    keptFor: (days: number) => `${number(days)} days`,
  },
};
export type Texts = Catalogue<typeof texts>;
