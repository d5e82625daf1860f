import type { Catalogue } from "../catalogue.ts";
import { formatCount as count, formatNumber } from "../numbers.ts";
import { formatDuration } from "./duration.ts";

export const texts = {
  rules: {
    newRule: "New rule",
    empty:
      "No rules yet. A rule decides who is notified of which events: for example, order.failed notifies the people on call in Payments.",
    on: "Enabled",
    off: "Disabled",
    turnOff: "Disable",
    askTurnOff: "Events are still received, but this rule no longer notifies anyone.",
    turnOnAgain: "Enable",
    turn: (enabled: boolean, name: string) => `${enabled ? "Disable" : "Enable"} ${name}`,
    turnedOn: (name: string) => `Rule "${name}" enabled.`,
    turnedOff: (name: string) => `Rule "${name}" disabled.`,
    inChain: (chain: string, place: number) => `${chain}, ${formatNumber(place)}`,
    earlier: (name: string) => `Move ${name} up in its chain`,
    later: (name: string) => `Move ${name} down in its chain`,
    moved: (name: string, chain: string, place: number) =>
      `The rule "${name}" is number ${formatNumber(place)} in the chain "${chain}".`,
    conditions: (n: number) => (n === 0 ? "no condition" : count(n, "condition", "conditions")),
  },
  rule: {
    heading: "Rule",
    when: "When",
    whom: "Whom",
    how: "How",
    groups: "Groups",
    noGroups: "No groups yet. Create one first.",
    requiresAck: "Requires acknowledgement",
    priority: "Priority",
    asEvent: "As the event says",
    critical: "Critical",
    onCallOnly: "On call only",
    onCallOnlyHint: "Only members who are on call when the event arrives.",
    policy: "Escalation policy",
    noPolicy: "None",
    enabled: "Enabled",
    fallback: "Only if no other rule matches",
    fallbackHint: "For events that would otherwise notify nobody.",
    chain: "Chain",
    chainHint:
      "Only the first matching rule of a chain applies. Leave empty to make the rule independent of other rules.",
    position: "Position in the chain",
    ringsOnce: "Notify once for a group of events",
    ringsOnceHint:
      "The first event notifies people. That notification is then updated silently with the number of later events. An event of higher priority notifies people again.",
    groupBy: "Events with the same",
    groupByHint:
      "At most 3 fields, separated by commas, such as data.host. Leave empty to group all events of the rule.",
    groupMinutes: "Grouping time in minutes",
    counts: "Notify only after several events",
    count: "Number of events",
    withinMinutes: "Time window in minutes",
    save: "Save",
    saved: (name: string) => `Rule "${name}" saved.`,
    like: "Duplicate rule",
    delete: "Delete rule",
    deleteQuestion: (name: string) =>
      `Delete the rule "${name}"? Events are still received, but this rule no longer notifies anyone.`,
    deleted: (name: string) => `Rule "${name}" deleted.`,
  },
  probeLinks: {
    heading: "Probe",
    lead: "A probe is a silent event that this rule matches. The recipients' devices confirm the push of the probe.",
    none: "No probe in the last eight days, or no probe since the last change of the rule.",
    run: "Probe",
    sent: "Probe sent. The devices have two minutes to confirm the push.",
    tooSoon: (seconds: number) => `A rule can be probed once a minute. Try again in ${formatNumber(seconds)} s.`,
    event: "Event of this probe",
    of: "Probe of the rule",
    ofGone: "Probe of a rule that was deleted.",
    ofSwitch:
      "A test event of the dead man's switch that monitors this service. Owners set up the switch on the page “Heartbeats”.",
    later: "Since this probe, the rule was probed again or changed, so the result of this probe is not shown.",
    links: {
      accepted: "Accepted",
      matched: "Matched",
      recipient: "Recipient",
      sent: "Accepted by the push service",
      confirmed: "Confirmed by a device",
    },
    waiting: "not yet",
    faults: {
      api_key_deleted: "The API key that sent the last matching event was deleted. Create a new key for the sender.",
      not_matched:
        "No rule was applied to the probe within two minutes. Probe again; if this continues, ask the operator.",
      rule_disabled: "The rule is disabled. Enable it.",
      contradiction: "The conditions contradict each other. Change one of the conditions.",
      outside_active_hours: "The probe came outside the rule's active hours. Probe again in the active hours.",
      no_example:
        "No event has matched this rule yet, and an event made from the rule's conditions does not match either. Send a test event.",
      no_match: "The last event that matched this rule no longer matches. Check the conditions.",
      group_deleted: "A group of the rule was deleted. Choose another group.",
      group_empty: "A group of the rule has no members. Add somebody.",
      nobody_on_call: "Nobody is on call in the rule's groups. Check the schedule.",
      no_recipient: "The rule notifies nobody. Choose a group with members.",
      no_device: "The recipients have no device for pushes. Ask the recipients to register a device.",
      not_sent: "No push was sent within two minutes. Probe again. During a shadow, no push is sent.",
      unregistered:
        "The recipients' devices are not registered any more. Ask the recipients to open the app or the console.",
      not_confirmed: "No device confirmed the push within two minutes. Ask a recipient to test their devices.",
    },
    refused: (code: string) => `The push service refused the push (${code}). Ask a recipient to test their devices.`,
  },
  effect: {
    heading: "Preview",
    matches: "Matches",
    matchesNot: "Does not match",
    nobody: "The rule would notify nobody.",
    told: (names: string) => `The rule would notify ${names}.`,
    noOne: "nobody",
    thenAndNow: (then: string, now: string) => `At that time: ${then} · Now: ${now}`,
    noGroup: "Choose a group; without a group, nobody is notified.",
    pastEvents: "Past events",
    strip: "When the rule would have matched, hour by hour",
    stripSaid: (matched: number, notified: number) =>
      `${count(matched, "event", "events")}, of which ${formatNumber(notified)} would have notified somebody.`,
    past: { 7: "The last week", 28: "The last four weeks" },
    lookBack: "Period of past events",
    matched: (n: number, events: number, all: boolean) =>
      `The rule would have matched ${formatNumber(n)} of the ${all ? "" : "newest "}${count(events, "event", "events")}.`,
    difference: (more: number, less: number) =>
      `Compared with today: ${count(more, "event", "events")} would have notified more people, and ${formatNumber(less)} would have notified fewer.`,
    silenced: "A silence would have covered the event.",
    grouped: "The event would have been grouped with another event.",
    belowThreshold: "The event would have been below the threshold.",
    flapping:
      "The alert was flapping: the event would have been held back, and the alert ended before people were notified.",
    rings: (before: number, after: number) =>
      `People would have been paged ${count(after, "time", "times")} instead of ${formatNumber(before)}.`,
    tooMany: (n: number) =>
      `${count(n, "notification", "notifications")} would have been silent because of the page limit.`,
    notKnown: "Quiet periods after acknowledgements at night are not counted here; they would avoid more pages.",
    saved: (n: number, of: number) =>
      `The rule would have avoided ${formatNumber(n)} of ${count(of, "notification", "notifications")}.`,
    delayedByGroup:
      "Later events of a group of events would only have updated its notifications silently, within 30 s.",
    delayed: (n: number, seconds: number) =>
      `${count(n, "event", "events")} would have notified people later, when the threshold was reached: after ${formatDuration(seconds)} at most.`,
    untold: (n: number) =>
      `${count(n, "event", "events")} would have notified nobody, because the threshold was not reached.`,
    more: (n: number) => count(n, "other", "others"),
    fitting: (n: number, recent: number) =>
      recent === 0
        ? "No events yet to try the rule on."
        : n === 0
          ? `None of the last ${count(recent, "event", "events")} has a matching event key.`
          : `Of the last ${count(recent, "event", "events")}, ${formatNumber(n)} ${n === 1 ? "has" : "have"} a matching event key.`,
  },
};
export type Texts = Catalogue<typeof texts>;
