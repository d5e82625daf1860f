import type { Draft } from "../draft.ts";
import type { Channel } from "../../../core/domain/device/channel.ts";
import { PRIORITIES } from "../../../core/domain/basics/priority.ts";
import type { Role } from "../../../core/domain/people/role.ts";
import { addPerson, reportPersonLeftOut } from "../people.ts";
import type { PersonalStep } from "../person.ts";
import type { NotificationRule, Recipient, Team, User } from "./shape.ts";

export type PeopleFinder = {
  /** Returns the email addresses of a recipient: all members of a team; nobody for `none`. Reports people who are missing. */
  findEmailsOrReport: (recipient: Recipient) => string[];
  /** Returns names to display, including the names of missing people, who are not reported. */
  listNamesToShow: (recipient: Recipient) => string[];
  teamOf: (recipient: Pick<Recipient, "id" | "name">) => Team | undefined;
  members: (team: Team, roles?: readonly string[]) => string[];
};

const MAIL = /^[^\s@]+@[^\s@]+$/;

type PersonRef = Pick<Recipient, "id" | "username">;
type UserList = readonly Pick<User, "id" | "username" | "blocked">[];

/** Returns a function that finds a user's email address by id or name, in upper or lower case. */
const createEmailFinder = (users: UserList) => {
  const known = new Map(
    users
      .filter(({ blocked }) => !blocked)
      .flatMap(({ id, username }) => [username, id ?? username].map((key) => [key.toLowerCase(), username])),
  );
  return ({ id, username }: PersonRef): string | undefined => {
    const found = [id, username]
      .map((key) => known.get((key ?? "").toLowerCase()))
      .find((email) => email !== undefined);
    return found !== undefined && MAIL.test(found) ? found.toLowerCase() : undefined;
  };
};

const describeRecipient = ({ id, username, name }: Recipient): string => username ?? name ?? id ?? "without a name";

export const createPeopleFinder = (draft: Draft, users: UserList, teams: readonly Team[]): PeopleFinder => {
  const emailOf = createEmailFinder(users);
  const findTeam = ({ id, name }: Pick<Recipient, "id" | "name">) =>
    teams.find(
      (team) => (typeof id === "string" && team.id === id) || (typeof name === "string" && team.name === name),
    );
  const listEmailsOfTeam = (team: Team, roles?: readonly string[]): string[] =>
    team.members.flatMap(({ user, role }) =>
      roles === undefined || roles.includes(role) ? (emailOf(user) ?? []) : [],
    );
  const reportMissing = (what: string) =>
    draft.left(
      what,
      "The export has no user with this name who has an email address and is not blocked. Nobody is on call in this user's turns.",
    );
  const listNamesToShow = (recipient: Recipient): string[] => {
    if (recipient.type === "none") return [];
    const team = recipient.type === "team" ? findTeam(recipient) : undefined;
    if (team !== undefined) return listEmailsOfTeam(team);
    const email = recipient.type === "user" ? emailOf(recipient) : undefined;
    return [email ?? `${recipient.type} ${describeRecipient(recipient)} (not in the export)`];
  };
  const findEmailsOrReport = (recipient: Recipient): string[] => {
    if (recipient.type === "none") return [];
    if (recipient.type === "user") {
      const email = emailOf(recipient);
      if (email === undefined) reportMissing(`Person ${describeRecipient(recipient)}`);
      return email === undefined ? [] : [email];
    }
    const team = recipient.type === "team" ? findTeam(recipient) : undefined;
    if (team !== undefined) return listEmailsOfTeam(team);
    draft.left(
      `A turn of the ${recipient.type} ${describeRecipient(recipient)}`,
      recipient.type === "team"
        ? "The export does not contain this team: nobody is on call in this turn."
        : "Only people and teams can be on call: nobody is on call in this turn.",
    );
    return [];
  };
  return { findEmailsOrReport, listNamesToShow, teamOf: findTeam, members: listEmailsOfTeam };
};

const ROLES: Readonly<Record<string, Role>> = { owner: "owner", admin: "manager", stakeholder: "viewer" };
const WAYS: Readonly<Record<string, Channel>> = {
  email: "email",
  sms: "sms",
  voice: "voice",
  mobile: "push",
  "mobile-app": "push",
};

const toPersonalSteps = ({ steps }: NotificationRule): PersonalStep[] =>
  steps.map(({ contact, sendAfter, enabled }) => ({
    priorities: PRIORITIES,
    afterMinutes: sendAfter ?? 0,
    way: enabled ? WAYS[contact.method] : undefined,
  }));

/** Adds users as people with their own rules, and reports users who cannot be imported. */
export const addUsers = (
  draft: Draft,
  users: readonly User[],
  rulesOf: (user: User) => readonly NotificationRule[],
) => {
  for (const user of users) {
    const { username, fullName, role, blocked, userContacts } = user;
    const what = draft.count("users", `User ${username}`);
    const rules = rulesOf(user);
    if (blocked || !MAIL.test(username)) {
      const why = blocked ? "The user is blocked and is never notified." : "The user name is not an email address.";
      const steps = rules.reduce((sum, rule) => sum + rule.steps.length, 0);
      reportPersonLeftOut(draft, what, why, { contacts: userContacts.length, steps });
      continue;
    }
    const called = (role?.name ?? "user").toLowerCase();
    const isConvertible = ({ enabled, actionType, criteria }: NotificationRule) =>
      enabled && actionType === "create-alert" && (criteria?.type ?? "match-all") === "match-all";
    addPerson(draft, what, {
      email: username.toLowerCase(),
      name: fullName ?? username,
      role: ROLES[called] ?? "responder",
      isAdmin: called === "owner" || called === "admin",
      contacts: userContacts.map(({ contactMethod, to }) => ({ way: WAYS[contactMethod], to })),
      steps: rules.filter(isConvertible).flatMap(toPersonalSteps),
    });
    for (const rule of rules)
      if (!isConvertible(rule))
        draft.left(
          draft.count("notification steps", `${what}: rule ${rule.name ?? rule.actionType}`, rule.steps.length),
          "Personal notification rules here apply to every alert, and have no conditions.",
        );
  }
};
