import type { Catalogue } from "../catalogue.ts";

/** The texts of connections. */
export const texts = {
  connections: {
    newConnection: "New connection",
    edit: "Edit connection",
    name: "Name",
    nameHint: "Who uses the channel, such as the operations team.",
    kind: "Type",
    kinds: {
      slack: "Slack channel",
      teams: "Teams channel",
      slack_user_group: "Slack user group that follows who is on call",
    },
    short: { slack: "Slack", teams: "Teams", slack_user_group: "Slack user group" },
    channel: "Channel",
    channelHint: "The channel ID, such as C0123456789, at the end of the channel's details in Slack.",
    userGroup: "User group",
    userGroupHint:
      "The ID, such as S0123456789: in Slack under People, User groups, in the menu of the group. The people on call replace everybody who is in it now.",
    url: "Workflow URL",
    urlHint: "Teams shows it under Workflows, Send webhook alerts to a channel. It is not shown again here.",
    tiesHint: "If nothing is selected, every event that notifies someone is posted.",
    rules: "Events matched by these rules",
    groups: "Events that notify these groups",
    followed: "Who is on call in these groups",
    follows: (names: string) => `Who is on call in ${names}`,
    inIt: (names: string) => `In it: ${names}`,
    nobody: "nobody",
    unlinked: (names: string) =>
      `On call but missing: ${names}. They must press a button of an alert in Slack once and link their account.`,
    kept: {
      nobody_on_call: "Nobody is on call, so its members stay as they are.",
      nobody_linked: "Nobody on call has linked a Slack account, so its members stay as they are.",
    },
    notYet: "It is filled within a minute.",
    save: "Save",
    saved: (name: string) => `Connection "${name}" saved.`,
    empty:
      "No connections yet. Post events to a Slack or Teams channel, or keep a Slack user group in sync with who is on call.",
    everything: "Every event",
    gone: "(deleted)",
    status: { active: "Working", waiting: "Failing", suspended: "Suspended", paused: "Paused" },
    since: "since",
    nextTry: "next try",
    lastTry: (code: string) => `last try: ${code}`,
    test: "Test",
    tested: "Test posted to the channel.",
    broughtUpToDate: "The user group has the people on call.",
    notTested: (code: string) => `The test failed: ${code}.`,
    pause: "Pause",
    resume: "Resume",
    paused: (name: string) => `Connection "${name}" paused. Messages wait until you resume it.`,
    resumed: (name: string) => `Connection "${name}" resumed. Waiting messages are sent now.`,
    delete: "Delete",
    deleteQuestion: (name: string) =>
      `Delete the connection "${name}"? Posted messages and members of the user group stay as they are.`,
    deleted: (name: string) => `Connection "${name}" deleted.`,
    tie: "Link your Slack account",
    tieQuestion: (who: string) =>
      `Is ${who} your own Slack account? Buttons pressed with it acknowledge and resolve in your name. If somebody sent you this link, answer no.`,
    tieYes: "Yes, it is mine",
    tieNo: "No",
    tied: "Account linked. Press the button in Slack again.",
    untie: "Unlink my Slack account",
    untied: "Slack account unlinked. You are removed from its user groups.",
  },
};
export type Texts = Catalogue<typeof texts>;
