import type { Catalogue } from "../catalogue.ts";

/** What the connections say. */
export const texts = {
  connections: {
    newConnection: "New connection",
    edit: "Edit connection",
    name: "Name",
    nameHint: "What talks there, such as the operations team.",
    kind: "Where",
    kinds: {
      slack: "Channel of Slack",
      teams: "Channel of Teams",
      slack_user_group: "User group of Slack, which follows who is on call",
    },
    short: { slack: "Slack", teams: "Teams", slack_user_group: "Slack user group" },
    channel: "Channel",
    channelHint: "Its id, such as C0123456789: Slack shows it at the end of the channel's details.",
    userGroup: "User group",
    userGroupHint:
      "Its id, such as S0123456789: under People, User groups, in the menu of the group. Whoever is on call replaces all who are in it now.",
    url: "Address of the workflow",
    urlHint: "As Teams shows it under Workflows, Send webhook alerts to a channel. It is not shown again.",
    tiesHint: "Nothing chosen: every event that tells somebody goes there.",
    rules: "Events that these rules have matched",
    groups: "Events that tell these groups",
    followed: "Who is on call in these groups",
    follows: (names: string) => `Who is on call in ${names}`,
    inIt: (names: string) => `In it: ${names}`,
    nobody: "nobody",
    unlinked: (names: string) =>
      `On call, and left out: ${names}. They press a button of an alert in Slack once, and say by its link who they are.`,
    kept: {
      nobody_on_call: "Nobody is on call, so it keeps who was in it.",
      nobody_linked: "Nobody who is on call is known in Slack, so it keeps who was in it.",
    },
    notYet: "Is filled within a minute.",
    save: "Save",
    saved: (name: string) => `The connection "${name}" is saved.`,
    empty:
      "No connection yet. A channel of Slack or Teams can follow what becomes of events, and a user group of Slack who is on call.",
    everything: "Every event",
    gone: "(deleted)",
    status: { active: "Takes messages", waiting: "Takes nothing", suspended: "Suspended", paused: "Paused" },
    since: "since",
    nextTry: "next try",
    lastTry: (code: string) => `last try: ${code}`,
    test: "Test",
    tested: "The test is in the channel.",
    broughtUpToDate: "It has whoever is on call.",
    notTested: (code: string) => `The test was not taken: ${code}.`,
    pause: "Pause",
    resume: "Resume",
    paused: (name: string) => `The connection "${name}" is paused. What happens meanwhile waits.`,
    resumed: (name: string) => `The connection "${name}" is sent what has waited.`,
    delete: "Delete",
    deleteQuestion: (name: string) =>
      `Delete the connection "${name}"? What was posted, and who is in a user group, stays there.`,
    deleted: (name: string) => `The connection "${name}" is deleted.`,
    tie: "Your account in Slack",
    tieQuestion: (who: string) =>
      `Is ${who} your own account in Slack? Whoever uses it there then acknowledges and resolves in your name. If somebody sent you this link, say no.`,
    tieYes: "Yes, it is mine",
    tieNo: "No",
    tied: "Done. Press the button in Slack again: it now counts as yours.",
    untie: "Untie my Slack account",
    untied: "Presses in Slack no longer count as yours, and no user group there has you.",
  },
};
export type Texts = Catalogue<typeof texts>;
