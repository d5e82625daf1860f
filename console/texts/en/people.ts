import type { Catalogue } from "../catalogue.ts";
import { counted as count } from "../numbers.ts";

/** What the people and their invitations say. */
export const texts = {
  people: {
    rings: "Rings",
    ringsOf: (name: string) => `Rings of ${name}`,
    userId: "User id",
    machine: "Machine",
    machineId: "The operator gave it its name and its secret. Machine id",
    name: "Name",
    email: "E-mail",
    save: "Save",
    saved: (name: string) => `${name} is saved.`,
    removed: (name: string) => `${name} is removed.`,
    leave: "Leave",
    revoke: (names: readonly string[]) =>
      names.length === 0
        ? "Also end the calendar feeds of groups that they made, which would go on"
        : `Also delete the ${count(names.length, "API key", "API keys")} (${names.join(", ")}) and end the calendar feeds of groups that they made, which would go on`,
    leaveQuestion: (_: string, losses: readonly string[]) =>
      ["Leave this workspace? Your access, groups, turns on call and devices end at once.", ...losses].join(" "),
    removeQuestion: (name: string, losses: readonly string[]) =>
      [`Remove ${name} from the workspace? Access, groups, turns on call and devices end at once.`, ...losses].join(
        " ",
      ),
    goesOn: {
      heartbeats: (names: string) => `Heartbeats that they made go on: ${names}.`,
      webhooks: (names: string) => `Webhooks that they made go on: ${names}.`,
    },
    namedBy: (names: string) => `Escalation policies that name them tell nobody there any more: ${names}.`,
    schedules: (names: string) => `They leave the schedules of ${names}.`,
  },
  invitations: {
    invite: "Invite somebody",
    lead: "One or several, with commas between them. Whoever signs in with such an address is asked, and joins with one press. An account is made by whoever runs the service, or by the single sign-on.",
    email: "E-mail addresses",
    group: "Group",
    noGroup: "No group yet",
    send: "Invite",
    sent: (email: string, mailed: boolean) =>
      mailed ? `${email} is invited, by mail.` : `${email} is invited. No mail has gone: tell them to sign in here.`,
    sentAll: (people: number, mailed: boolean) =>
      mailed
        ? `${people} people are invited, by mail.`
        : `${people} people are invited. Not every mail has gone: tell them to sign in here.`,
    open: "Invited",
    until: (day: string) => `until ${day}`,
    again: "Invite again",
    takeBack: "Take back",
    takeBackQuestion: (email: string) => `Take back the invitation of ${email}? They are not asked any more.`,
    takenBack: (email: string) => `${email} is not invited any more.`,
  },
};
export type Texts = Catalogue<typeof texts>;
