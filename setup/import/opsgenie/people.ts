import type { Draft } from "../draft.ts";
import type { Recipient, Team } from "./shape.ts";

/** The people of an export, by the references to them. */
export type People = {
  /** The people behind a reference: all members of a team, nobody for `none`. Reports missing ones in the draft. */
  of: (recipient: Recipient) => string[];
  /** The same without a report; missing people are given by name. */
  shown: (recipient: Recipient) => string[];
  teamOf: (recipient: Pick<Recipient, "id" | "name">) => Team | undefined;
  members: (team: Team, roles?: readonly string[]) => string[];
};

const MAIL = /^[^\s@]+@[^\s@]+$/;

type Person = Pick<Recipient, "id" | "username">;
type Users = readonly { id?: string | null | undefined; username: string }[];

/** Finds the e-mail address of a person by id or name, regardless of case. */
const findEmails = (users: Users) => {
  const known = new Map(
    users.flatMap(({ id, username }) => [username, id ?? username].map((key) => [key.toLowerCase(), username])),
  );
  return ({ id, username }: Person): string | undefined => {
    const found = [id, username]
      .map((key) => known.get((key ?? "").toLowerCase()))
      .find((email) => email !== undefined);
    return found !== undefined && MAIL.test(found) ? found.toLowerCase() : undefined;
  };
};

const nameOf = ({ id, username, name }: Recipient): string => username ?? name ?? id ?? "without a name";

export const peopleOf = (draft: Draft, users: Users, teams: readonly Team[]): People => {
  const emailOf = findEmails(users);
  const teamOf = ({ id, name }: Pick<Recipient, "id" | "name">) =>
    teams.find(
      (team) => (typeof id === "string" && team.id === id) || (typeof name === "string" && team.name === name),
    );
  const members = (team: Team, roles?: readonly string[]): string[] =>
    team.members.flatMap(({ user, role }) =>
      roles === undefined || roles.includes(role) ? (emailOf(user) ?? []) : [],
    );
  const missing = (what: string) =>
    draft.left(what, "The export has no user of that name with an e-mail address: their turns are turns of nobody.");
  const shown = (recipient: Recipient): string[] => {
    if (recipient.type === "none") return [];
    const team = recipient.type === "team" ? teamOf(recipient) : undefined;
    if (team !== undefined) return members(team);
    const email = recipient.type === "user" ? emailOf(recipient) : undefined;
    return [email ?? `${recipient.type} ${nameOf(recipient)} (not in the export)`];
  };
  const of = (recipient: Recipient): string[] => {
    if (recipient.type === "none") return [];
    if (recipient.type === "user") {
      const email = emailOf(recipient);
      if (email === undefined) missing(`Person ${nameOf(recipient)}`);
      return email === undefined ? [] : [email];
    }
    const team = recipient.type === "team" ? teamOf(recipient) : undefined;
    if (team !== undefined) return members(team);
    draft.left(
      `A turn of the ${recipient.type} ${nameOf(recipient)}`,
      recipient.type === "team"
        ? "The export has no such team: it is a turn of nobody."
        : "It is a turn of nobody here.",
    );
    return [];
  };
  return { of, shown, teamOf, members };
};
