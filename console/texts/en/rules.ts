import type { Catalogue } from "../catalogue.ts";
import { counted as count, number } from "../numbers.ts";
import { duration } from "./duration.ts";

/** What the rules, a rule and its effect say. */
export const texts = {
  rules: {
    newRule: "New rule",
    empty: "No rule yet. A rule says which events wake whom.",
    on: "Enabled",
    off: "Disabled",
    turnOff: "Disable",
    askTurnOff: "Events are still received, but this rule no longer notifies anyone.",
    turnOnAgain: "Enable",
    turn: (enabled: boolean, name: string) => `${enabled ? "Disable" : "Enable"} ${name}`,
    turnedOn: (name: string) => `The rule "${name}" is enabled.`,
    turnedOff: (name: string) => `The rule "${name}" is disabled.`,
    inChain: (chain: string, place: number) => `${chain}, ${number(place)}`,
    earlier: (name: string) => `Move ${name} up in its chain`,
    later: (name: string) => `Move ${name} down in its chain`,
    moved: (name: string, chain: string, place: number) =>
      `The rule "${name}" is number ${number(place)} in the chain "${chain}".`,
    conditions: (n: number) => (n === 0 ? "no condition" : count(n, "condition", "conditions")),
  },
  rule: {
    heading: "Rule",
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
    fallback: "Only where no other rule applies",
    fallbackHint: "For what would otherwise reach nobody.",
    chain: "Chain",
    chainHint: "Only the first rule of a chain that matches applies. Empty: the rule applies whatever others do.",
    position: "Position in the chain",
    ringsOnce: "Ring once for a group of events",
    ringsOnceHint:
      "The first rings; its notification then says without a sound how many came after it. A higher priority rings.",
    groupBy: "Events with the same",
    groupByHint: "At most 3 fields with commas between them, such as data.host. None: all events of the rule.",
    groupMinutes: "For how many minutes",
    counts: "Ring only when several events have come",
    count: "How many events",
    withinMinutes: "Within how many minutes",
    save: "Save",
    saved: (name: string) => `The rule "${name}" is saved.`,
    like: "Make another like it",
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
    pastEvents: "Past events",
    strip: "When it would have matched, hour by hour",
    stripSaid: (matched: number, told: number) =>
      `${count(matched, "event", "events")}, of which somebody would have been told of ${number(told)}.`,
    past: { 7: "The last week", 28: "The last four weeks" },
    lookBack: "Look back over",
    matched: (n: number, events: number, all: boolean) =>
      `It would have matched ${number(n)} of the ${all ? "" : "newest "}${count(events, "event", "events")}.`,
    difference: (more: number, less: number) =>
      `Other than now: ${count(more, "event", "events")} would have told somebody more, ${count(less, "event", "events")} somebody less.`,
    silenced: "A silence would have kept it still.",
    grouped: "Another event of its group would have rung.",
    belowThreshold: "Too few would have come for it to ring.",
    flapping: "It would have been held, because its alert flaps, and was over before the hold ended.",
    rings: (before: number, after: number) =>
      `People would have been rung for ${count(after, "time", "times")}, not ${number(before)}.`,
    tooMany: (n: number) =>
      `${count(n, "notification", "notifications")} would have made no sound, because too many came.`,
    notKnown: "Whoever had acknowledged a group at night would have been rung for less often.",
    saved: (n: number, of: number) =>
      `It would have saved ${number(n)} of ${count(of, "notification", "notifications")}.`,
    delayedByGroup:
      "Of what came after the first of a group, people would have been told without a sound, 30 s later at most.",
    delayed: (n: number, seconds: number) =>
      `Of ${count(n, "event", "events")} people would have been told later, when enough had come: after ${duration(seconds)} at most.`,
    untold: (n: number) => `Of ${count(n, "event", "events")} nobody would have been told, because too few came.`,
    more: (n: number) => count(n, "other", "others"),
    newest: "The newest events with a fitting key",
    fitting: (n: number, recent: number) =>
      recent === 0
        ? "No event has come in yet on which the rule could be tried."
        : n === 0
          ? `None of the last ${count(recent, "event", "events")} has a fitting key.`
          : `Of the last ${count(recent, "event", "events")}, ${number(n)} ${n === 1 ? "has" : "have"} a fitting key. The newest of them:`,
  },
};
export type Texts = Catalogue<typeof texts>;
