import type { Catalogue } from "../catalogue.ts";

export const texts = {
  connections: {
    newConnection: "New connection",
    edit: "Edit connection",
    name: "Name",
    nameHint: "The team that uses the channel, such as Operations.",
    kind: "Type",
    kinds: {
      slack: "Slack channel",
      teams: "Teams channel",
      slack_user_group: "Slack user group that follows who is on call",
    },
    short: { slack: "Slack", teams: "Teams", slack_user_group: "Slack user group" },
    channel: "Channel",
    channelHint: "The channel ID, such as C0123456789. Slack shows it at the end of the channel's details.",
    userGroup: "User group",
    userGroupHint:
      'The ID, such as S0123456789. Slack shows it under "People" > "User groups", in the menu of the group. The people on call replace all current members of the user group.',
    url: "Workflow URL",
    urlHint:
      'Teams shows this URL under "Workflows" > "Send webhook alerts to a channel". The console does not show it again.',
    tiesHint: "If nothing is selected, every event that notifies someone is posted.",
    rules: "Events matched by these rules",
    groups: "Events that notify these groups",
    followed: "Who is on call in these groups",
    follows: (names: string) => `Who is on call in ${names}`,
    inIt: (names: string) => `Members: ${names}`,
    nobody: "nobody",
    unlinked: (names: string) =>
      `On call but not in the user group: ${names}. To link their accounts, these people must each press a button of an alert in Slack once.`,
    kept: {
      nobody_on_call: "Nobody is on call, so the user group keeps its members.",
      nobody_linked: "Nobody on call has linked a Slack account, so the user group keeps its members.",
    },
    notYet: "The user group is filled within a minute.",
    save: "Save",
    saved: (name: string) => `Connection "${name}" saved.`,
    empty:
      "No connections yet. Post events to a Slack or Teams channel, or keep a Slack user group in sync with who is on call.",
    everything: "Every event",
    gone: "(deleted)",
    status: { active: "Working", waiting: "Failing", suspended: "Suspended", paused: "Paused" },
    since: "since",
    nextTry: "next attempt",
    lastTry: (code: string) => `last attempt: ${code}`,
    test: "Test",
    tested: "Test posted to the channel.",
    broughtUpToDate: "The user group now contains the people on call.",
    notTested: (code: string) => `The test failed: ${code}.`,
    pause: "Pause",
    resume: "Resume",
    paused: (name: string) => `Connection "${name}" paused. Messages wait until you resume the connection.`,
    resumed: (name: string) => `Connection "${name}" resumed. Waiting messages are sent now.`,
    delete: "Delete",
    deleteOf: (name: string) => `Delete ${name}`,
    deleteQuestion: (name: string) =>
      `Delete the connection "${name}"? Posted messages stay, and the user group keeps its members.`,
    deleted: (name: string) => `Connection "${name}" deleted.`,
    tie: "Link your Slack account",
    tieQuestion: (who: string) =>
      `Is ${who} your own Slack account? Buttons that are pressed with this account acknowledge and resolve events in your name. If somebody sent you this link, answer “No”.`,
    tieYes: "Yes, it is mine",
    tieNo: "No",
    tied: "Slack account linked. Press the button in Slack again.",
    untie: "Unlink my Slack account",
    untied: "Slack account unlinked. You are removed from the user groups in Slack.",
  },
};
export type Texts = Catalogue<typeof texts>;
