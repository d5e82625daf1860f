import type { Catalogue } from "../catalogue.ts";
import { formatCount as count } from "../numbers.ts";

export const texts = {
  people: {
    noShifts: "Not on call now, and not next on call in any group.",
    onCallUntil: (at: string | undefined) => (at === undefined ? "On call now" : `On call until ${at}`),
    nextShift: (at: string | undefined) => `Next shift begins ${at ?? ""}`,
    noGroups: "In no group.",
    noRules: "No rule names a group of this person.",
    reached: "Last reached",
    notReached: "not reached yet",
    rings: "Notification steps",
    moreOf: (name: string) => `More actions for ${name}`,
    ringsOf: (name: string) => `Notification steps of ${name}`,
    userId: "User ID",
    machine: "Machine",
    machineId: "The operator has set the name and the secret of this machine. Its ID:",
    name: "Name",
    email: "Email",
    save: "Save",
    saved: (name: string) => `${name} saved.`,
    removed: (name: string) => `${name} removed.`,
    devicesOf: (name: string) => `Devices of ${name}`,
    deviceSince: (day: string) => `added ${day}`,
    removeDeviceQuestion: (kind: string, name: string) =>
      `Remove this device of ${name} (${kind})? The device receives no more notifications, and ${name} is notified of the removal.`,
    deviceRemoved: (kind: string, name: string) => `Device of ${name} removed (${kind}).`,
    leave: "Leave",
    revoke: (names: readonly string[]) =>
      names.length === 0
        ? "Also close the group calendar feeds that this person created"
        : `Also delete the ${count(names.length, "API key", "API keys")} (${names.join(", ")}) and close the group calendar feeds that this person created`,
    leaveQuestion: (_: string, losses: readonly string[]) =>
      ["Leave this workspace? You lose access, group memberships, shifts and devices at once.", ...losses].join(" "),
    removeQuestion: (name: string, losses: readonly string[]) =>
      [
        `Remove ${name} from the workspace? They lose access, group memberships, shifts and devices at once.`,
        ...losses,
      ].join(" "),
    goesOn: {
      heartbeats: (names: string) => `Heartbeats that this person created stay active: ${names}.`,
      webhooks: (names: string) => `Webhooks that this person created stay active: ${names}.`,
    },
    namedBy: (names: string) => `These escalation policies will no longer notify this person: ${names}.`,
    schedules: (names: string) => `This person will be removed from the schedules of ${names}.`,
  },
  invitations: {
    invite: "Invite somebody",
    lead: "One or several addresses, separated by commas. People who sign in with one of these addresses are asked to join. Accounts are created by the operator or by single sign-on.",
    email: "Email addresses",
    group: "Group",
    noGroup: "No group yet",
    send: "Invite",
    sent: (email: string, mailed: boolean) =>
      mailed ? `${email} is invited by email.` : `${email} is invited. No email was sent: ask them to sign in here.`,
    sentAll: (people: number, mailed: boolean) =>
      mailed
        ? `${people} people are invited by email.`
        : `${people} people are invited. Not every email was sent: ask them to sign in here.`,
    open: "Invited",
    until: (day: string) => `until ${day}`,
    again: "Invite again",
    takeBack: "Withdraw",
    takeBackQuestion: (email: string) =>
      `Withdraw the invitation for ${email}? They can no longer join with this invitation.`,
    takenBack: (email: string) => `Invitation for ${email} withdrawn.`,
  },
};
export type Texts = Catalogue<typeof texts>;
